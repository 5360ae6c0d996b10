import type { SimulationInput } from '../../engine/execution/index.js';
import {
  allocateBars,
  type BarSeries,
  createMask,
  DAY_MS,
  FUNDING_COLUMN,
  getBit,
  HOUR_MS,
  type Mask,
  MINUTE_MS,
  parseInterval,
  setBit,
} from '../../engine/series/index.js';
import { type RefSidesRequest, SIDES_DEFAULTS } from '../reference/sides.js';
import { configOf, type SidesCase } from './execution.js';
import { randomBars, seededRandom } from './random.js';
import { executionBars } from './reference.js';

/** Random worlds of sides, margin, orders, moving levels, sizes, guards and finer bars together. */

type Settings = Record<string, unknown>;
export type Random = () => number;

export const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

/**
 * Values of the page that are not the default. All of them are binary fractions: in a world whose
 * prices are, levels meet prices to the last bit, and no tie hangs on rounding.
 */
const unusual: Readonly<Record<string, readonly unknown[]>> = {
  opposite_entry: ['close', 'reverse', 'hedge', 'hedge'],
  leverage: [1.5, 2, 8, 64, 64],
  maintenance_margin: [0, 0.0078125],
  borrow_rate: [0.25, 8],
  max_gross_exposure: [0.0625, 0.25, 4],
  stop_order: [false],
  trailing_distance: [0.25, 1, 3],
  trailing_start: [0.5, 1],
  break_even_at: [0, 0.5, 1],
  break_even_offset_pct: [-0.0078125, 0.0078125],
  target_calculation: ['fixed', 'schedule', 'none'],
  fixed_target_pct: [0.0078125, 0.03125, 2],
  target_schedule: [
    [[0, 0.03125]],
    [
      [0, 0.0625],
      [2, 0.015625],
      [5, 0],
    ],
  ],
  target_order: ['limit'],
  maker_fee_pct: [-0.03125, 0.000244140625, 0.03125],
  scale_out: [
    [[0.5, 0.5]],
    [
      [0.25, 0.25],
      [0.5, 0.5],
      [1, 0.25],
    ],
    [
      [0.5, 0.25],
      [1, 0.5],
    ],
  ],
  entry_order: ['limit', 'stop'],
  entry_valid_bars: [2, 5, 30],
  position_sizing: ['fixed_amount', 'equity_share', 'volatility_target'],
  trade_amount: [100, 4000],
  trade_share: [0.25, 0.75, 8],
  impact_coefficient: [0.015625, 0.5],
  guard_max_drawdown: [0.015625, 0.0625],
  guard_daily_loss: [0.0078125, 0.03125],
  guard_group_stop: [0.0078125, 0.03125],
  guard_pause_bars: [0, 2, 6],
};

/** Settings of the older page, which the new ones meet. */
const older: Readonly<Record<string, readonly unknown[]>> = {
  slippage_pct: [0, 0, 0.00390625],
  fee_pct: [0, 0.001953125],
  stop_loss_calculation: ['fixed', 'dynamic_atr'],
  fixed_stop_pct: [0.0078125, 0.03125, 0.125, 0.5],
  atr_period: [1, 2, 2, 6],
  atr_volatility_factor: [1, 2],
  atr_short_weight: [1],
  atr_long_weight: [0, 0, 0, 0, 0, 0, 0, 0.0625],
  atr_cap_multiplier: [null, 2],
  reward_factor: [0.5, 1, 4],
  max_risk_per_trade: [0.0078125, 0.03125, 0.25, 1],
  position_size_calc: ['v1', 'v2'],
  min_balance_threshold: [0, 0, 0.125, 0.9375],
  min_trade_amount: [0, 25, 25, 400],
  max_open_positions: [1, 3, 10],
  max_trades_per_day: [2, 50, 50, 50],
  max_trade_amount: [10_000_000, 10_000_000, 1000],
  max_volume_share: [null, null, null, 0.25],
  max_hold_bars: [null, 2, 7, 30],
  exit_on_loss_after_bars: [null, 3],
  exit_on_profit_after_bars: [null, 4],
  profit_threshold_pct: [0, 0.0078125],
  enable_volatility_adjustment: [false, false, true],
  volatility_mode: ['stddev', 'atr'],
  volatility_window: [2, 8],
  target_volatility: [0.25, 2],
  funding: [true, true, false],
};

/** Values of each setting that act, most of them not its default. */
export const drawnValues: Readonly<Record<string, readonly unknown[]>> = { ...older, ...unusual };

/** Every level lies on the grid of the prices. */
const onGrid: Settings = {
  slippage_pct: 0,
  stop_loss_calculation: 'dynamic_atr',
  atr_period: 1,
  atr_long_weight: 0,
};

const stopAtLiquidation: Settings = {
  slippage_pct: 0,
  stop_loss_calculation: 'fixed',
  fixed_stop_pct: 1 / 64,
  leverage: 64,
  maintenance_margin: 0,
};

