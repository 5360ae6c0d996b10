import { publishedCooldown } from './cooldown-config.js';
import type { ExecutionField, FieldValue } from './field.js';
import { marketFields } from './market-fields.js';
import { type PositionFieldName, type PositionSettings, positionFields } from './position-fields.js';
import type { resolvedFields } from './resolved-fields.js';
import { riskFields } from './risk-fields.js';

/**
 * The execution settings, one line each, in the order of the columns of result rows. Everything
 * else that lists settings is derived from this table: defaults, bounds, documentation, request
 * schemas, columns of results and corpus, the structure that the WebAssembly run reads
 * (`sweep/run-layout.ts`), and the worlds that property tests draw.
 *
 * The lines of `positionFields` are left out of configs at their defaults, and of everything that
 * lists the settings of every config: published defaults, columns.
 *
 * `min`/`max` are inclusive bounds, `above`/`below` exclusive ones. Fractions are fractions (0.01
 * is 1 %), bars are bars of the run interval, amounts are in the quote currency.
 *
 * `fastPath` says what the run of a sweep in one WebAssembly call does with the setting.
 */
export const executionFields = {
  ...riskFields,
  initial_balance: {
    kind: 'number',
    above: 0,
    section: 'position_limits',
    default: 10_000,
    fastPath: 'read',
    unit: 'amount',
    description: 'cash at the first tradable bar',
  },
  min_balance_threshold: {
    kind: 'number',
    min: 0,
    section: 'position_limits',
    default: 0.1,
    fastPath: 'read',
    unit: 'fraction of initial_balance when <= 1, otherwise amount',
    description: 'no entries while the account is worth less; v2 sizing also keeps this much cash in reserve',
  },
  min_trade_amount: {
    kind: 'number',
    min: 0,
    section: 'position_limits',
    default: 25,
    fastPath: 'read',
    unit: 'amount',
    description: 'smaller entries are denied',
  },
  max_open_positions: {
    kind: 'integer',
    min: 0,
    section: 'position_limits',
    default: 10,
    fastPath: 'read',
    unit: 'positions',
    description: 'entries are denied at this many open positions',
  },
  max_trades_per_day: {
    kind: 'integer',
    min: 0,
    section: 'position_limits',
    default: 50,
    fastPath: 'read',
    unit: 'entries per UTC day',
    description: 'further entries of the day are denied',
  },
  max_units_per_trade: {
    kind: 'number',
    above: 0,
    section: 'position_limits',
    default: 1_000_000,
    fastPath: 'read',
    unit: 'base asset',
    description: 'largest size of one position',
  },
  max_trade_amount: {
    kind: 'number',
    above: 0,
    section: 'position_limits',
    default: 10_000_000,
    fastPath: 'read',
    unit: 'amount',
    description: 'largest notional of one entry',
  },
  ...marketFields,
  volatility_window: {
    kind: 'integer',
    min: 2,
    section: 'volatility_settings',
    default: 24,
    fastPath: 'indirect', // in the column of `VolatilityBeside`
    unit: 'bars',
    description: 'window of the volatility',
  },
  target_volatility: {
    kind: 'number',
    section: 'volatility_settings',
    default: 0.1,
    fastPath: 'read',
    unit: 'fraction per year',
    description: 'volatility above which sizes shrink; must be > 0 when the adjustment is on',
  },
  volatility_mode: {
    kind: 'enum',
    values: ['stddev', 'atr', 'off'],
    section: 'volatility_settings',
    default: 'stddev',
    fastPath: 'read',
    description: 'volatility from returns, from true ranges, or no adjustment',
  },
  enable_volatility_adjustment: {
    kind: 'boolean',
    section: 'volatility_settings',
    column: 'enable_volatility_adj',
    default: false,
    fastPath: 'read',
    description: 'scale the size down when volatility is above its target',
  },
  max_hold_time_hours: {
    kind: 'number',
    nullable: true,
    section: 'trading_rules',
    default: null,
    fastPath: 'indirect', // in hold_limit_bars
    unit: 'hours',
    description: 'deprecated; longest holding time when max_hold_bars is off',
  },
  cooldown_bars: {
    kind: 'integer',
    section: 'trading_rules',
    default: 24,
    fastPath: 'indirect', // in the resolved tiers
    unit: 'bars',
    description: 'deprecated; short window where cooldown_config has no entry for the run interval',
  },
  daily_momentum_limit: {
    kind: 'number',
    section: 'trading_rules',
    default: 3,
    fastPath: 'indirect', // in the resolved tiers
    unit: 'losses',
    description: 'deprecated; short loss limit where cooldown_config has no entry for the run interval',
  },
  weekly_momentum_limit: {
    kind: 'number',
    section: 'trading_rules',
    default: 3,
    fastPath: 'indirect', // in the resolved tiers
    unit: 'losses',
    description: 'deprecated; loss limit over seven days where cooldown_config has no entry for the run interval',
  },
  cooldown_config: {
    kind: 'object',
    nullable: true,
    section: 'trading_rules',
    default: publishedCooldown,
    fastPath: 'indirect', // in the resolved tiers
    description: 'per run interval: a tier blocks entries for its window after its limit of losses within that window',
  },
  max_hold_bars: {
    kind: 'integer',
    nullable: true,
    section: 'time_based_exits',
    default: 1000,
    fastPath: 'indirect', // in hold_limit_bars
    unit: 'bars',
    description: 'longest holding time; off when null or <= 0',
  },
  exit_on_loss_after_bars: {
    kind: 'integer',
    nullable: true,
    section: 'time_based_exits',
    default: 1000,
    fastPath: 'read',
    unit: 'bars',
    description: 'losing positions are sold from this holding time on; off when null or <= 0',
  },
  exit_on_profit_after_bars: {
    kind: 'integer',
    nullable: true,
    section: 'time_based_exits',
    default: 1000,
    fastPath: 'read',
    unit: 'bars',
    description: 'positions at or above profit_threshold_pct are sold from this holding time on; off when null or <= 0',
  },
  profit_threshold_pct: {
    kind: 'number',
    section: 'time_based_exits',
    default: 0.05,
    fastPath: 'read',
    unit: 'fraction of the entry price',
    description: 'unrealized profit that counts as winning',
  },
  slippage_pct: {
    kind: 'number',
    min: 0,
    max: 0.5,
    section: 'backtest_defaults',
    default: 0.004,
    fastPath: 'read',
    unit: 'fraction',
    description: 'adverse slippage on every entry and every exit',
  },
  fee_pct: {
    kind: 'number',
    min: 0,
    max: 0.5,
    section: 'backtest_defaults',
    default: 0.0085,
    fastPath: 'read',
    unit: 'fraction of the notional',
    description: 'fee on every entry and every exit',
  },
  trading_days_per_year: {
    kind: 'number',
    min: 1,
    max: 365,
    section: null,
    default: 365,
    fastPath: 'indirect', // read by the metrics
    isUnhashedDefault: true,
    unit: 'days',
    description: 'days on which the market trades, by which ratios and volatility are annualized; 252 for shares',
  },
  trading_hours_per_day: {
    kind: 'number',
    above: 0,
    max: 24,
    section: null,
    default: 24,
    fastPath: 'indirect', // read by the metrics
    isUnhashedDefault: true,
    unit: 'hours',
    description: 'hours of such a day, for intervals below a day; 6.5 for shares',
  },
  ...positionFields,
} as const satisfies Readonly<Record<string, ExecutionField>>;

/** The settings that every config holds. */
export type ExecutionFieldName = Exclude<keyof typeof executionFields, PositionFieldName>;

/** Those settings as a user may write them, each with a value. */
export type ExecutionSettings = {
  readonly [Name in ExecutionFieldName]: FieldValue<(typeof executionFields)[Name]>;
};

/**
 * Flat and fully resolved for one run interval; made by `resolveConfig`. Settings of
 * `positionFields` are present only where they differ from their defaults.
 */
export type ExecutionConfig = ExecutionSettings & {
  readonly [Name in keyof typeof resolvedFields]: FieldValue<(typeof resolvedFields)[Name]>;
} & Partial<PositionSettings>;
