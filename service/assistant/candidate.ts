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
  readonly reward_factor: number;
  readonly execution_config: Readonly<Record<string, number | string>>;
}

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
