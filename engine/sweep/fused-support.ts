import type { ExecutionConfig } from '../execution/index.js';

/** What the WebAssembly run does with a setting. */
interface Support {
  /** It has the setting in its structure and obeys it. */
  readonly isRead: boolean;
  /** It obeys some values only. */
  readonly covers?: (config: ExecutionConfig) => boolean;
}

export const POSITIONS_MAX = 64;

const read = { isRead: true } as const;
/**
 * A column or another setting brings the run what this one asks for, or it has no effect on what
 * the run covers.
 */
const indirect = { isRead: false } as const;
const readWhere = (covers: (config: ExecutionConfig) => boolean) => ({ isRead: true, covers }) as const;
const onlyWhere = (covers: (config: ExecutionConfig) => boolean) => ({ isRead: false, covers }) as const;

/**
 * What is not covered falls back to `simulate`. A setting that has no line here does not compile.
 */
const support = {
  reward_factor: read,
  max_risk_per_trade: read,
  stop_loss_calculation: read,
  position_size_calc: read,
  fixed_stop_pct: read,
  atr_period: indirect, // the columns of `AtrBeside` have it
  atr_volatility_factor: read,
  atr_short_weight: read,
  atr_long_weight: read,
  atr_cap_multiplier: read,
  initial_balance: read,
  min_balance_threshold: read,
  min_trade_amount: read,
  max_open_positions: readWhere(({ max_open_positions }) => max_open_positions <= POSITIONS_MAX),
  max_trades_per_day: read,
  max_units_per_trade: read,
  max_trade_amount: read,
  volatility_window: indirect,
  target_volatility: indirect,
  volatility_mode: indirect,
  enable_volatility_adjustment: onlyWhere(
    ({ enable_volatility_adjustment, volatility_mode }) => !enable_volatility_adjustment || volatility_mode === 'off',
  ),
  max_hold_time_hours: indirect, // hold_limit_bars has both
  max_hold_bars: indirect,
  cooldown_bars: indirect, // the resolved tiers have all of the cooldown
  daily_momentum_limit: indirect,
  weekly_momentum_limit: indirect,
  cooldown_config: indirect,
  exit_on_loss_after_bars: read,
  exit_on_profit_after_bars: read,
  profit_threshold_pct: read,
  slippage_pct: read,
  fee_pct: read,
  cooldown_short_loss_limit: read,
  cooldown_short_window_bars: read,
  cooldown_long_loss_limit: read,
  cooldown_long_window_bars: read,
  hold_limit_bars: read,
} as const satisfies Readonly<Record<keyof ExecutionConfig, Support>>;

const conditions = Object.values<Support>(support).flatMap(({ covers }) => covers ?? []);

export const isCovered = (config: ExecutionConfig): boolean => conditions.every((covers) => covers(config));

/** The settings that the run reads. */
export type ReadSetting = {
  [Name in keyof typeof support]: (typeof support)[Name]['isRead'] extends true ? Name : never;
}[keyof typeof support];

export const readSettings = Object.entries<Support>(support)
  .filter(([, { isRead }]) => isRead)
  .map(([name]) => name) as ReadSetting[];
