import assert from 'node:assert/strict';
import test from 'node:test';
import { type BarSeries, HOUR_MS } from '../../../../engine/series/index.js';
import { type FoldWindow, readSweep, type SweepReading } from '../../../../engine/sweep/index.js';
import { randomBars } from '../../../support/random.js';
import { crossSweep, findDataset } from '../../../support/sweeps.js';

const oneDataset = { datasets: [{ asset: 'BTC', timeframe: '1h' }] };
const walking = (walk_forward: unknown, more: object = {}) => crossSweep({ ...oneDataset, walk_forward, ...more });
const sound = { mode: 'rolling', train_days: 3, test_days: 2 };

const hourly = (startMs: number, barCount: number): BarSeries => randomBars({ seed: 1, barCount, startMs });
const read = (walk_forward: unknown, bars: BarSeries): SweepReading =>
  readSweep(walking(walk_forward), findDataset, () => ({ bars, first: 0 }));

/** Ten whole days, from midnight to midnight. */
const tenDays = hourly(Date.UTC(2024, 0, 1), 240);

/** `2024-01-01..2024-01-03 [0, 72)` */
const shown = ({ start_date, end_date, from, to }: FoldWindow) => `${start_date}..${end_date} [${from}, ${to})`;
const foldsOf = (walk_forward: unknown, bars: BarSeries): string[] => {
  const { definition, errors } = read(walk_forward, bars);
  assert.deepEqual(errors, []);
  return definition!.datasets.map(({ fold, start_date, end_date, rows }) => {
    assert.deepEqual(
      [start_date, end_date, rows],
      [fold!.train.start_date, fold!.train.end_date, fold!.train.to - fold!.train.from],
    );
    return `${fold!.index}: ${shown(fold!.train)} then ${shown(fold!.test)}`;
  });
};

test('rolling windows keep their length and move on by the test days', () => {
  assert.deepEqual(foldsOf(sound, tenDays), [
    '0: 2024-01-01..2024-01-03 [0, 72) then 2024-01-04..2024-01-05 [72, 120)',
    '1: 2024-01-03..2024-01-05 [48, 120) then 2024-01-06..2024-01-07 [120, 168)',
    '2: 2024-01-05..2024-01-07 [96, 168) then 2024-01-08..2024-01-09 [168, 216)',
  ]);
});

test('embargo days stand between training and test, and the last fold still ends within the data', () => {
  assert.deepEqual(foldsOf({ ...sound, embargo_days: 1 }, tenDays), [
    '0: 2024-01-01..2024-01-03 [0, 72) then 2024-01-05..2024-01-06 [96, 144)',
    '1: 2024-01-03..2024-01-05 [48, 120) then 2024-01-07..2024-01-08 [144, 192)',
    '2: 2024-01-05..2024-01-07 [96, 168) then 2024-01-09..2024-01-10 [192, 240)',
  ]);
  assert.equal(foldsOf({ ...sound, embargo_days: 2 }, tenDays).length, 2);
  assert.equal(foldsOf({ ...sound, embargo_days: 5 }, tenDays).length, 1);
});

/**
 * The bars without those that open within the hours `from` to `to` (exclusive) after the first one.
 */
function without({ intervalMs, time }: BarSeries, from: number, to: number): BarSeries {
  const startMs = time[0];
  const kept = time.filter((at) => at < startMs + from * HOUR_MS || at >= startMs + to * HOUR_MS);
  const bars = randomBars({ seed: 1, barCount: kept.length, intervalMs });
  bars.time.set(kept);
  return bars;
}

test('a fold whose test window is a hole is left out and reported, and the others keep their numbers', () => {
  const holed = without(tenDays, 120, 168); // the 6th and the 7th
  const { definition, warnings } = read(sound, holed);
  assert.deepEqual(
    definition!.datasets.map(({ fold }) => fold!.index),
    [0, 2],
  );
  assert.match(warnings.join('\n'), /^BTC 1h: 1 of 3 folds have no bars to train or to test on and are left out$/m);
  const { errors } = read({ ...sound, train_days: 5, test_days: 2, embargo_days: 2 }, without(tenDays, 168, 239));
  assert.deepEqual(errors, ['BTC 1h: walk_forward has no fold with bars in its training and its test window']);
});

const refusals: Readonly<Record<string, readonly [walk: unknown, error: RegExp]>> = {
  'no mode': [{ ...sound, mode: undefined }, /^walk_forward\.mode is required$/],
  'a metric that rows do not have': [
    { ...sound, metric: 'avg_loss' },
    /^walk_forward\.metric must be .*, was "avg_loss", which rows of sweeps do not have$/,
  ],
  'too few days': [
    { ...sound, train_days: 8, embargo_days: 1 },
    /^BTC 1h: walk_forward needs 11 whole days \(train_days 8, embargo_days 1, test_days 2\), the data has 10$/,
  ],
};

for (const [what, [walk, error]] of Object.entries(refusals)) {
  test(`${what} is refused by name, bound and value`, () => {
    const { definition, errors } = read(walk, tenDays);
    assert.equal(definition, null);
    assert.equal(errors.length, 1, errors.join('\n'));
    assert.match(errors[0], error);
  });
}
