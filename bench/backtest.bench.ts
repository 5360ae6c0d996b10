// Asks: what does one whole backtest cost (rules, execution, metrics; trades kept), and what does the jump save against step()?
import assert from 'node:assert/strict';
import {
  type BarSeries,
  computeMetrics,
  evaluateRules,
  HOUR_MS,
  parseStrategy,
  planStrategy,
  resolveConfig,
  type Simulation,
  simulate,
  simulateByStep,
  sliceBars,
} from '../engine/index.js';
import { consume, type Sizes, seededBars, type Timing, time } from './measure.js';

/** The averages of the usual comparison, with the costs and caps of the published defaults. */
const strategy = parseStrategy(
  {
    name: 'SMA 20/50 cross',
    entry: [
      { name: 'sma_cross_up', signal_type: 'TRIGGER', timeframe: null, params: { window_fast: 20, window_slow: 50 } },
    ],
    exit: [
      { name: 'sma_cross_down', signal_type: 'TRIGGER', timeframe: null, params: { window_fast: 20, window_slow: 50 } },
    ],
  },
  'relaxed',
);
const plan = planStrategy(strategy, HOUR_MS);
const { config } = resolveConfig({
  request: { fee_pct: 0.001, slippage_pct: 0.0005, max_trades_per_day: 50 },
  interval: HOUR_MS,
});

function backtest(held: BarSeries, run: typeof simulate): Simulation {
  const bars = sliceBars(held, 0, held.barCount); // a new series object: nothing is cached from the last round
  const simulation = run({ bars, first: 0, ...evaluateRules(plan, bars), config });
  consume(computeMetrics({ ...simulation, bars, first: 0, config }).sharpe_ratio ?? 0);
  return simulation;
}

export async function run(sizes: Sizes): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const barCount of sizes.isSmoke ? [2_000] : [10_000, 100_000, 1_000_000]) {
    const bars = seededBars(barCount);
    const fast = backtest(bars, simulate);
    assert.deepEqual(fast, backtest(bars, simulateByStep), 'the jump and the step must agree in every bit');
    const cases = [
      ['backtest', () => void backtest(bars, simulate)],
      ['backtest by step', () => void backtest(bars, simulateByStep)],
    ] as const;
    for (const timing of await time(barCount, cases, sizes)) {
      timings.push(timing);
      const { name, bars, p50Ms, yardsticks } = timing;
      const trades = name === 'yardstick' ? '' : `   ${fast.trades.length} trades`;
      console.log(
        `${name.padEnd(18)} ${String(bars).padStart(8)} bars ${p50Ms.toFixed(3).padStart(9)} ms ${yardsticks.toFixed(2).padStart(6)} yardsticks${trades}`,
      );
    }
  }
  return timings;
}