/** What contradicts nothing: drawn settings, mended where two of them exclude each other. */
function settingsOf(random: Random, hasDetail: boolean, isTied: boolean): Settings {
  const share = pick(random, [0.1, 0.25, 0.5]);
  const drawn: Settings = {};
  for (const [name, values] of Object.entries(older)) drawn[name] = pick(random, values);
  for (const [name, values] of Object.entries(unusual)) if (random() < share) drawn[name] = pick(random, values);
  if (drawn.target_calculation === 'schedule') drawn.target_schedule ??= pick(random, unusual.target_schedule ?? []);
  if (drawn.entry_order !== undefined) {
    if (random() < 0.5) drawn.entry_offset_pct = pick(random, [0, 0.0078125, 0.03125]);
    else drawn.entry_offset_atr = pick(random, [0, 0.5, 2]);
    drawn.opposite_entry = pick(random, ['deny', 'hedge']);
  }
  if (hasDetail) drawn.detail_interval = '15m';
  if (isTied) Object.assign(drawn, random() < 0.7 ? onGrid : stopAtLiquidation);
  const tier = {
    short_loss_limit: pick(random, [0, 1, 2]),
    short_window_bars: pick(random, [0, 3, 8]),
    long_loss_limit: 3,
    long_window_bars: 20,
  };
  const none = { short_loss_limit: 0, short_window_bars: 0, long_loss_limit: 0, long_window_bars: 0 };
  const tiers = random() < 0.4 ? tier : none;
  drawn.cooldown_config = Object.fromEntries(['15m', '1h', '4h', '1d'].map((interval) => [interval, tiers]));
  return drawn;
}

/** Settings of sides, margin, orders, moving levels, sizes and guards beside older ones. */
export const drawSettings = (random: Random): Settings => settingsOf(random, false, false);

/** The same bars, of which some open at their lowest or highest price: gaps against either side. */
function gapped(bars: BarSeries, random: Random): BarSeries {
  const { open, high, low } = bars;
  const gap = (i: number) => (random() < 0.5 ? high : low)[i] as number;
  return { ...bars, open: open.map((price, i) => (random() < 0.08 ? gap(i) : price)) };
}

/** Bars of an hour from those of a quarter. */
export function hoursOf(quarters: BarSeries): BarSeries {
  const hours = allocateBars(quarters.barCount / 4, HOUR_MS);
  for (let i = 0; i < hours.barCount; i++) {
    const k = 4 * i;
    hours.time[i] = quarters.time[k] as number;
    hours.open[i] = quarters.open[k] as number;
    hours.high[i] = Math.max(...quarters.high.subarray(k, k + 4));
    hours.low[i] = Math.min(...quarters.low.subarray(k, k + 4));
    hours.close[i] = quarters.close[k + 3] as number;
    hours.volume[i] = quarters.volume.subarray(k, k + 4).reduce((sum, volume) => sum + volume, 0);
  }
  return hours;
}

/** The same bars without some of them. */
function thinned(bars: BarSeries, random: Random, chance: number): BarSeries {
  const kept = Array.from({ length: bars.barCount }, (_, i) => i).filter(() => random() >= chance);
  const part = allocateBars(kept.length, bars.intervalMs);
  for (const column of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
    part[column].set(kept.map((i) => bars[column][i] as number));
  }
  return part;
}

/** Finer bars whose ranges fall short of those of the coarse ones, as a second source may have them. */
function narrowed(bars: BarSeries): BarSeries {
  const { open, high, low, close } = bars;
  const middle = (i: number) => ((open[i] as number) + (close[i] as number)) / 2;
  const towards = (column: Float64Array) => column.map((price, i) => (price + middle(i)) / 2);
  return { ...bars, high: towards(high), low: towards(low) };
}

/** A request in the form of `barline simulate`, as the reference takes it. */
export function requestOf({ interval, first = 0, bars, masks, columns, detail, config }: SidesCase): RefSidesRequest {
  const rates = columns?.FundingSettled;
  const rows = (given: SidesCase['bars']) =>
    given.map(([t = NaN, o = NaN, h = NaN, l = NaN, c = NaN, v = NaN], i) => {
      return { t: t * 1000, o, h, l, c, v, funding: rates?.[i] ?? 0 };
    });
  const bits = (numbers: readonly number[] | null | undefined) => bars.map((_, i) => numbers?.includes(i) ?? false);
  const hasShort = Boolean(masks.short_entry ?? masks.short_exit);
  return {
    intervalMs: parseInterval(interval),
    bars: rows(bars),
    hasFunding: rates !== undefined,
    first,
    long: { entry: bits(masks.entry), exit: bits(masks.exit) },
    short: hasShort ? { entry: bits(masks.short_entry), exit: bits(masks.short_exit) } : null,
    detail: detail === undefined ? null : rows(detail.bars),
    config: { ...config },
  };
}

