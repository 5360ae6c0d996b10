import type { ParamValues } from '../indicators/params.js';
import { DAY_MS } from '../series/intervals.js';
import type { Signal } from '../signals/signal.js';
import { type PlannedRule, plannedRules, type StrategyPlan } from './plan.js';

// Recursive averages keep e^-8 of their seed after four windows of an EMA.
const SETTLING_FACTOR = 4;
const SETTLING_BARS = 300;

/**
 * History that the rules need before the first tradable bar, in ms of wall-clock time: warm-up, and
 * time for recursions to settle.
 */
export function historyMs(plan: StrategyPlan): number {
  let longest = 0;
  for (const { rule } of plannedRules(plan)) longest = Math.max(longest, ruleHistoryMs(rule));
  return longest;
}

type ReadRule = Pick<PlannedRule, 'signal' | 'params' | 'timeframeMs' | 'withinBars'>;

/** The same for one rule. */
export const ruleHistoryMs = ({ signal, params, timeframeMs, withinBars = 1 }: ReadRule): number =>
  signalHistoryMs(signal, params, timeframeMs) + (withinBars - 1) * timeframeMs;

/** History for one signal on bars of `intervalMs`. */
export function signalHistoryMs(signal: Signal, params: ParamValues, intervalMs: number): number {
  const bars = Math.max(SETTLING_BARS, (SETTLING_FACTOR + 1) * signal.minBars(params));
  return Math.max((bars + 1) * intervalMs, signal.historyMs?.(params) ?? 0);
}

/** Settings that read bars before the window. */
interface ReadSettings {
  readonly volatility_window: number;
  readonly atr_period: number;
}

/** Periods, in days, after which Wilder's smoothing has forgotten its seed: e^-10 of it is left. */
const ATR_SETTLING_PERIODS = 10;

/** History that the settings of a run need: of the volatility window and of the daily ATR. */
export const settingsHistoryMs = ({ volatility_window, atr_period }: ReadSettings, intervalMs: number): number =>
  Math.max(
    (volatility_window + 1) * intervalMs,
    (ATR_SETTLING_PERIODS * atr_period + 1) * Math.max(DAY_MS, intervalMs),
  );

/** History that a run needs: of its rules and of its settings. */
export const neededHistoryMs = (plan: StrategyPlan, config: ReadSettings): number =>
  Math.max(historyMs(plan), settingsHistoryMs(config, plan.intervalMs));
