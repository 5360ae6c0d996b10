import { type ExecutionFieldName, type ExecutionSettings, publishedDefaults } from '../../engine/index.js';

/** The published execution settings by section, in the order in which they are shown. */
const sections = {
  risk_management: [
    'max_risk_per_trade',
    'reward_factor',
    'atr_period',
    'atr_volatility_factor',
    'atr_short_weight',
    'atr_long_weight',
    'atr_cap_multiplier',
  ],
  position_limits: [
    'initial_balance',
    'min_balance_threshold',
    'min_trade_amount',
    'max_open_positions',
    'max_trades_per_day',
    'max_units_per_trade',
    'max_trade_amount',
  ],
  volatility_settings: ['volatility_window', 'target_volatility', 'volatility_mode', 'enable_volatility_adjustment'],
  trading_rules: [
    'max_hold_time_hours',
    'cooldown_bars',
    'daily_momentum_limit',
    'weekly_momentum_limit',
    'cooldown_config',
  ],
  time_based_exits: ['max_hold_bars', 'exit_on_loss_after_bars', 'exit_on_profit_after_bars', 'profit_threshold_pct'],
} as const satisfies Readonly<Record<string, readonly ExecutionFieldName[]>>;

type SectionName = keyof typeof sections;
type Section<Name extends SectionName> = Pick<ExecutionSettings, (typeof sections)[Name][number]>;
type ExecutionSections = { readonly [Name in SectionName]: Section<Name> };

export interface TradingDefaults extends ExecutionSections {
  readonly description: string;
  /** Signals have their own defaults, in their records. */
  readonly signal_defaults: Readonly<Record<string, never>>;
  readonly backtest_defaults: Pick<ExecutionSettings, 'slippage_pct' | 'fee_pct'>;
}

/** What a strategy gets that is created without an execution config. */
export type ExecutionDefaults = { readonly [Name in (typeof sections)[SectionName][number]]: ExecutionSettings[Name] };

const pick = <Name extends ExecutionFieldName>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, structuredClone(publishedDefaults[name])])) as Pick<
    ExecutionSettings,
    Name
  >;

/** Trading defaults by section; every answer is the caller's own. */
export function tradingDefaults(): TradingDefaults {
  return {
    description: 'Defaults that apply to strategies and backtests where a request does not say otherwise.',
    signal_defaults: {},
    backtest_defaults: pick(['slippage_pct', 'fee_pct']),
    risk_management: pick(sections.risk_management),
    position_limits: pick(sections.position_limits),
    volatility_settings: pick(sections.volatility_settings),
    trading_rules: pick(sections.trading_rules),
    time_based_exits: pick(sections.time_based_exits),
  };
}

/** The sections of execution settings as one flat object; costs of backtests are not among them. */
export const executionDefaults = (): ExecutionDefaults => pick(Object.values(sections).flat()) as ExecutionDefaults;

/** The same with costs and the sizing version: all that the batch engine fills in. */
export const batchDefaults = () => ({
  ...executionDefaults(),
  ...pick(['slippage_pct', 'fee_pct', 'position_size_calc']),
});
