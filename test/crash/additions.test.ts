/**
 * Follows the recipes of CONTRIBUTING in one copy of the tree: the files that change, what the
 * compiler asks for, what follows by itself, and the tests that hold what is added. Each test goes
 * on with the copy that the one before left. A soak also compiles the whole copy, and runs the tests
 * of settings, the bench, and the tests that an added line reaches without naming it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RpcClient } from '../../rpc/index.js';
import { endpoint } from '../support/additions/endpoint.js';
import { additions } from '../support/additions/index.js';
import { indicator, indicatorTests } from '../support/additions/indicator.js';
import { exchange, provider, providerServer } from '../support/additions/provider.js';
import { setting, settingLine, settingReach, settingTests } from '../support/additions/setting.js';
import { signal, signalTests } from '../support/additions/signal.js';
import { soak } from '../support/scale.js';
import { startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { copyTree, type Edit } from './tree-copy.js';

const copy = copyTree();
const main = join(copy.path, 'dist/bundle/barline.js');

const placesOf = (edits: readonly Edit[]): string[] => [...new Set(edits.map(({ file }) => file))];

for (const { name, places, edits } of additions) {
  test(`${name}: ${places} files`, () => assert.equal(placesOf(edits).length, places));
}

/** An added setting reaches most files: a soak compiles them. */
const compiles = { skip: soak ? false : 'a soak compiles the whole copy' };

test('the compiler asks what the fast path does with a setting', compiles, async () => {
  copy.apply(settingLine);
  const asked = await copy.compile('engine');
  const missing = /^engine\/execution\/risk-fields\.ts\(.*Property 'fastPath' is missing/;
  assert.ok(
    asked.some((error) => missing.test(error)),
    asked.join('\n'),
  );
});

test('each addition finds its places', async () => {
  copy.apply([...(soak ? [] : settingLine), ...setting, ...indicator, ...signal, ...endpoint, ...provider]);
  await copy.writeReference();
});

test('the compiler asks for a server that speaks the format of a provider', compiles, async () => {
  const asked = await copy.compile('tsconfig.test.json');
  assert.ok(
    asked.some((error) => error.startsWith(exchange)),
    asked.join('\n'),
  );
  // The compiler also names the places that would read the line.
  for (const error of asked) assert.match(error, /^test\/[\s\S]*Property 'plain' (is missing|does not exist)/);
});

test('no other file changes but those that a command writes', () => {
  copy.apply(providerServer);
  assert.deepEqual(copy.changes(), {
    places: additions.flatMap(({ edits }) => placesOf(edits)).sort(),
    pages: [
      'docs/formulas.md',
      ...['README', 'indicators', 'settings', 'signals-user'].map((page) => `docs/reference/${page}.md`),
      'protos/barline/v1/settings.proto',
    ],
  });
});

test('all of them compile', compiles, async () => {
  assert.deepEqual(await copy.compile('tsconfig.test.json'), []);
});

test('an added setting is documented, stored, filtered, drawn and obeyed', async () => {
  assert.deepEqual(await copy.evaluate(settingReach), {
    default: null,
    refusal: 'EngineError: target_cap_pct must be a number > 0 or null, was 0',
    schema: {
      type: ['number', 'null'],
      exclusiveMinimum: 0,
      description: 'Largest distance of the target; no cap when null (fraction of the entry price). Default: null.',
    },
    isFilter: true,
    resultColumn: 'target_cap_pct',
    corpusColumn: { name: 'target_cap_pct', type: 'number', isPercent: false, isSetting: true },
    drawn: [null, 0.003, 0.05, 0.5, 1, 2.5],
    isCovered: [true, false],
    isObeyed: true,
  });
});

test(`tests of ${soak ? 'settings, ' : ''}signals and indicators hold what is added`, async () => {
  const output = await copy.test(...new Set([...(soak ? settingTests : []), ...signalTests, ...indicatorTests]));
  for (const name of ['is recorded as published', 'agrees with the reference', 'is seen both true and false']) {
    assert.ok(output.includes(`column_rising ${name}`), name);
  }
  assert.match(output, /^ok .* mean range .* and its naive version/m);
});

test('the bench of the catalogue races an added indicator with its relative', {
  skip: soak ? false : 'a soak runs it',
}, async () => {
  await copy.build();
  const output = await copy.run(['dist/bench/run.js', '--smoke', 'catalogue']);
  assert.match(output, /mean range .* ATR 14 in C/);
});

test('an added endpoint answers over REST and over gRPC', async () => {
  await copy.build();
  const service = await startServiceProcess(await newHome(), {}, [], 'serve', [main]);
  const library: typeof import('../../rpc/index.js') = await import(
    pathToFileURL(join(copy.path, 'dist/rpc/index.js')).href
  );
  const address = /^gRPC +(\S+)/.exec(service.said.find((line) => line.startsWith('gRPC')) ?? '')?.[1];
  assert.ok(address);
  const client: RpcClient = new library.RpcClient(address);
  try {
    const authorization = `Bearer ${service.firstKey}`;
    const month = new Date().toISOString().slice(0, 7);
    const rest = await fetch(`${service.origin}/api/v1/usage/month?prefix=m`, { headers: { authorization } });
    assert.deepEqual(await rest.json(), { success: true, month: `m${month}` });
    const call = client.call.bind(client) as (name: string, request: object, options: object) => Promise<object>;
    const { body } = (await call('Usage.GetMonth', {}, { authorization })) as { body: object };
    assert.deepEqual(body, { month });
    await assert.rejects(call('Usage.GetMonth', {}, {}), { code: 'AUTH_REQUIRED' });
    const document = (await (await fetch(`${service.origin}/openapi.json`)).json()) as { paths: object };
    assert.ok('/api/v1/usage/month' in document.paths, 'the documentation has it');
  } finally {
    client.close();
    await service.terminate();
  }
});

test('an added provider passes the faults of a fetch', {
  skip: soak ? false : 'a minute: a soak runs it',
}, async () => {
  const output = await copy.test('crash/data-fetch');
  assert.equal(output.match(/^ok .* plain: a fetch survives a passing fault/gm)?.length, 13, output);
  assert.equal(output.match(/^ok .* plain: a lasting fault ends in one clear line/gm)?.length, 10, output);
});

/** Tests that walk the methods, settings, signals or pages, whatever they are. */
const walking = [
  'contract/contract',
  'contract/mcp',
  'fault/malformed',
  'unit/cli/pictures',
  'unit/docs/reference',
  'architecture/exports',
];

test('tests that walk all there is take what is added without an edit', {
  skip: soak ? false : 'minutes: a soak runs it',
}, async () => {
  const output = await copy.test(...walking);
  assert.match(output, /^# fail 0$/m);
  assert.match(output, /^ok .* the example of get \/api\/v1\/usage\/month succeeds/m);
});
