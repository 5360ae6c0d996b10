// Asks: how many configurations a second does the kernel of a sweep run, with all-in settings, next
// to a plain loop that walks every bar of every configuration and keeps only return and trades, and
// next to the same loop in C?
import assert from 'node:assert/strict';
import { sma } from '../engine/indicators/rolling.js';
import { metricNames } from '../engine/metrics/index.js';
import type { BarSeries } from '../engine/series/index.js';
import { SweepKernel } from '../engine/sweep/index.js';
import { medianMs, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { planOver } from './sweep-plans.js';

/**
 * Nanoseconds per bar and configuration of the C loop where the peers were measured, over the
 * yardstick there (1.6 ns).
 */
const C_YARDSTICKS = { 10000: 1e9 / 72_000 / 10_000 / 1.6, 100000: 1e9 / 5_900 / 100_000 / 1.6 } as const;
const CACHE_BYTES_MAX = 256 * 1024 * 1024;

/** No costs, no caps, no stops within reach: every entry takes all cash, every exit is a cross. */
const allIn = {
  fee_pct: 0,
  slippage_pct: 0,
  max_risk_per_trade: 1,
  stop_loss_calculation: 'fixed',
  fixed_stop_pct: 0.99,
  reward_factor: 1_000_000,
  min_balance_threshold: 0,
  min_trade_amount: 0,
  max_open_positions: 1,
  max_trades_per_day: 1_000,
  cooldown_config: { '1h': { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 } },
  exit_on_loss_after_bars: null,
  exit_on_profit_after_bars: null,
  max_hold_time_hours: 0,
};

const [TRADES, START, END] = (['total_trades', 'starting_balance', 'ending_balance'] as const).map((name) =>
  metricNames.indexOf(name),
) as [number, number, number];

/** A sweep needs a filter; the kernel and the plain loop both have it. */
const FILTER_WINDOW = 5;

const windows = (from: number, count: number, step: number) => Array.from({ length: count }, (_, k) => from + k * step);

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const barCount of isSmoke ? [2_000] : [10_000, 100_000]) {
    const bars = seededBars(barCount);
    const [fast, slow] = isSmoke ? [windows(5, 2, 5), windows(20, 2, 5)] : [windows(4, 25, 1), windows(30, 40, 3)];
    const rounds = isSmoke ? 1 : 5;
    const kernel = sweepOf(bars, fast, slow);
    const ours = kernel();
    const loop = plainLoop(bars, fast, slow);
    assert.equal(ours.length, loop.length);
    for (const [i, [trades, growth]] of loop.entries()) {
      assert.equal(ours[i]![0], trades, `trades of configuration ${i}`);
      assert.ok(Math.abs(ours[i]![1] - growth) < 1e-9 * Math.max(1, growth), `return of configuration ${i}`);
    }
    const kernelMs = medianMs(rounds, () => void kernel()) / ours.length;
    const loopMs = medianMs(rounds, () => void plainLoop(bars, fast, slow)) / ours.length;
    const unit = yardstickMs(barCount);
    const c = C_YARDSTICKS[barCount as keyof typeof C_YARDSTICKS];
    for (const [name, ms] of [
      ['kernel, all-in', kernelMs],
      ['plain loop', loopMs],
    ] as const) {
      const ratio = name === 'plain loop' ? '' : `   ${(loopMs / ms).toFixed(2)}x plain loop`;
      const inC = c === undefined ? '' : `   C ${c.toFixed(2)}`;
      console.log(
        `${name.padEnd(16)} ${String(barCount).padStart(7)} bars ${(1_000 / ms).toFixed(0).padStart(8)} configurations/s ${(ms / unit).toFixed(2).padStart(7)} yardsticks${inC}${ratio}`,
      );
      timings.push({
        name,
        bars: barCount,
        p50Ms: ms,
        nsPerBar: (ms * 1e6) / barCount,
        yardsticks: ms / unit,
        ...(ratio === '' ? {} : { ratio: loopMs / ms }),
      });
    }
  }
  return timings;
}

type Result = readonly [trades: number, growth: number];

/** Runs the whole grid with nothing cached; returns trades and growth of each configuration. */
function sweepOf(bars: BarSeries, fast: readonly number[], slow: readonly number[]): () => Result[] {
  const cross = (name: string) => ({
    name,
    signal_type: 'TRIGGER',
    params_sweep: { window_fast: { values: fast }, window_slow: { values: slow } },
  });
  const above = { name: 'is_above_sma', signal_type: 'FILTER', params: { window: FILTER_WINDOW } };
  const json = {
    name: 'bench',
    datasets: [{}],
    entry_signals: { triggers: [cross('sma_cross_up')], filters: [above] },
    exit_signals: { triggers: [cross('sma_cross_down')] },
    execution_config: { base: allIn },
  };
  const { definition, plan } = planOver(json, bars);
  const values = new Float64Array(metricNames.length);
  const side = Math.round(Math.sqrt(plan.totalRuns)); // entry and exit choices are the same crosses
  return () => {
    const kernel = new SweepKernel(definition, bars, 0, CACHE_BYTES_MAX);
    return Array.from({ length: side }, (_, k): Result => {
      kernel.run(plan.run(k * side + k), values); // enters and leaves by the same pair of windows
      return [values[TRADES]!, values[END]! / values[START]!];
    });
  };
}

/**
 * Every bar of every configuration: a cross at a close fills at the next open; the last close sells
 * an open position.
 */
function plainLoop({ open, close, barCount }: BarSeries, fast: readonly number[], slow: readonly number[]): Result[] {
  const averages = new Map<number, Float64Array>();
  for (const window of new Set([...fast, ...slow, FILTER_WINDOW])) {
    const out = new Float64Array(barCount);
    sma(close, window, out);
    averages.set(window, out);
  }
  return fast.flatMap((f) =>
    slow.map((s): Result => {
      const a = averages.get(f)!;
      const b = averages.get(s)!;
      const floor = averages.get(FILTER_WINDOW)!;
      let cash = 1;
      let units = 0;
      let trades = 0;
      for (let t = 2; t < barCount; t++) {
        if (units === 0) {
          if (a[t - 1]! > b[t - 1]! && a[t - 2]! <= b[t - 2]! && close[t - 1]! > floor[t - 1]!) {
            units = cash / open[t]!;
            cash = 0;
          }
        } else if (a[t - 1]! < b[t - 1]! && a[t - 2]! >= b[t - 2]!) {
          cash = units * open[t]!;
          units = 0;
          trades++;
        }
      }
      if (units > 0) {
        cash = units * close[barCount - 1]!;
        trades++;
      }
      return [trades, cash];
    }),
  );
}
