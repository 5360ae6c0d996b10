import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../support/tree.js';

interface Locked {
  readonly hasInstallScript?: true;
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const packages = Object.entries(lock.packages).flatMap(([path, locked]) =>
  path === '' ? [] : [{ name: nameOf(path), ...locked }],
);

/** Packages whose install script nothing needs, with what it would do. */
const withScript: Readonly<Record<string, string>> = {
  bufferutil: 'compiles a faster mask for frames of ws, which does without',
  ccxt: 'prints a greeting',
  'core-js-pure': 'prints an appeal; a part of the page of the API that is bundled already',
  esbuild: 'checks the binary that npm has already put in its place',
  'msgpackr-extract': 'compiles a faster reader of strings, which msgpackr does without',
  protobufjs: 'warns of versions that do not fit together',
};

test('no package runs a script when it is installed, but those that are known to work without', () => {
  const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  const unknown = scripted.filter((name) => !Object.hasOwn(withScript, name));
  assert.deepEqual(unknown, []);
  const gone = Object.keys(withScript).filter((name) => !scripted.includes(name));
  assert.deepEqual(gone, []);
});
