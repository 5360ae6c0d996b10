import fc from 'fast-check';
import { createMask, DAY_MS, HOUR_MS, type Mask, MINUTE_MS, setBit } from '../../engine/series/index.js';
import { configOf } from '../unit/execution-support.js';
import { randomBars, seededRandom } from './random.js';

const barLimit = fc.constantFrom(null, -1, 0, 1, 2, 5, 20, 70, 300);
const tier = fc.record({
  short_loss_limit: fc.constantFrom(0, 1, 2, 3),
  short_window_bars: fc.constantFrom(0, 1, 4, 12),
  long_loss_limit: fc.constantFrom(0, 1, 4),
  long_window_bars: fc.constantFrom(0, 6, 40),
});

/** Mostly values that let trades happen, sometimes one that binds or forbids. */
const mostly = <T>(usual: readonly T[], rare: readonly T[]) =>
  fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });

/** Every option. */
const settings = fc.record({
  min_balance_threshold: mostly([0, 0.1, 0.95], [1, 9_900, 12_000]),
  min_trade_amount: mostly([0, 25], [900]),
  max_risk_per_trade: fc.constantFrom(0.001, 0.01, 0.2, 1),
  max_units_per_trade: mostly([1_000_000], [3]),
  max_trade_amount: mostly([10_000_000], [400]),
  position_size_calc: fc.constantFrom('v1', 'v2'),
  max_open_positions: mostly([1, 3, 10], [0]),
  max_trades_per_day: mostly([3, 50, 50], [0, 1]),
  stop_loss_calculation: fc.constantFrom('dynamic_atr', 'fixed'),
  fixed_stop_pct: fc.constantFrom(0.003, 0.02, 0.3),
  atr_period: fc.constantFrom(1, 2, 14),
  atr_volatility_factor: mostly([0.5, 2], [40]),
  atr_short_weight: mostly([0.95, 1], [0]),
  atr_long_weight: fc.constantFrom(0, 0.05, 1),
  atr_cap_multiplier: fc.constantFrom(null, 0, 1, 2.1),
  reward_factor: fc.constantFrom(0.2, 2, 10),
  slippage_pct: fc.constantFrom(0, 0.0005, 0.01),
  fee_pct: fc.constantFrom(0, 0.0005, 0.01),
  enable_volatility_adjustment: fc.boolean(),
  volatility_mode: fc.constantFrom('stddev', 'atr', 'off'),
  volatility_window: fc.constantFrom(2, 5, 24),
  target_volatility: fc.constantFrom(0.1, 1, 20),
  max_hold_bars: barLimit,
  max_hold_time_hours: fc.constantFrom(null, 3, 30),
  exit_on_loss_after_bars: barLimit,
  exit_on_profit_after_bars: barLimit,
  profit_threshold_pct: fc.constantFrom(-0.01, 0, 0.01),
  cooldown: fc.option(tier),
  daily_momentum_limit: fc.constantFrom(0, 1, 2.5),
  cooldown_bars: fc.constantFrom(0, 3, 24),
});

/** Bars, rules and settings of a run, each of them odd at times. */
export const world = fc.record({
  settings,
  seed: fc.nat(),
  barCount: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 9, arbitrary: fc.integer({ min: 4, max: 700 }) },
  ),
  firstShare: mostly([0, 0.1], [1]),
  intervalMs: fc.constantFrom(5 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS),
  volatility: fc.constantFrom(0.0005, 0.01, 0.05),
  gapChance: fc.constantFrom(0, 0.05),
  flatChance: mostly([0, 0.02, 0.6], [1]),
  tick: mostly([0.001, 0.01, 1], [10]),
  entryChance: mostly([0.02, 0.1, 0.5, 1], [0]),
  exitChance: mostly([0, 0.01, 0.1, 0.5], [1]),
});
export type World = Omit<typeof world extends fc.Arbitrary<infer W> ? W : never, 'volatility'> & {
  readonly volatility: number;
};

function randomMask(barCount: number, chance: number, random: () => number): Mask {
  const mask = createMask(barCount);
  for (let i = 0; i < barCount; i++) if (random() < chance) setBit(mask, i);
  return mask;
}

export function inputFrom(w: World) {
  const { cooldown, ...rest } = w.settings;
  const interval = w.intervalMs;
  const key = interval >= DAY_MS ? '1D' : interval >= HOUR_MS ? `${interval / HOUR_MS}H` : `${interval / MINUTE_MS}m`;
  const bars = randomBars({ ...w, startMs: Date.UTC(2024, 0, 1, 7) });
  const random = seededRandom(w.seed + 1);
  return {
    bars,
    first: Math.floor(w.firstShare * bars.barCount),
    entry: randomMask(bars.barCount, w.entryChance, random),
    exit: randomMask(bars.barCount, w.exitChance, random),
    config: configOf({ ...rest, ...(cooldown && { cooldown_config: { [key]: cooldown } }) }, interval),
  };
}
