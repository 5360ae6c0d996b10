import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import {
  type ExecutionConfig,
  resolveConfig,
  type Simulation,
  type SimulationInput,
  simulate,
  simulateByStep,
} from '../../engine/execution/index.js';
import { allocateBars, type BarSeries, HOUR_MS, maskWithBars } from '../../engine/series/index.js';
import { goldenPath } from './tree.js';

/** `[open, high, low, close]`. */
export type PriceRow = readonly [number, number, number, number];

export function barsOf(rows: readonly PriceRow[], intervalMs = HOUR_MS, startMs = Date.UTC(2024, 0, 1)): BarSeries {
  const bars = allocateBars(rows.length, intervalMs);
  rows.forEach(([open, high, low, close], i) => {
    bars.time[i] = startMs + i * intervalMs;
    bars.open[i] = open;
    bars.high[i] = high;
    bars.low[i] = low;
    bars.close[i] = close;
    bars.volume[i] = 1;
  });
  return bars;
}

/** Cooldown off on the usual test interval. */
export const noCooldown = {
  cooldown_config: { '1h': { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 } },
};

/**
 * No costs, a stop 10 % away and a target 20 % away, all gates wide open: tests name what they
 * change.
 */
export const plainSettings = {
  ...noCooldown,
  slippage_pct: 0,
  fee_pct: 0,
  stop_loss_calculation: 'fixed',
  fixed_stop_pct: 0.1,
  min_balance_threshold: 0,
  max_hold_bars: null,
  exit_on_loss_after_bars: null,
  exit_on_profit_after_bars: null,
};

export const configOf = (
  settings: Record<string, unknown>,
  interval = HOUR_MS,
  takes: { readonly takesPositionFields?: boolean } = {},
): ExecutionConfig => resolveConfig({ request: settings, interval, ...takes }).config;

/** Input from lists of bars at whose close the rules are true. */
export function inputOf(
  bars: BarSeries,
  entries: Iterable<number>,
  exits: Iterable<number>,
  settings: Record<string, unknown>,
  first = 0,
): SimulationInput {
  const config = configOf(settings, bars.intervalMs);
  return { bars, first, entry: maskWithBars(bars.barCount, entries), exit: maskWithBars(bars.barCount, exits), config };
}

/** Runs both simulations, checks that they agree to the last bit, and returns the result. */
export function runBoth(input: SimulationInput): Simulation {
  const jumped = simulate(input);
  const stepped = simulateByStep(input);
  // deepStrictEqual compares numbers with Object.is
  assert.deepStrictEqual(jumped.trades, stepped.trades);
  assert.deepStrictEqual(jumped.denials, stepped.denials);
  assert.deepStrictEqual(jumped.equity, stepped.equity);
  assert.deepStrictEqual(jumped.movedRanges, stepped.movedRanges);
  assert.equal(jumped.exposedBars, stepped.exposedBars);
  assert.deepStrictEqual(jumped.sided, stepped.sided);
  return jumped;
}

/** Equal to 1e-9 relative, and to half a digit where ten decimals are printed. */
export function assertClose(actual: number, expected: number, label: string): void {
  const tolerance = Math.max(1e-9 * Math.abs(expected), 5.1e-11);
  assert.ok(Math.abs(actual - expected) <= tolerance, `${label}: ${actual} is not ${expected}`);
}

const workedExamples = JSON.parse(readFileSync(goldenPath('execution/worked-examples.json'), 'utf8'));

export const readGolden = (name: string) => workedExamples[name];

/** A run of both sides in the form of `barline simulate`, and what it must answer. */
export interface SidesCase {
  readonly id: string;
  readonly title?: string;
  readonly interval: string;
  readonly first?: number;
  readonly bars: readonly (readonly number[])[];
  readonly masks: Readonly<Record<string, readonly number[] | null>>;
  readonly columns?: { readonly FundingSettled: readonly number[] };
  readonly detail?: { readonly interval: string; readonly bars: readonly (readonly number[])[] };
  readonly config: Readonly<Record<string, unknown>>;
  readonly expected: {
    /** Values in the order of `trade_keys`. */
    readonly trades: readonly (readonly unknown[])[];
    readonly denied_entries: readonly (readonly [number, string])[];
    readonly equity: readonly number[];
    readonly metrics: Readonly<Record<string, unknown>>;
    readonly order_expired?: number;
    readonly detail?: Readonly<Record<string, unknown>>;
  };
}

/**
 * 211 runs of both sides: random ones, and written ones for ties, gaps and orders of events. They
 * are packed, as their random prices take 2.6 MB.
 */
export function readSidesCases(): { readonly trade_keys: readonly string[]; readonly cases: readonly SidesCase[] } {
  const packed = readFileSync(goldenPath('execution/sides.json.br'));
  return JSON.parse(brotliDecompressSync(packed).toString());
}
