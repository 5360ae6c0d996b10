import assert from 'node:assert/strict';
import test from 'node:test';
import { simulate } from '../../engine/execution/index.js';
import {
  computeExtendedMetrics,
  computeMetrics,
  type MetricsInput,
  rollingSharpe,
  sharpeWindow,
  tradeExcursions,
} from '../../engine/metrics/index.js';
import { type BarSeries, barsPerYear, DAY_MS, HOUR_MS, MINUTE_MS } from '../../engine/series/index.js';
import { type RefMetricBar, refExcursions, refExtendedMetrics, refRollingSharpe } from '../reference/metrics.js';
import { configOf, inputOf } from '../support/execution.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** The extended metrics against the same formulas, written separately in the plainest way. */

function assertClose(actual: unknown, expected: unknown, label: string): void {
  if (typeof actual === 'number' && typeof expected === 'number') {
    const tolerance = 1e-9 * Math.max(1, Math.abs(expected));
    assert.ok(Math.abs(actual - expected) <= tolerance, `${label}: ${actual} is not ${expected}`);
  } else if (typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null) {
    assert.deepEqual(Object.keys(actual), Object.keys(expected), label);
    for (const [key, value] of Object.entries(expected)) {
      assertClose((actual as Record<string, unknown>)[key], value, `${label} ${key}`);
    }
  } else {
    assert.equal(actual, expected, label);
  }
}

const plainBars = (bars: BarSeries): RefMetricBar[] =>
  Array.from(bars.time, (t, i) => ({ t, o: bars.open[i], h: bars.high[i], l: bars.low[i], c: bars.close[i] }));

function compare(input: MetricsInput, label: string): void {
  const { bars, first, equity, trades, exposedBars, config } = input;
  const actual = computeExtendedMetrics(input);
  const expected = refExtendedMetrics({
    intervalMs: bars.intervalMs,
    bars: plainBars(bars),
    first,
    equity: Array.from(equity),
    initial: config.initial_balance,
    trades: [...trades],
    exposedBars,
  });
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), label);
  assertClose(actual, { ...actual, ...expected }, label);
  assert.deepEqual(JSON.parse(JSON.stringify(actual)), actual, `${label}: JSON`);
}

/**
 * A run with stops, targets, rules, time limits and an open end, all of which a few hundred bars
 * reach.
 */
function randomRun(seed: number): MetricsInput {
  const random = seededRandom(seed);
  const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)];
  const bars = randomBars({
    seed,
    barCount: 1 + Math.floor(random() * 500),
    intervalMs: pick(5 * MINUTE_MS, HOUR_MS, DAY_MS),
    gapChance: pick(0, 0.1),
    volatility: pick(0.005, 0.03),
    tick: pick(0.01, 1),
  });
  const all = Array.from({ length: bars.barCount }, (_, i) => i);
  const density = pick(0, 0.02, 0.2);
  const settings = {
    slippage_pct: pick(0, 0.001, 0.02),
    fee_pct: pick(0, 0.002),
    fixed_stop_pct: pick(0.005, 0.03, 0.2),
    reward_factor: pick(0.5, 2),
    max_risk_per_trade: pick(0.01, 0.5),
    max_open_positions: pick(1, 5),
    max_hold_bars: pick(null, 0, 6),
    exit_on_loss_after_bars: pick(null, 4),
    exit_on_profit_after_bars: pick(null, 4),
    profit_threshold_pct: pick(0, 0.01),
  };
  const first = Math.min(pick(0, 1, 30), bars.barCount - 1);
  const entries = all.filter(() => random() < density);
  const exits = all.filter(() => random() < pick(0, 0.05));
  const input = inputOf(bars, entries, exits, settings, first);
  return { ...input, ...simulate(input) };
}

test('the metrics of simulated runs equal the plain formulas', () => {
  const reasons = new Set<string>();
  for (let seed = 0; seed < runs(50, 3_000); seed++) {
    const run = randomRun(seed);
    for (const { exitReason } of run.trades) reasons.add(exitReason);
    compare(run, `run ${seed}`);
  }
  assert.equal(reasons.size, 7, 'every exit reason took part');
});

