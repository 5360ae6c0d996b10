/** A rule as a definition has it. */
export interface PlannedRule {
  readonly name: string;
  readonly signal_type: 'TRIGGER' | 'FILTER';
  readonly timeframe: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A definition, as `save_strategy` takes it. */
export interface StrategyConfig {
  readonly name: string;
  readonly asset: string;
  readonly entry: readonly PlannedRule[];
  readonly exit: readonly PlannedRule[];
  /** Rules that sell short, and that buy back; absent where positions are long. */
  readonly short_entry?: readonly PlannedRule[];
  readonly short_exit?: readonly PlannedRule[];
  readonly reward_factor: number;
  readonly execution_config: Readonly<Record<string, SettingValue>>;
}

/** A value of `execution_config`; the pairs make a schedule of targets. */
export type SettingValue = number | string | boolean | readonly (readonly [number, number])[];

/** The lists of rules of a definition. */
export const roles = ['entry', 'exit', 'short_entry', 'short_exit'] as const;
export type Role = (typeof roles)[number];

/** Figures of a run; fractions, as the API shows them. */
export interface BacktestFigures {
  readonly backtest_id: string;
  readonly total_return: number;
  readonly sharpe_ratio: number | null;
  readonly max_drawdown: number;
  readonly win_rate: number | null;
  readonly trade_count: number;
  readonly start_date: string;
  readonly end_date: string;
}
