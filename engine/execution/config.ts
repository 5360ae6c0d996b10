import { EngineError } from '../errors.js';
import { boundsText, checkBounds, type FieldBounds, outOfBounds } from './bounds.js';
import { type CooldownConfig, publishedCooldown, readCooldownConfig } from './cooldown-config.js';

/**
 * The execution settings, one line each: the source of defaults, validation and documentation.
 * `min`/`max` are inclusive bounds, `above`/`below` exclusive ones. Fractions are fractions (0.01 is 1 %), bars are bars
 * of the run interval, amounts are in the quote currency.
 */
export const executionFields = {
  initial_balance: {
    kind: 'number',
    above: 0,
    default: 10_000,
    unit: 'amount',
    description: 'cash at the first tradable bar',
  },
  min_balance_threshold: {
    kind: 'number',
    min: 0,
    default: 0.1,
    unit: 'fraction of initial_balance when <= 1, otherwise amount',
    description: 'no entries while the account is worth less; v2 sizing also keeps this much cash in reserve',
  },
  min_trade_amount: {
    kind: 'number',
    min: 0,
    default: 25,
    unit: 'amount',
    description: 'smaller entries are denied',
  },
  max_risk_per_trade: {
    kind: 'number',
    above: 0,
    max: 1,
    default: 0.01,
    unit: 'fraction',
    description: 'share of the account lost when the stop is hit, before costs',
  },
  max_units_per_trade: {
    kind: 'number',
    above: 0,
    default: 1_000_000,
    unit: 'base asset',
    description: 'largest size of one position',
  },
  max_trade_amount: {
    kind: 'number',
    above: 0,
    default: 10_000_000,
    unit: 'amount',
    description: 'largest notional of one entry',
  },
  position_size_calc: {
    kind: 'enum',
    values: ['v1', 'v2'],
    default: 'v2',
    description: 'v1 spends all cash, v2 keeps the minimum balance in reserve',
  },
  max_open_positions: {
    kind: 'integer',
    min: 0,
    default: 10,
    unit: 'positions',
    description: 'entries are denied at this many open positions',
  },
  max_trades_per_day: {
    kind: 'integer',
    min: 0,
    default: 50,
    unit: 'entries per UTC day',
    description: 'further entries of the day are denied',
  },
  stop_loss_calculation: {
    kind: 'enum',
    values: ['dynamic_atr', 'fixed'],
    default: 'dynamic_atr',
    description: 'stop distance from the average true range or from the entry price',
  },
  fixed_stop_pct: {
    kind: 'number',
    above: 0,
    below: 1,
    default: 0.02,
    unit: 'fraction of the entry price',
    description: 'stop distance of stop_loss_calculation fixed',
  },
  atr_period: {
    kind: 'integer',
    min: 1,
    default: 14,
    unit: 'bars and days',
    description: 'period of the short and of the daily average true range',
  },
  atr_volatility_factor: {
    kind: 'number',
    above: 0,
    default: 2,
    unit: 'multiple of the effective ATR',
    description: 'stop distance of stop_loss_calculation dynamic_atr',
  },
  atr_short_weight: {
    kind: 'number',
    min: 0,
    default: 0.95,
    unit: 'weight',
    description: 'weight of the ATR of the run interval',
  },
  atr_long_weight: {
    kind: 'number',
    min: 0,
    default: 0.05,
    unit: 'weight',
    description: 'weight of the daily ATR; at 0 the daily ATR is neither computed nor waited for',
  },
  atr_cap_multiplier: {
    kind: 'number',
    nullable: true,
    default: 2.1,
    unit: 'multiple of the short ATR',
    description: 'largest effective ATR; no cap when null or <= 0',
  },
  reward_factor: {
    kind: 'number',
    above: 0,
    default: 2,
    unit: 'multiple of the stop distance',
    description: 'distance of the target',
  },
  slippage_pct: {
    kind: 'number',
    min: 0,
    max: 0.5,
    default: 0.004,
    unit: 'fraction',
    description: 'adverse slippage on every entry and every exit',
  },
  fee_pct: {
    kind: 'number',
    min: 0,
    max: 0.5,
    default: 0.0085,
    unit: 'fraction of the notional',
    description: 'fee on every entry and every exit',
  },
  enable_volatility_adjustment: {
    kind: 'boolean',
    default: false,
    description: 'scale the size down when volatility is above its target',
  },
  volatility_mode: {
    kind: 'enum',
    values: ['stddev', 'atr', 'off'],
    default: 'stddev',
    description: 'volatility from returns, from true ranges, or no adjustment',
  },
  volatility_window: { kind: 'integer', min: 2, default: 24, unit: 'bars', description: 'window of the volatility' },
  target_volatility: {
    kind: 'number',
    default: 0.1,
    unit: 'fraction per year',
    description: 'volatility above which sizes shrink; must be > 0 when the adjustment is on',
  },
  max_hold_bars: {
    kind: 'integer',
    nullable: true,
    default: 1000,
    unit: 'bars',
    description: 'longest holding time; off when null or <= 0',
  },
  exit_on_loss_after_bars: {
    kind: 'integer',
    nullable: true,
    default: 1000,
    unit: 'bars',
    description: 'losing positions are sold from this holding time on; off when null or <= 0',
  },
  exit_on_profit_after_bars: {
    kind: 'integer',
    nullable: true,
    default: 1000,
    unit: 'bars',
    description: 'positions at or above profit_threshold_pct are sold from this holding time on; off when null or <= 0',
  },
  profit_threshold_pct: {
    kind: 'number',
    default: 0.05,
    unit: 'fraction of the entry price',
    description: 'unrealized profit that counts as winning',
  },
  max_hold_time_hours: {
    kind: 'number',
    nullable: true,
    default: null,
    unit: 'hours',
    description: 'deprecated; longest holding time when max_hold_bars is off',
  },
  cooldown_config: {
    kind: 'object',
    nullable: true,
    default: publishedCooldown,
    description: 'per run interval: a tier blocks entries for its window after its limit of losses within that window',
  },
  cooldown_bars: {
    kind: 'integer',
    default: 24,
    unit: 'bars',
    description: 'deprecated; short window where cooldown_config has no entry for the run interval',
  },
  daily_momentum_limit: {
    kind: 'number',
    default: 3,
    unit: 'losses',
    description: 'deprecated; short loss limit where cooldown_config has no entry for the run interval',
  },
  weekly_momentum_limit: {
    kind: 'number',
    default: 3,
    unit: 'losses',
    description: 'deprecated; loss limit over seven days where cooldown_config has no entry for the run interval',
  },
} as const satisfies Readonly<Record<string, ExecutionField>>;

