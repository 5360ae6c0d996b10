import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { type ParamValues, resolveParams } from '../../../../engine/indicators/params.js';
import { requireSignal, signals } from '../../../../engine/signals/registry.js';
import { referenceMinBars, referenceSignalNames } from '../../../reference/signals.js';
import { randomParams } from '../../../support/params.js';
import { seededRandom } from '../../../support/random.js';
import { root } from '../../../support/tree.js';

/** The published records. */
interface PublishedRecord {
  readonly name: string;
  readonly aliases?: string[];
  readonly constraints?: [string, string, string][];
  readonly needs_timestamps?: boolean;
  /** Null where the bars follow from a formula. */
  readonly min_bars: string | null;
  readonly min_bars_counts?: string;
  readonly params: Record<string, { optional: boolean; [key: string]: unknown }>;
  readonly [key: string]: unknown;
}

const readRecords = (path: string): PublishedRecord[] => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));

/** A copy of the documented records, and the records of our own, which no document holds. */
const documented = readRecords('test/golden/signals.json');
const own = readRecords('engine/signals/signals.json').filter(({ category }) => category === 'user');
const published = [...documented, ...own];

/**
 * Evaluates the published formula for the bars that a signal needs, such as `window + max(pow1,
 * pow2)`.
 */
function evaluateMinBars(expression: string, params: ParamValues): number {
  const names = Object.keys(params);
  const spread = expression.replace('max(windows)', 'max(...windows)');
  return new Function('max', ...names, `return ${spread}`)(Math.max, ...names.map((name) => params[name]));
}

for (const record of published) {
  test(`${record.name} is recorded as published`, () => {
    const signal = requireSignal(record.name);
    for (const field of ['name', 'category', 'type', 'family', 'bias', 'description', 'definition'] as const) {
      assert.equal(signal[field], record[field], field);
    }
    for (const field of ['requires', 'indicators'] as const) assert.deepEqual(signal[field], record[field], field);
    assert.deepEqual(signal.aliases, record.aliases ?? []);
    assert.deepEqual(signal.constraints, record.constraints ?? []);
    assert.equal(signal.subcategory, record.subcategory);
    assert.equal(signal.needsTimestamps, record.needs_timestamps ?? false);
    assert.equal(signal.observes !== undefined, record.min_bars_counts === 'observations');
    const params = Object.fromEntries(
      Object.entries(signal.params).map(([name, spec]) => [name, { ...spec, optional: spec.default !== undefined }]),
    );
    assert.deepEqual(params, record.params);
    const random = seededRandom(1);
    for (let round = 0; round < 20; round++) {
      const values = randomParams(signal, random);
      if (record.min_bars === null) continue;
      const expected = evaluateMinBars(record.min_bars, values);
      assert.deepEqual([signal.minBars(values), referenceMinBars(record.name, values)], [expected, expected]);
    }
  });
}

test('the library lists the recorded signals, by category and name, and each has a naive version', () => {
  const key = ({ category, name }: { category?: unknown; name: string }) => `${category} ${name}`;
  assert.deepEqual(signals.map(key), published.map(key).sort());
  assert.deepEqual(referenceSignalNames.toSorted(), signals.map(({ name }) => name).toSorted());
});

test('legacy names are read when the new name is absent', () => {
  assert.deepEqual(resolveParams(requireSignal('is_above_sma'), { period: 9 }), { window: 9 });
  assert.deepEqual(resolveParams(requireSignal('is_above_sma'), { lookback: 8 }), { window: 8 });
  assert.deepEqual(resolveParams(requireSignal('sma_cross_up'), { short_period: 5, long_period: 9 }), {
    window_fast: 5,
    window_slow: 9,
  });
  assert.deepEqual(resolveParams(requireSignal('is_above_sma'), { window: 7, period: 9 }), { window: 7 });
});

const refused: [name: string, params: unknown, message: RegExp][] = [
  ['is_above_sma', { window: 0 }, /window must be 1\.\.200, was 0$/],
  ['is_above_sma', { window: 5, widow: 6 }, /unknown parameter "widow", known are: window$/],
  ['sma_cross_up', { window_fast: 9, window_slow: 9 }, /window_fast must be < window_slow, was 9 against 9$/],
  ['aroon_crossover', { direction: 'up' }, /direction must be one of bullish, bearish, was "up"$/],
  ['kc_upper_breakout', { original_version: 1 }, /original_version must be true or false, was 1$/],
  [
    'ma_ribbon_bullish',
    { windows: [5, 5] },
    /windows must be strictly increasing whole numbers 2\.\.1000, was \[5,5\]$/,
  ],
];

for (const [name, params, message] of refused) {
  test(`${name} refuses ${JSON.stringify(params)}`, () => {
    assert.throws(
      () => resolveParams(requireSignal(name), params),
      (error) => error instanceof EngineError && message.test(error.message),
    );
  });
}