/** Finer bars that a second source has at somewhat other prices. */
function shifted(bars: BarSeries, by: number): BarSeries {
  const { open, high, low, close } = bars;
  const moved = (column: Float64Array) => column.map((price) => price + by);
  return { ...bars, open: moved(open), high: moved(high), low: moved(low), close: moved(close) };
}

export function randomMask(barCount: number, chance: number, random: Random): Mask {
  const mask = createMask(barCount);
  for (let i = 0; i < barCount; i++) if (random() < chance) setBit(mask, i);
  return mask;
}

export interface MixedWorld {
  readonly input: SimulationInput;
  readonly request: RefSidesRequest;
  /** Prices and settings are binary fractions on a coarse grid, so that ties are common. */
  readonly isTied: boolean;
}

/** The world of a seed, as the engine and as the reference take it. */
export function mixedWorld(seed: number): MixedWorld {
  const random = seededRandom(seed);
  const hasDetail = random() < 0.25;
  const isTied = random() < 0.4;
  const intervalMs = hasDetail ? HOUR_MS : pick(random, [15 * MINUTE_MS, HOUR_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS]);
  const barCount = pick(random, [2, 20, 60, 60, 120]);
  const options = {
    seed,
    startMs: Date.UTC(2024, 0, 1) + pick(random, [0, 0, 20]) * HOUR_MS * (intervalMs === DAY_MS ? 0 : 1),
    start: isTied ? 64 : pick(random, [100, 12, 3000]),
    tick: isTied ? pick(random, [0.25, 0.5]) : 1e-6,
    volatility: pick(random, [0.005, 0.02, 0.06]),
    flatChance: pick(random, [0.02, 0.02, 0.3]),
    fundingChance: pick(random, [0, 0, 0.2]),
  };
  const quarters = randomBars({ ...options, barCount: hasDetail ? 4 * barCount : 0, intervalMs: 15 * MINUTE_MS });
  const coarse = gapped(randomBars({ ...options, barCount, intervalMs, gapChance: pick(random, [0, 0.03]) }), random);
  // In some worlds all cash is margin, and the rates use it up.
  const rates = coarse.columns[FUNDING_COLUMN]?.map((rate) => (seed % 3 === 0 ? 64 * rate : rate));
  const columns = rates === undefined ? {} : { [FUNDING_COLUMN]: rates };
  const bars = { ...(hasDetail ? gapped(hoursOf(quarters), random) : coarse), columns };
  const finer = pick(random, [
    () => quarters,
    () => quarters,
    () => narrowed(quarters),
    () => shifted(quarters, (options.start / 128) * pick(random, [-1, 1])),
  ])();
  const detail = hasDetail ? thinned(finer, random, pick(random, [0, 0, 0.05])) : null;
  const drawn = settingsOf(random, hasDetail, isTied);
  const settings = seed % 6 === 0 ? { ...drawn, ...allIn } : drawn;
  const density = () => pick(random, [0.03, 0.15, 0.5]);
  const mask = (chance: number): Mask => randomMask(barCount, chance, random);
  const hasShort = random() < 0.8;
  const exitChance = pick(random, [0, 0.03, 0.15, 0.3]);
  const rules = { entry: mask(hasShort && random() < 0.1 ? 0 : density()), exit: mask(exitChance) };
  const shortRules = hasShort ? { entry: mask(density()), exit: mask(exitChance) } : null;
  const first = random() < 0.7 ? 0 : Math.floor(random() * barCount);
  const config = configOf(settings, intervalMs, { takesPositionFields: true });
  const bits = (of: Mask) => Array.from({ length: barCount }, (_, i) => getBit(of, i));
  const readableRules = ({ entry, exit }: { entry: Mask; exit: Mask }) => ({ entry: bits(entry), exit: bits(exit) });
  return {
    input: {
      bars,
      first,
      ...rules,
      ...(shortRules !== null && { shortEntry: shortRules.entry, shortExit: shortRules.exit }),
      ...(detail !== null && { detail }),
      config,
    },
    request: {
      intervalMs,
      bars: executionBars(bars),
      hasFunding: rates !== undefined,
      first,
      long: readableRules(rules),
      short: shortRules === null ? null : readableRules(shortRules),
      detail: detail === null ? null : executionBars(detail),
      config: settings,
    },
    isTied,
  };
}

/** All cash as the margin of one position without orders, and borrowing that uses it up. */
const allIn: Settings = {
  ...{ position_sizing: 'equity_share', trade_share: 16, leverage: 16, maintenance_margin: 0.0078125 },
  ...{
    min_balance_threshold: 0,
    max_trade_amount: 1e9,
    stop_order: false,
    target_calculation: 'none',
    borrow_rate: 10,
  },
};

/** Names of the page's settings that a config gives, with the value where it is one of a few. */
export const usedSettings = (config: Settings): string[] =>
  Object.keys(SIDES_DEFAULTS)
    .filter((name) => config[name] !== undefined)
    .flatMap((name) => (typeof config[name] === 'string' ? [name, `${name} ${config[name]}`] : [name]));
