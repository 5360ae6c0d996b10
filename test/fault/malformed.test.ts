import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig, readJson } from '../../cli/inputs.js';
import { openBars, readBarsFile, writeBars } from '../../data/bars/index.js';
import { parseStrategy } from '../../engine/strategy/index.js';
import { evaluateSignals, simulateRequests } from '../../research/index.js';
import { backtestResult } from '../support/backtest.js';
import { assertRefused, runCli, runCliBatch } from '../support/cli.js';
import { fileOf } from '../support/data-fixtures.js';
import {
  assertFinite,
  assertRefusal,
  type Document,
  type DocumentKind,
  documents,
  mutilated,
  soundConfig,
  soundCsv,
  soundStrategy,
} from '../support/malformed.js';
import { randomBars } from '../support/random.js';
import { runs } from '../support/scale.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder('malformed');
const store = openBars({ home: join(folder, 'home') });
const soundBars = await fileOf(folder, 'sound.csv', soundCsv);
const soundStrategyFile = await fileOf(folder, 'sound-strategy.json', JSON.stringify(soundStrategy));

const backtest = (strategy: unknown, config: unknown, barsFile = soundBars) =>
  backtestResult({ strategy, config, window: {}, barsFile }, store);

/** What a command does with its file, up to the answer it would print. */
const consumers: Readonly<Record<DocumentKind, (path: string) => Promise<unknown>>> = {
  strategy: async (path) => {
    const json = await readJson(path, 'strategy');
    parseStrategy(json, 'relaxed');
    return backtest(json, {});
  },
  config: async (path) => backtest(soundStrategy, await readConfig([path])),
  simulate: async (path) => Object.fromEntries(simulateRequests(await readJson(path, 'requests'))),
  signals: async (path) => evaluateSignals(await readJson(path, 'requests'), (await readBarsFile(soundBars)).bars),
  csv: async (path) => backtest(soundStrategy, soundConfig, path),
};

const fileNames: Readonly<Record<DocumentKind, string>> = {
  strategy: 'strategy.json',
  config: 'config.json',
  simulate: 'requests.json',
  signals: 'requests.json',
  csv: 'bars.csv',
};

/** The refusal of a document, or null when it is sound after all. */
async function refusal({ kind, bytes }: Document): Promise<unknown> {
  const path = await fileOf(folder, fileNames[kind], bytes);
  let answer: unknown;
  try {
    answer = await consumers[kind](path);
  } catch (error) {
    return error;
  }
  assertFinite(answer);
  const text = JSON.stringify(answer);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(JSON.parse(text))));
  return null;
}

/** The smallest share of broken documents that must be refused. */
const refusedShareMin = 0.4;

const counts: Readonly<Record<DocumentKind, number>> = {
  strategy: runs(10, 1_100),
  config: runs(10, 900),
  simulate: runs(10, 1_400),
  signals: runs(10, 600),
  csv: runs(10, 1_000),
};

for (const kind of Object.keys(documents) as DocumentKind[]) {
  test(`a malformed ${kind} document is refused in one clear line, or answered without NaN`, async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(documents[kind], async (document) => {
        const error = await refusal(document);
        if (error === null) return;
        assertRefusal(error);
        refused++;
      }),
      { numRuns: counts[kind], seed: 20_240_101, endOnFailure: true },
    );
    assert.ok(refused >= refusedShareMin * counts[kind], `${refused} of ${counts[kind]} refused`);
  });
}

/** The command that reads a file of a kind. */
const commandOf = (kind: DocumentKind, path: string): string[] => {
  const run = ['backtest', '--bars', kind === 'csv' ? path : soundBars, '--strategy'];
  if (kind === 'strategy') return [...run, path];
  if (kind === 'simulate') return ['simulate', path];
  if (kind === 'signals') return ['signals', 'evaluate', '--bars', soundBars, '--requests', path];
  return [...run, soundStrategyFile, '--json', ...(kind === 'config' ? ['--config', path] : [])];
};

test('malformed files end a real process with code 2 and one line on standard error', async () => {
  const total = runs(5, 200);
  const kinds = Object.keys(documents) as DocumentKind[];
  const chosen: Document[] = [];
  for (const kind of kinds) {
    const wanted = total / kinds.length;
    let found = 0;
    for (const document of fc.sample(documents[kind], { numRuns: 10 * wanted, seed: 7 })) {
      if (found === wanted) break;
      if ((await refusal(document)) === null) continue;
      chosen.push(document);
      found++;
    }
    assert.equal(found, wanted, kind);
  }
  const queue = [...chosen.entries()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [i, { kind, bytes }] = next;
      const path = await fileOf(folder, `${i}-${fileNames[kind]}`, bytes);
      assertRefused(await runCli(commandOf(kind, path), { home: join(folder, 'home') }), /\S/, `${kind} ${i}`);
    }
  };
  await Promise.all([work(), work()]);
});

test('a malformed import ends a real process with code 2 and leaves the catalogue as it was', async () => {
  const home = join(folder, 'imports');
  const importFile = (path: string) => runCli(['data', 'import', path, '--asset', 'BTC'], { home });
  const [imported] = await runCliBatch([['data', 'import', soundBars, '--asset', 'BTC']], { home });
  assert.equal(imported?.code, 0);
  const before = await readFile(join(home, 'bars', 'catalogue.json'));
  const files = await readdir(join(home, 'bars'));
  let tried = 0;
  for (const document of fc.sample(documents.csv, { numRuns: 40, seed: 11 })) {
    const path = await fileOf(folder, 'import.csv', document.bytes);
    if ((await readBarsFile(path).catch(() => null)) !== null) continue;
    assertRefused(await importFile(path), /import\.csv/);
    if (++tried === runs(2, 10)) break;
  }
  assert.equal(tried, runs(2, 10));
  assert.deepEqual(await readFile(join(home, 'bars', 'catalogue.json')), before);
  assert.deepEqual(await readdir(join(home, 'bars')), files);
});

test('a mutilated Parquet file is read or refused in one clear line, and sound files are read afterwards', async () => {
  const path = join(folder, 'sound.parquet');
  await writeBars(path, randomBars({ seed: 1, barCount: 300 }));
  const sound = await readFile(path);
  const magic = Buffer.from('PAR1');
  let refused = 0;
  const isReadOrRefused = fc.asyncProperty(mutilated(sound), async (bytes) => {
    // Half of the broken files keep their magic bytes, so that DuckDB gets to parse them.
    const framed = bytes.length % 2 === 0 ? bytes : Buffer.concat([magic, bytes.subarray(4, -4), magic]);
    const error = await readBarsFile(await fileOf(folder, 'bars.parquet', framed)).catch((reason) => reason);
    if (!(error instanceof Error)) return;
    assertRefusal(error);
    refused++;
  });
  const count = runs(30, 10_000);
  await fc.assert(isReadOrRefused, { numRuns: count, seed: 3, endOnFailure: true });
  assert.ok(refused > count / 2, `${refused} of ${count} refused`);
  assert.equal((await readBarsFile(path)).bars.barCount, 300);
});

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`) as unknown;

test('parameters nested 10,000 deep are a refused rule', async () => {
  const entry = [{ name: 'rsi_oversold', signal_type: 'TRIGGER', timeframe: null, params: { window: nested(10_000) } }];
  let result: Awaited<ReturnType<typeof backtest>>;
  try {
    result = await backtest({ entry }, {});
  } catch (error) {
    assertRefusal(error); // refusing such a file as a whole is just as good
    return;
  }
  assert.equal(result.denied_signals[0]?.reason, 'malformed_params');
  assert.equal(typeof JSON.stringify(result), 'string');
});
