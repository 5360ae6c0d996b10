import type { ExecutionConfig } from '../execution/index.js';
import { type ParamSpec, type ParamValue, paramsFor } from '../indicators/index.js';
import type { BarSeries } from '../series/index.js';
import type { PlannedRule } from '../strategy/index.js';

/** A strategy with its settings, before a run. */
interface SieveInput {
  /** Not empty: a strategy without an entry does not trade. */
  readonly entry: readonly PlannedRule[];
  readonly exit: readonly PlannedRule[];
  readonly config: ExecutionConfig;
  readonly intervalMs: number;
  /** Tradable bars of the run. */
  readonly windowBars: number;
  /** Null where too few bars before the window are known. */
  readonly market: MarketBefore | null;
}

/**
 * Fractions of the bounds of a parameter. Finer at both ends: most windows lie near the lower
 * bound, and a threshold near either bound is rarely crossed.
 */
const PARAM_EDGES = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4, 7 / 8, 15 / 16];
const COST_EDGES = [0.0005, 0.0015, 0.0027, 0.0055, 0.0125, 0.0205];
const FACTOR_EDGES = [0.75, 1.25, 1.75, 2.5, 4];
const STOP_EDGES = [0.005, 0.015, 0.03, 0.06, 0.12];
const RISK_EDGES = [0.003, 0.0075, 0.015, 0.03, 0.06];
const HOLD_EDGES = [3, 12, 48, 200, 999];
const POSITION_EDGES = [1.5, 4.5];
const RATIO_EDGES = [2, 5, 13, 49];
const RANGE_EDGES = [0.001, 0.002, 0.004, 0.008, 0.016, 0.032];
const TREND_EDGES = [-1.5, -0.75, -0.25, 0.25, 0.75, 1.5];
/** Costs of a round trip over the distance of the target. */
const BURDEN_EDGES = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** The number of edges at or below a value. */
function findBin(value: number, edges: readonly number[]): number {
  let bin = 0;
  while (bin < edges.length && value >= edges[bin]) bin++;
  return bin;
}

/** Doublings of 64 bars that are told apart. */
const WINDOW_BINS = 10;

/** Windows fall into one bin for each doubling. */
function windowBin(bars: number): number {
  let bin = 0;
  for (let edge = 128; edge <= bars && bin < WINDOW_BINS; edge *= 2) bin++;
  return bin;
}

/** What a rule is for: entry or exit, trigger or filter. */
type Slot = 'ET' | 'EF' | 'XT' | 'XF';

const ruleSlot = (side: 'E' | 'X', { role }: PlannedRule): Slot => `${side}${role === 'TRIGGER' ? 'T' : 'F'}`;

/**
 * The features of one rule, each a text. They follow from the definition alone, so a sweep may keep
 * them for all runs that share the rule.
 */
export function ruleFeatures(side: 'entry' | 'exit', rule: PlannedRule, intervalMs: number): string[] {
  const slot = ruleSlot(side === 'entry' ? 'E' : 'X', rule);
  const { signal, params, timeframeMs } = rule;
  const { name, category, family, bias, indicators } = signal;
  const ratio = findBin(timeframeMs / intervalMs, RATIO_EDGES);
  const features = [`${slot} ${name}`, `${slot} ${category}`, `${slot} ${family} ${bias}`, `${slot} coarse ${ratio}`];
  for (const indicator of indicators) features.push(`${slot} ${indicator}`);
  for (const [param, spec] of Object.entries(paramsFor(signal, params))) {
    const value = valueFeature(spec, params[param]);
    if (value !== null) features.push(`${slot} ${name} ${param} ${value}`);
  }
  return features;
}

/** Null for what no training could have seen, such as the text of a formula. */
function valueFeature(spec: ParamSpec, value: ParamValue): string | null {
  switch (spec.type) {
    case 'int':
    case 'float':
      return String(findBin((Number(value) - spec.min) / (spec.max - spec.min), PARAM_EDGES));
    case 'bool':
      return String(value);
    case 'str':
      return spec.enum === undefined ? null : String(value).toLowerCase();
    case 'list[int]':
      return String((value as readonly number[]).length);
    case 'formula':
      return null;
  }
}