test('the metrics of random equity curves equal the plain formulas', () => {
  for (let seed = 0; seed < runs(25, 1_500); seed++) {
    const random = seededRandom(seed);
    const bars = randomBars({
      seed,
      barCount: 1 + Math.floor(random() * 400),
      gapChance: 0.1,
      intervalMs: 4 * HOUR_MS,
    });
    const equity = new Float64Array(bars.barCount);
    const activity = random();
    let value = 10_000;
    for (let k = 0; k < equity.length; k++) {
      if (random() < activity) value *= 0.9 + 0.2 * random();
      if (random() < 0.002) value *= 0.001; // all but bankrupt
      equity[k] = value;
    }
    compare({ bars, first: 0, equity, trades: [], exposedBars: 0, config: configOf({}) }, `curve ${seed}`);
  }
});

test('excursions equal the extreme prices that each trade saw, and bound its result', () => {
  for (let seed = 0; seed < runs(50, 3_000); seed++) {
    const { bars, trades, config } = randomRun(seed);
    const actual = tradeExcursions(bars, trades);
    const { mae, mfe, maeFullBars, mfeFullBars } = actual;
    const expected = refExcursions(plainBars(bars), [...trades]);
    for (const [name, values] of Object.entries(actual)) {
      assertClose(Array.from(values as Float64Array), expected[name], `${name} of run ${seed}`);
    }
    assert.ok(mae.every((value, t) => value <= maeFullBars[t]) && mfe.every((value, t) => value <= mfeFullBars[t]));
    trades.forEach(({ entryPrice, exitPrice }, t) => {
      // Before the slippage of the exit.
      const result = exitPrice / (1 - config.slippage_pct) / entryPrice - 1;
      assert.ok(result >= -mae[t] - 1e-12 && result <= mfe[t] + 1e-12, `trade ${t} of run ${seed}`);
    });
  }
});

test('the rolling Sharpe ratio equals that of every window taken alone', () => {
  for (let seed = 0; seed < runs(20, 800); seed++) {
    const random = seededRandom(seed);
    const { equity } = randomRun(seed);
    const window = 2 + Math.floor(random() * Math.min(60, equity.length));
    const actual = Array.from(rollingSharpe(equity, 10_000, window, 8_760));
    assertClose(actual, refRollingSharpe(Array.from(equity), 10_000, window, 8_760), `run ${seed}, window ${window}`);
  }
});

test('metrics in both tables agree', () => {
  for (let seed = 0; seed < runs(25, 1_500); seed++) {
    const run = randomRun(seed);
    const { equity, config, bars } = run;
    const basic = computeMetrics(run);
    const extended = computeExtendedMetrics(run);
    assert.equal(extended.buy_and_hold_return, basic.benchmark_asset_return);
    assert.equal(extended.time_in_market, basic.exposure);
    assert.equal(extended.fees_paid, basic.total_fees);
    assert.equal(extended.slippage_paid, basic.total_slippage_cost);
    if (equity.length > 1) {
      const [whole] = rollingSharpe(equity, config.initial_balance, equity.length, barsPerYear(bars.intervalMs));
      assertClose(whole, basic.sharpe_ratio, `sharpe of run ${seed}`);
    }
    if (extended.payoff_ratio !== null) {
      assertClose(extended.payoff_ratio, basic.avg_win / -basic.avg_loss, `payoff of run ${seed}`);
    }
  }
});

test('ranges hold, and the inputs stay unchanged', () => {
  for (let seed = 0; seed < runs(25, 1_500); seed++) {
    const run = randomRun(seed);
    const before = structuredClone({ equity: run.equity, trades: run.trades, close: Array.from(run.bars.close) });
    const values = computeExtendedMetrics(run);
    assert.deepEqual({ equity: run.equity, trades: run.trades, close: Array.from(run.bars.close) }, before);
    const shortfall = values.conditional_value_at_risk_95 as number;
    assert.ok(shortfall >= (values.value_at_risk_95 as number), `shortfall of run ${seed}`);
    const ulcer = values.ulcer_index as number;
    assert.ok(ulcer >= 0 && ulcer <= computeMetrics(run).max_drawdown + 1e-12, `ulcer of run ${seed}`);
    const exits = Object.values(values.exits_by_reason).reduce((sum, { count }) => sum + count, 0);
    assert.equal(exits, run.trades.length);
    assert.ok(sharpeWindow(run.equity.length, run.bars.intervalMs) >= 2);
  }
});
