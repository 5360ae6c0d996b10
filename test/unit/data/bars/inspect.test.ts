import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asRead, inspectBars } from '../../../../data/bars/inspect.js';
import { type BarSeries, sliceBars } from '../../../../engine/series/bars.js';
import { findGaps } from '../../../../engine/series/index.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../engine/series/intervals.js';
import { refuses } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';

/** Bars that open at the given minutes. */
function barsAt(minutes: readonly number[]): BarSeries {
  const bars = randomBars({ seed: 1, barCount: minutes.length });
  for (const [i, minute] of minutes.entries()) bars.time[i] = minute * MINUTE_MS;
  return bars;
}
const inspect = (minutes: readonly number[], intervalMs?: number) =>
  inspectBars({ ...asRead, bars: barsAt(minutes), rowName: (i) => `row ${i + 1}` }, intervalMs);

test('the interval is the most frequent spacing, and the smallest of equally frequent ones', () => {
  assert.equal(inspect([0, 5, 10, 70, 130]).bars.intervalMs, 5 * MINUTE_MS);
  assert.equal(inspect([0, 60, 180]).bars.intervalMs, HOUR_MS);
  assert.equal(inspect([0, 1440, 1500 + 1440]).bars.intervalMs, DAY_MS);
});

test('bars closer than the most frequent spacing are refused', async () => {
  const message =
    /^row 4: bars must be at least 1h apart \(the most frequent spacing\), 1970-01-01T02:30:00Z is 30m after the one before; data import --interval 30m reads them as such bars with gaps$/;
  await refuses((async () => inspect([0, 60, 120, 150, 210]))(), 'INVALID_DATA', message);
});

test('intervals without a name are refused', async () => {
  const rule = 'interval must be whole minutes, hours or days, at most 99999';
  await refuses(
    (async () => inspect([0, 0.5, 1]))(),
    'INVALID_DATA',
    /^row 2: bars of 30s are not supported, the shortest interval is 1m; make longer bars of them first$/,
  );
  await refuses(
    (async () => inspect([0, 100_001]))(),
    'INVALID_DATA',
    new RegExp(`^row 2: ${rule}, most bars are 100001m apart; --interval gives another$`),
  );
  for (const intervalMs of [0, -MINUTE_MS, NaN, Infinity, 1.5 * MINUTE_MS]) {
    await refuses((async () => inspect([0, 5, 10], intervalMs))(), 'INVALID_FIELD', new RegExp(`^${rule}, was `));
  }
});

test('holes are listed and never filled', () => {
  const { bars, gaps } = inspect([60, 120, 240, 300, 360, 660]);
  assert.equal(bars.barCount, 6);
  assert.deepEqual(gaps, [
    { firstMissing: 180 * MINUTE_MS, lastMissing: 180 * MINUTE_MS, bars: 1 },
    { firstMissing: 420 * MINUTE_MS, lastMissing: 600 * MINUTE_MS, bars: 4 },
  ]);
  assert.deepEqual(findGaps(sliceBars(bars, 2, 5)), []);
});

test('bars off the grid are counted, and a shift of less than a bar is no hole', () => {
  const { offGridBars, gaps } = inspect([0, 60, 120, 210, 270, 331]);
  assert.equal(offGridBars, 3);
  assert.deepEqual(gaps, []);
});

test('zero volume is counted, and -0 becomes 0', () => {
  const bars = barsAt([0, 5, 10]);
  bars.volume.set([-0, 1, 0]);
  const inspected = inspectBars({ ...asRead, bars, rowName: String });
  assert.equal(inspected.zeroVolumeBars, 2);
  assert.ok(Object.is(inspected.bars.volume[0], 0));
});
