import type { ExecutionConfig } from '../execution/index.js';

/** How the WebAssembly run treats a setting. */
interface Support {
  /** The run reads the setting from its structure. */
  readonly isRead: boolean;
  /** Present when the run supports only some values. */
  readonly covers?: (config: ExecutionConfig) => boolean;
}

export const POSITIONS_MAX = 64;

const read = { isRead: true } as const;
/**
 * The setting reaches the run through a column or another setting, or has no effect on the runs
 * that are covered.
 */
const indirect = { isRead: false } as const;
const readWhere = (covers: (config: ExecutionConfig) => boolean) => ({ isRead: true, covers }) as const;
const onlyWhere = (covers: (config: ExecutionConfig) => boolean) => ({ isRead: false, covers }) as const;

/**
 * A run with a setting that is not covered falls back to `simulate`. A setting without a line here
 * does not compile.
 */
const support = {
  reward_factor: read,
  max_risk_per_trade: read,
  stop_loss_calculation: read,
  position_size_calc: read,
  fixed_stop_pct: read,
  atr_period: indirect, // in the columns of `AtrBeside`
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
  max_volume_share: read,
  volatility_window: indirect,
  target_volatility: indirect,
  volatility_mode: indirect,
  enable_volatility_adjustment: onlyWhere(
    ({ enable_volatility_adjustment, volatility_mode }) => !enable_volatility_adjustment || volatility_mode === 'off',
  ),
  max_hold_time_hours: indirect, // both are in hold_limit_bars
  max_hold_bars: indirect,
  cooldown_bars: indirect, // the whole cooldown is in the resolved tiers
  daily_momentum_limit: indirect,
  weekly_momentum_limit: indirect,
  cooldown_config: indirect,
  exit_on_loss_after_bars: read,
  exit_on_profit_after_bars: read,
  profit_threshold_pct: read,
  funding: indirect, // there is no fast path over bars with settlements
  slippage_pct: read,
  fee_pct: read,
  trading_days_per_year: indirect, // both are read by the metrics
  trading_hours_per_day: indirect,
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
