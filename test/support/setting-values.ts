import {
  type ExecutionField,
  type ExecutionFieldName,
  executionFieldNames,
  fieldOf,
} from '../../engine/execution/index.js';

export type SettingValue = number | string | boolean | null;

/** Values that a random configuration mostly takes, and some that it takes now and then. */
export interface SettingValues {
  readonly usual: readonly SettingValue[];
  readonly rare: readonly SettingValue[];
}

const usual = (...values: SettingValue[]): SettingValues => ({ usual: values, rare: [] });
const barLimit = usual(null, -1, 0, 1, 2, 5, 20, 70, 300);

/** Values under which the rules take effect within a few hundred bars. */
const chosen: Partial<Record<ExecutionFieldName, SettingValues>> = {
  initial_balance: usual(10_000),
  min_balance_threshold: { usual: [0, 0.1, 0.95], rare: [1, 9_900, 12_000] },
  min_trade_amount: { usual: [0, 25], rare: [900] },
  max_risk_per_trade: usual(0.001, 0.01, 0.2, 1),
  max_units_per_trade: { usual: [1_000_000], rare: [3] },
  max_trade_amount: { usual: [10_000_000], rare: [400] },
  max_volume_share: { usual: [null, null, 0.2], rare: [0.003] },
  max_open_positions: { usual: [1, 3, 10], rare: [0] },
  max_trades_per_day: { usual: [3, 50, 50], rare: [0, 1] },
  fixed_stop_pct: usual(0.003, 0.02, 0.3),
  atr_period: usual(1, 2, 14),
  atr_volatility_factor: { usual: [0.5, 2], rare: [40] },
  atr_short_weight: { usual: [0.95, 1], rare: [0] },
  atr_long_weight: usual(0, 0.05, 1),
  atr_cap_multiplier: usual(null, 0, 1, 2.1),
  reward_factor: usual(0.2, 2, 10),
  slippage_pct: usual(0, 0.0005, 0.01),
  fee_pct: usual(0, 0.0005, 0.01),
  trading_days_per_year: usual(365, 365, 252),
  trading_hours_per_day: usual(24, 24, 6.5),
  volatility_window: usual(2, 5, 24),
  target_volatility: usual(0.1, 1, 20),
  max_hold_bars: barLimit,
  max_hold_time_hours: usual(null, 3, 30),
  exit_on_loss_after_bars: barLimit,
  exit_on_profit_after_bars: barLimit,
  profit_threshold_pct: usual(-0.01, 0, 0.01),
  daily_momentum_limit: usual(0, 1, 2.5),
  weekly_momentum_limit: usual(3),
  cooldown_bars: usual(0, 3, 24),
};

/**
 * Settings with a single value, in the order of the table. Callers that know the interval draw
 * `cooldown_config`.
 */
export const plainSettingNames = executionFieldNames.filter((name) => fieldOf(name).kind !== 'object');

/**
 * What random configurations draw for a setting: the chosen values, or values that its line in the
 * table allows. Half of those are the default, under which the fast path covers more runs.
 */
export const valuesOf = (name: ExecutionFieldName): SettingValues => chosen[name] ?? usual(...allowed(fieldOf(name)));

function allowed({ kind, values, nullable, default: published, ...bounds }: ExecutionField): SettingValue[] {
  if (kind === 'enum') return [...values!]; // an enum has values
  if (kind === 'boolean') return [false, true];
  const { min = -Infinity, above = -Infinity, max = Infinity, below = Infinity } = bounds;
  const isWithin = (value: number) => value >= min && value > above && value <= max && value < below;
  const some = kind === 'integer' ? [0, 1, 2, 5, 24] : [0, 0.003, 0.05, 0.5, 1, 2.5];
  const others: SettingValue[] = [...some.filter(isWithin), ...(nullable ? [null] : [])];
  return [...others.map(() => published as SettingValue), ...others];
}
