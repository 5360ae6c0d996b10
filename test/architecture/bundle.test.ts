import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { sources } from '../support/imports.js';
import { root } from '../support/tree.js';

/** What users run: see `scripts/build-bundle.mjs`. */
const folder = join(root, 'dist/bundle');

test('each script that code starts as a thread or a process is in the bundle', () => {
  const started = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?<!from )['`]\.\/([\w-]+-(?:task|thread))[.$'`]/g)].map(
      ([, name = '']) => name,
    ),
  );
  assert.ok(started.includes('sweep-task') && started.includes('pglite-thread'), started.join());
  assert.deepEqual(
    started.filter((name) => !existsSync(join(folder, `${name}.js`))),
    [],
  );
});

test('the bundle imports only packages that npm installs with ours', () => {
  const installed = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, object>;
  const packages = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(installed[kind] ?? {}),
  );
  const imported = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const forms = [/^(?:import|export)[^;]*? from "([^."][^"]*)"/gm, /\b(?:import|require\d*)\("([^."][^"]*)"\)/g];
      return forms.flatMap((form) => [...text.matchAll(form)].map(([, path = '']) => path));
    })
    .filter((path) => !isBuiltin(path));
  const names = new Set(imported.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path));
  assert.ok(names.has('zod') && names.has('@duckdb/node-api'), [...names].join());
  assert.deepEqual(
    [...names].filter((name) => !packages.includes(name)),
    [],
  );
});
