import assert from 'node:assert/strict';
import test from 'node:test';
import { simulate, type Trade } from '../../../../engine/execution/index.js';
import { returnOf, returnPerUnit } from '../../../../engine/formulas/curve-sums.js';
import { computeMetrics, marketReturns, metricNames, writeMetrics } from '../../../../engine/metrics/index.js';
import { ColumnMemory } from '../../../../engine/series/column-memory.js';
import { ColumnPool } from '../../../../engine/series/column-pool.js';
import { allocateBars, type BarSeries, HOUR_MS, maskWithBars } from '../../../../engine/series/index.js';
import { barsOf, configOf, type PriceRow } from '../../../support/execution.js';
import { randomBars, seededRandom } from '../../../support/random.js';

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

test('a long run has the same metrics by name or by number, anywhere in memory', () => {
  for (const seed of [1, 2, 3]) {
    const shared = randomBars({ seed, barCount: 9_000 });
    const plain = { ...shared, close: Float64Array.from(shared.close) }; // no kernel reaches it
    const random = seededRandom(seed);
    const wishes = Array.from({ length: 9_000 }, (_, bar) => bar).filter(() => random() < 0.01);
    const first = 300 * (seed - 1);
    const run = (bars: BarSeries, equity?: Float64Array) => {
      const entry = maskWithBars(9_000, wishes);
      const input = {
        bars,
        first,
        entry,
        exit: maskWithBars(9_000, []),
        config: configOf({ max_open_positions: seed }),
      };
      const simulation = simulate(equity === undefined ? input : { ...input, equity });
      return { ...simulation, bars, first, config: input.config };
    };
    const alone = run(plain);
    const expected = computeMetrics(alone);
    assert.ok(expected.total_trades > 20);
    const kept = run(shared);
    assert.deepEqual(kept.equity, alone.equity);
    assert.deepEqual(computeMetrics(kept), expected);
    run(shared);
    assert.deepEqual(kept.equity, alone.equity, 'a later run writes elsewhere');
    const room = ColumnPool.beside(shared.close)
      .take(9_000 - first)
      .fill(NaN); // only the moved ranges may be read
    const lent = run(shared, room);
    assert.deepEqual(computeMetrics(lent), expected);
    const values = new Float64Array(metricNames.length);
    writeMetrics(lent, values);
    assert.deepEqual(
      metricNames.map((name, m) => [name, Number.isNaN(values[m]) ? null : values[m]]),
      metricNames.map((name) => [name, expected[name]]),
    );
  }
  const values = new Float64Array(metricNames.length).fill(7);
  const bars = allocateBars(0, HOUR_MS);
  const nothing = { equity: new Float64Array(0), trades: [], exposedBars: 0 };
  writeMetrics({ ...nothing, bars, first: 0, config: configOf({}) }, values);
  assert.ok(values.every((value) => value === 0));
});

test('an account that is worth nothing beside its position has no return, as one without value has none', () => {
  assert.deepEqual([returnPerUnit(-1, 100, 100, 99), returnOf(10, 0)], [0, 0]);
  assert.deepEqual([returnPerUnit(1, 100, 100, 101), returnPerUnit(-1, 200, 100, 101)], [1 / 200, -1 / 100]);
});
