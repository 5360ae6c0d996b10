import assert from 'node:assert/strict';
import test from 'node:test';
import type { BarSeries } from '../../engine/series/index.js';
import { BarsWithinReach } from '../../engine/simd/index.js';
import { returnPeriods, sumByPeriod } from '../../engine/statistics/index.js';
import { SweepKernel, WindowKernels } from '../../engine/sweep/index.js';
import { alone } from '../support/alone.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { crossSweep, definitionOf, filter, planOf, runIn, trigger } from '../support/sweeps.js';

const wide = (more: object = {}) =>
  crossSweep({
    search_mode: 'random',
    n_random: runs(40, 3_000),
    datasets: [{ asset: 'BTC', timeframe: '1h' }],
    entry_signals: {},
    exit_signals: {},
    execution_config: {
      base: { min_trade_amount: 10 },
      sweep_axes: [
        { param: 'stop_loss_calculation', values: ['dynamic_atr', 'fixed'] },
        { param: 'max_open_positions', values: [0, 1, 3, 100] },
        { param: 'enable_volatility_adjustment', values: [false, false, true] },
        { param: 'reward_factor', values: [1, 2.5] },
        { param: 'initial_balance', values: [1_000, 100_000] },
      ],
    },
    ...more,
  });

/** The returns of a run by period. */
function summed(daily: Float64Array): Float32Array {
  const periods = returnPeriods(daily.length);
  const sums = new Float32Array(periods.count);
  sumByPeriod(daily, periods, sums);
  return sums;
}

test('every run of a sweep has the metrics and returns of a single backtest, bit by bit, with a cache of any size', () => {
  for (const [round, cacheBytesMax] of [0, 200_000, 64_000_000].entries()) {
    const bars = randomBars({ seed: round, barCount: 9_000, flatChance: 0.1 });
    const first = 500 * round;
    const json = wide({ seed: round });
    const definition = definitionOf(json);
    const plan = planOf(json);
    const kernel = new SweepKernel(definition, bars, first, cacheBytesMax);
    const seen = { ok: 0, no_trades: 0, skipped: 0 };
    for (let i = 0; i < plan.totalRuns; i++) {
      const run = plan.run(i);
      const { status, metrics } = runIn(kernel, run);
      const expected = alone(run, definition, bars, first);
      assert.deepEqual(metrics, expected.metrics, `run ${i}, ${status}`);
      assert.equal(status === 'ok', expected.trades.length > 0);
      if (status === 'ok') assert.deepEqual(kernel.periodReturns(), summed(kernel.dailyReturns(run)), `run ${i}`);
      seen[status]++;
    }
    assert.ok(seen.ok > 10 && seen.skipped > 10, JSON.stringify(seen));
  }
});

test('the pre-filter skips nothing that its switch or its threshold forbids', () => {
  const never = {
    triggers: [trigger('sma_cross_up', {}, { params: { window_fast: 5, window_slow: 20 } })],
    filters: [filter('rsi_oversold', {}, { params: { window: 14, threshold: 1 } })],
  };
  const statuses = (pre_filter: object) => {
    const json = crossSweep({ datasets: [{ asset: 'BTC', timeframe: '1h' }], entry_signals: never, pre_filter });
    const kernel = new SweepKernel(definitionOf(json), randomBars({ seed: 1, barCount: 2_000 }), 0, 1_000_000);
    return [0, 1].map((i) => runIn(kernel, planOf(json).run(i)).status);
  };
  assert.deepEqual(statuses({}), ['skipped', 'skipped']);
  assert.deepEqual(statuses({ enabled: false }), ['no_trades', 'no_trades']);
  assert.deepEqual(statuses({ confidence_threshold: 1 }), ['no_trades', 'no_trades']);
});

test('an entry at the last bar, under an exit rule, or before its stop is known, is no reason to run', () => {
  const random = seededRandom(3);
  const bars = randomBars({ seed: 5, barCount: 400 });
  const json = crossSweep({
    datasets: [{ asset: 'BTC', timeframe: '1h' }],
    entry_signals: {
      triggers: [
        trigger('sma_cross_up', { window_fast: { values: [2, 3, 4] }, window_slow: { values: [5, 6, 7, 8] } }),
      ],
      filters: [filter('is_above_sma', { window: { values: [2, 50, 120] } })],
    },
    exit_signals: { triggers: [trigger('sma_cross_up', {}, { params: { window_fast: 2, window_slow: 5 } })] },
    execution_config: {
      sweep_axes: [
        { param: 'stop_loss_calculation', values: ['dynamic_atr', 'fixed'] },
        { param: 'atr_period', values: [2, 14] },
      ],
    },
  });
  const definition = definitionOf(json);
  const plan = planOf(json);
  let skipped = 0;
  for (let cut = 0; cut < runs(15, 40); cut++) {
    const first = Math.floor(random() * bars.barCount);
    const kernel = new SweepKernel(definition, bars, first, 1_000_000);
    for (let i = 0; i < plan.totalRuns; i++) {
      const run = plan.run(i);
      const { status, metrics } = runIn(kernel, run);
      if (status !== 'skipped') continue;
      skipped++;
      const expected = alone(run, definition, bars, first);
      assert.equal(expected.trades.length, 0);
      assert.deepEqual(metrics, expected.metrics);
    }
  }
  assert.ok(skipped > 50, `${skipped} runs were skipped`);
});

test('entries without a known stop are skipped where the stop needs the ATR, and run where it does not', () => {
  const statusesOf = (stop_loss_calculation: string) => {
    const json = crossSweep({
      datasets: [{ asset: 'BTC', timeframe: '1h' }],
      entry_signals: {
        triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: [6] } })],
        filters: [filter('is_above_sma', {}, { params: { window: 2 } })],
      },
      execution_config: { base: { stop_loss_calculation } },
    });
    const kernel = new SweepKernel(definitionOf(json), randomBars({ seed: 5, barCount: 200 }), 0, 1_000_000);
    const plan = planOf(json);
    return Array.from({ length: plan.totalRuns }, (_, i) => runIn(kernel, plan.run(i)).status);
  };
  // The daily ATR needs 14 days, and these are 8.
  assert.deepEqual(new Set(statusesOf('dynamic_atr')), new Set(['skipped']));
  assert.deepEqual(new Set(statusesOf('fixed')), new Set(['ok']));
});

test('one memory serves the kernels of several series of different lengths', () => {
  const series = [20_000, 19_500, 9_000, 20_000].map((barCount, seed) => randomBars({ seed, barCount }));
  const json = wide({ seed: 1, n_random: 20 });
  const plan = planOf(json);
  const reach = new BarsWithinReach();
  /** @returns bytes of the memory afterwards */
  const useAll = (shared: BarSeries): number => {
    const bars = reach.hold(shared); // as a thread does when it turns to the series
    assert.deepEqual(bars, shared);
    const windows = new WindowKernels(definitionOf(json), bars, 64_000_000);
    const window = { start_date: '2024-01-01', end_date: '2024-12-31', from: 500, to: bars.barCount - 1_000 };
    for (const kernel of [new SweepKernel(definitionOf(json), bars, 0, 64_000_000), windows.over(window)]) {
      for (let i = 0; i < plan.totalRuns; i++) runIn(kernel, plan.run(i));
      kernel.release();
    }
    windows.release();
    reach.leave();
    return reach.bytes;
  };
  const taken = useAll(series[0]!);
  for (let again = 0; again < runs(2, 4); again++) series.map(useAll);
  assert.equal(useAll(series[0]!), taken, 'the first series is the longest: those after it fit in its room');
});
