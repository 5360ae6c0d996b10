import assert from 'node:assert/strict';
import test from 'node:test';
import type { Trade } from '../../../../engine/execution/index.js';
import { computeMetrics, marketReturns, metricNames, writeMetrics } from '../../../../engine/metrics/index.js';
import { ColumnMemory } from '../../../../engine/series/column-memory.js';
import { allocateBars, HOUR_MS } from '../../../../engine/series/index.js';
import { barsOf, configOf, type PriceRow } from '../../../support/execution.js';
import { randomBars } from '../../../support/random.js';

const flatRow: PriceRow = [1, 1, 1, 1];

interface Run {
  readonly equity: readonly number[];
  readonly trades?: readonly Partial<Trade>[];
  /** Hours of the open times; consecutive when left out. */
  readonly hours?: readonly number[];
  readonly exposedBars?: number;
}

function measure({ equity, trades = [], hours, exposedBars = 0 }: Run) {
  const bars = barsOf(equity.map(() => flatRow));
  hours?.forEach((hour, i) => {
    bars.time[i] = Date.UTC(2024, 0, 1) + hour * HOUR_MS;
  });
  const run = {
    bars,
    first: 0,
    equity: Float64Array.from(equity),
    trades: trades as Trade[],
    exposedBars,
    config: configOf({}),
  };
  const metrics = computeMetrics(run);
  const values = new Float64Array(metricNames.length).fill(7);
  writeMetrics(run, values);
  assert.deepEqual(
    metricNames.map((name) => metrics[name] ?? NaN),
    [...values],
  );
  return metrics;
}

test('growth is bounded where compounding explodes or nothing is left', () => {
  assert.equal(measure({ equity: [1e9] }).irr_annualized, 1_000_000);
  const lost = measure({ equity: [5_000, 0, 0] });
  assert.equal(lost.irr_annualized, -1);
  assert.equal(lost.irr_daily, -1);
  assert.equal(lost.calmar_ratio, -1);
  for (const [name, value] of Object.entries(lost)) assert.ok(Number.isFinite(value), name);
  assert.ok(Number.isFinite(measure({ equity: [0, 100, 200] }).sharpe_ratio));
});

test('holding the asset returns by UTC day, the first day from the open of the first tradable bar', () => {
  const bars = allocateBars(6, 12 * HOUR_MS); // from noon, so that the days have 1, 2, 2 and 1 bars
  for (let t = 0; t < bars.barCount; t++) bars.time[t] = 12 * HOUR_MS + t * 12 * HOUR_MS;
  bars.open.set([10, 20, 30, 40, 50, 60]);
  bars.close.set([11, 22, 33, 44, 55, 66]);
  assert.deepEqual([...marketReturns(bars, 0)], [11 / 10 - 1, 33 / 11 - 1, 55 / 33 - 1, 66 / 55 - 1]);
  assert.deepEqual([...marketReturns(bars, 2)], [33 / 30 - 1, 55 / 33 - 1, 66 / 55 - 1], 'the first day is shorter');
});

test('a series that fills its memory is measured all the same', () => {
  const bars = randomBars({ seed: 4, barCount: 9_000 });
  const equity = Float64Array.from(bars.close);
  const run = { bars, first: 0, equity, trades: [], exposedBars: 0, config: configOf({}) };
  const expected = computeMetrics({ ...run, bars: { ...bars, close: Float64Array.from(bars.close) } });
  const { memory } = ColumnMemory.of(bars.close)!;
  // Address space only: no page of it is touched.
  memory.grow(65_536 - memory.buffer.byteLength / 65_536);
  assert.deepEqual(computeMetrics(run), expected);
});
