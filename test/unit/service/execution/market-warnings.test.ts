import assert from 'node:assert/strict';
import test from 'node:test';
import { allocateBars, HOUR_MS } from '../../../../engine/series/index.js';
import { marketWarnings } from '../../../../service/execution/market.js';

/** Hourly bars that open at these hours. */
function barsAt(hours: readonly number[]) {
  const bars = allocateBars(hours.length, HOUR_MS);
  hours.forEach((hour, i) => {
    bars.time[i] = hour * HOUR_MS;
  });
  return bars;
}

const hours = (count: number) => Array.from({ length: count }, (_, hour) => hour);

test('bars without holes that reach back far enough give no warning', () => {
  assert.deepEqual(marketWarnings(barsAt(hours(50)), 50 * HOUR_MS), []);
  assert.deepEqual(marketWarnings(barsAt([0, ...hours(50).map((hour) => hour + 9)]), 50 * HOUR_MS), [], 'before them');
});

test('a short history, missing bars and bars off the grid are named', () => {
  assert.deepEqual(marketWarnings(barsAt(hours(20)), 50 * HOUR_MS), [
    'history: 20 bars are held, the rules and sizes need 50 to warm up and settle: signals may differ',
  ]);
  const holes = hours(50).filter((hour) => hour !== 20 && hour !== 30 && hour !== 31);
  assert.deepEqual(marketWarnings(barsAt(holes), 50 * HOUR_MS), [
    'bars: 3 bars are missing between 1970-01-01T00:00:00Z and 1970-01-03T01:00:00Z',
  ]);
  const shifted = hours(50).map((hour) => (hour === 40 ? 40.25 : hour));
  assert.deepEqual(marketWarnings(barsAt(shifted), 50 * HOUR_MS), [
    'bars: the bar of 1970-01-02T16:15:00Z opens between the bars of its interval',
  ]);
});