/** What `resolveConfig` adds for the run interval. */
export const resolvedFields = {
  cooldown_short_loss_limit: { kind: 'integer', unit: 'losses', description: 'short tier; off when <= 0' },
  cooldown_short_window_bars: { kind: 'integer', unit: 'bars', description: 'short tier; off when <= 0' },
  cooldown_long_loss_limit: { kind: 'integer', unit: 'losses', description: 'long tier; off when <= 0' },
  cooldown_long_window_bars: { kind: 'integer', unit: 'bars', description: 'long tier; off when <= 0' },
  hold_limit_bars: {
    kind: 'integer',
    min: 1,
    nullable: true,
    unit: 'bars',
    description: 'longest holding time, from max_hold_bars or else max_hold_time_hours; null is off',
  },
} as const satisfies Readonly<Record<string, FieldBounds>>;

export interface ExecutionField extends FieldBounds {
  readonly default: number | boolean | string | CooldownConfig | null;
}

type FieldValue<F extends FieldBounds> =
  | (F extends { readonly values: readonly (infer V)[] }
      ? V
      : F['kind'] extends 'boolean'
        ? boolean
        : F['kind'] extends 'object'
          ? CooldownConfig
          : number)
  | (F extends { readonly nullable: true } ? null : never);

export type ExecutionFieldName = keyof typeof executionFields;

/** The execution settings as a user may write them, each with a value. */
export type ExecutionSettings = {
  readonly [Name in ExecutionFieldName]: FieldValue<(typeof executionFields)[Name]>;
};

/** Flat and fully resolved for one run interval; made by `resolveConfig`. */
export type ExecutionConfig = ExecutionSettings & {
  readonly [Name in keyof typeof resolvedFields]: FieldValue<(typeof resolvedFields)[Name]>;
};

export const executionFieldNames = Object.keys(executionFields) as ExecutionFieldName[];

/** The trading defaults as published: what applies where nobody says otherwise. */
export const publishedDefaults = Object.freeze(
  Object.fromEntries(Object.entries(executionFields).map(([name, field]) => [name, field.default])),
) as ExecutionSettings;

const allFields: ReadonlyMap<string, FieldBounds> = new Map(
  Object.entries<FieldBounds>({ ...executionFields, ...resolvedFields }),
);
const checked = new WeakSet<ExecutionConfig>();

/**
 * Refuses a resolved config with a missing value (MISSING_FIELD) or one out of its range (INVALID_FIELD). A frozen
 * config is looked at once only.
 */
export function checkConfig(config: ExecutionConfig): void {
  if (checked.has(config)) return;
  for (const [name, field] of allFields) {
    const value = config[name as keyof ExecutionConfig];
    if (value === undefined) {
      throw new EngineError('MISSING_FIELD', `${name} is required: ${boundsText(field)}`, { field: name });
    }
    if (field.kind === 'object' && value !== null) readCooldownConfig(value);
    else checkBounds(name, field, value);
  }
  const isAdjusted = config.enable_volatility_adjustment && config.volatility_mode !== 'off';
  if (isAdjusted && config.target_volatility <= 0) {
    throw outOfBounds('target_volatility', 'a number > 0 when the adjustment is on', config.target_volatility);
  }
  if (Object.isFrozen(config)) checked.add(config);
}
