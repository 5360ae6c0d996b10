import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import { resolveConfig } from '../../engine/execution/index.js';
import { parseStrategy } from '../../engine/strategy/index.js';
import { readSweep } from '../../engine/sweep/index.js';
import { evaluateSignals, simulateRequests } from '../../research/index.js';
import { loadDatasets } from '../../research/sweep/datasets.js';
import { readDeployedSet } from '../../service/deployed/definition.js';
import { soundConfig, soundRequests, soundSignals, soundStrategy } from '../support/malformed.js';
import { randomBars } from '../support/random.js';
import { damagesOf } from '../support/requests.js';
import { root } from '../support/tree.js';

/**
 * Every document that people write, with one field removed at a time: each refusal says what is
 * required.
 */

const store = openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') });
const bars = randomBars({ seed: 5, barCount: 30, flatChance: 0 });
const readExample = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as object;

/** The message that reading a document ends with. */
type Reader = (json: unknown) => readonly string[] | Promise<readonly string[]>;

const saying = (read: (json: unknown) => unknown): Reader => {
  return (json) => {
    try {
      read(json);
      return [];
    } catch (error) {
      if (error instanceof EngineError) return [error.message];
      throw error;
    }
  };
};

const found = {
  asset: 'BTC',
  timeframe: '1h',
  file: 'f',
  hash: 'h',
  rows: 1,
  start_date: '',
  end_date: '',
  columns: [],
  added: {},
};
const readPlan: Reader = (json) => {
  const { errors, warnings } = readSweep(
    json,
    () => found,
    () => ({ bars, first: 0 }),
  );
  return [...errors, ...warnings];
};
const findDatasets: Reader = async (json) => {
  const loaded = await loadDatasets(json, store);
  return loaded.flatMap((each) => (each instanceof EngineError ? [each.message] : []));
};

const sweep = {
  ...readExample('examples/sweeps/walk-forward.json'),
  ...{ random_signals: { min_entry_filters: 1 }, pre_filter: { enabled: true, confidence_threshold: 0.5 } },
  tpe: { trials: 10, metric: 'sharpe_ratio', good_fraction: 0.2 },
  n_random: 5,
};

const dataset = { asset: 'BTC', timeframe: '1d' };
const resolve = (json: unknown) => resolveConfig({ request: (json as { sent?: unknown }).sent, interval: 3_600_000 });

const documents: Readonly<Record<string, readonly [good: object, read: Reader]>> = {
  strategy: [soundStrategy as object, saying((json) => parseStrategy(json, 'relaxed'))],
  'set of settings': [{ sent: soundConfig }, saying(resolve)],
  simulation: [soundRequests, saying(simulateRequests)],
  'list of signals': [soundSignals, saying((json) => evaluateSignals(json, bars))],
  'grid sweep': [{ ...sweep, search_mode: 'grid' }, readPlan],
  'random sweep': [{ ...sweep, search_mode: 'random' }, readPlan],
  'learning sweep': [{ ...sweep, search_mode: 'tpe' }, readPlan],
  'list of datasets': [{ datasets: [dataset] }, findDatasets],
  'deployed set': [readExample('sample/deployed.json'), saying(readDeployedSet)],
};

for (const [name, [good, read]] of Object.entries(documents)) {
  test(`a ${name} that lacks a field is refused with what is required, and no message says undefined`, async () => {
    const messages = new Set<string>();
    for (const json of damagesOf(good)) for (const each of await read(json)) messages.add(each);
    assert.ok(messages.size > 0);
    assert.deepEqual(
      [...messages].filter((message) => /\bundefined\b/.test(message)),
      [],
    );
  });
}