/** The features of the settings, the window and the market, and of rules that meet. */
export function setupFeatures(input: SieveInput): string[] {
  const { entry, exit, config, intervalMs, windowBars, market } = input;
  const minutes = intervalMs / 60_000;
  const window = windowBin(windowBars);
  const trigger = entry.find(({ role }) => role === 'TRIGGER');
  const features = [
    'bias',
    `interval ${minutes}`,
    `window ${window}`,
    `window ${window} interval ${minutes}`,
    `rules ${entry.length} ${exit.length}`,
    `rules ${entry.length} window ${window}`,
    `exits ${exit.length > 0}`,
    ...(trigger === undefined ? [] : [`ET ${trigger.signal.name} interval ${minutes}`]),
    ...pairFeatures(entry),
    ...settingFeatures(config, minutes, window),
  ];
  if (market === null) features.push('market unknown');
  else features.push(...marketFeatures(market, config, trigger));
  return features;
}

/** Rules that must hold together: some never do. */
function pairFeatures(entry: readonly PlannedRule[]): string[] {
  const features: string[] = [];
  for (const one of entry) {
    if (one.role !== 'TRIGGER') continue;
    for (const other of entry) {
      if (other === one) continue;
      features.push(`pair ${one.signal.name} ${other.signal.name}`);
      features.push(`pair ${one.signal.family} ${one.signal.bias} ${other.signal.family} ${other.signal.bias}`);
    }
  }
  return features;
}

const roundTripCost = ({ fee_pct, slippage_pct }: ExecutionConfig): number => 2 * (fee_pct + slippage_pct);

function settingFeatures(config: ExecutionConfig, minutes: number, window: number): string[] {
  const cost = findBin(roundTripCost(config), COST_EDGES);
  const reward = findBin(config.reward_factor, FACTOR_EDGES);
  const stop =
    config.stop_loss_calculation === 'fixed'
      ? `fixed ${findBin(config.fixed_stop_pct, STOP_EDGES)}`
      : `atr ${findBin(config.atr_volatility_factor, FACTOR_EDGES)}`;
  const risk = findBin(config.max_risk_per_trade, RISK_EDGES);
  return [
    `cost ${cost}`,
    `cost ${cost} interval ${minutes}`,
    `cost ${cost} window ${window}`,
    `cost ${cost} stop ${stop}`,
    `reward ${reward}`,
    `reward ${reward} stop ${stop}`,
    `stop ${stop} interval ${minutes}`,
    `risk ${risk}`,
    `risk ${risk} window ${window}`,
    `hold ${config.hold_limit_bars === null ? 'any' : findBin(config.hold_limit_bars, HOLD_EDGES)}`,
    `positions ${findBin(config.max_open_positions, POSITION_EDGES)}`,
    `sizing ${config.position_size_calc}`,
  ];
}

function marketFeatures(
  { range, trend }: MarketBefore,
  config: ExecutionConfig,
  trigger: PlannedRule | undefined,
): string[] {
  const stop = config.stop_loss_calculation === 'fixed' ? config.fixed_stop_pct : config.atr_volatility_factor * range;
  const burden = stop > 0 ? roundTripCost(config) / (stop * config.reward_factor) : 0;
  const bias = trigger === undefined ? 'none' : trigger.signal.bias;
  return [
    `range ${findBin(range, RANGE_EDGES)}`,
    `trend ${findBin(trend, TREND_EDGES)}`,
    `trend ${findBin(trend, TREND_EDGES)} ${bias}`,
    `burden ${findBin(burden, BURDEN_EDGES)}`,
  ];
}

/** All features of a run; one that occurs twice counts twice. */
export function extractFeatures(input: SieveInput): string[] {
  const { entry, exit, intervalMs } = input;
  return [
    ...setupFeatures(input),
    ...entry.flatMap((rule) => ruleFeatures('entry', rule, intervalMs)),
    ...exit.flatMap((rule) => ruleFeatures('exit', rule, intervalMs)),
  ];
}

/** Bars before the window that describe the market. */
export const MARKET_BARS = 200;

/** What the bars before a window say about the market. */
export interface MarketBefore {
  /** Mean of high minus low over close: a fraction a bar. */
  readonly range: number;
  /** Change of the close over all these bars, in ranges times the square root of their number. */
  readonly trend: number;
}

/**
 * Reads the `MARKET_BARS` bars before `first` and no other; null where there are fewer.
 * @param first index of the first tradable bar
 */
export function marketBefore({ high, low, close }: BarSeries, first: number): MarketBefore | null {
  const from = first - MARKET_BARS;
  if (from < 0) return null;
  let sum = 0;
  for (let bar = from; bar < first; bar++) sum += (high[bar] - low[bar]) / close[bar];
  const range = sum / MARKET_BARS;
  const change = close[first - 1] / close[from] - 1;
  return { range, trend: range > 0 ? change / (range * Math.sqrt(MARKET_BARS)) : 0 };
}
