import type { ExecutionConfig } from '../engine/index.js';

/** A rule: a signal of the library, a formula, or a signal of one's own, with its role. */
export interface StrategyRule {
  /** Such as `rsi_cross_up`; `barline signals list` lists them. */
  readonly name: string;
  /** TRIGGER: the event that starts an entry or exit. FILTER: a state that must hold as well. */
  readonly signal_type: 'TRIGGER' | 'FILTER';
  /** A coarser interval to read the rule on, such as `4h`. Default: that of the run. */
  readonly timeframe?: string | null;
  /** Default: the defaults of the signal. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A strategy, as its JSON files hold it. */
export interface Strategy {
  readonly name?: string;
  readonly asset?: string;
  /** Exactly one TRIGGER, and any number of filters. */
  readonly entry: readonly StrategyRule[];
  /** Empty, or one TRIGGER and any number of filters. Stops and targets work beside it. */
  readonly exit?: readonly StrategyRule[];
  /** Distance of the target as a multiple of the stop distance. */
  readonly reward_factor?: number;
  readonly execution_config?: ExecutionSettings;
}

/**
 * Execution settings: fees, slippage, sizes, stops. `barline config` and docs/library.md name all
 * of them.
 */
export type ExecutionSettings = Partial<ExecutionConfig>;

/** The strategy with what its rules may leave out. */
export function completeStrategy(strategy: Strategy): object {
  const complete = (rules: readonly StrategyRule[] | undefined) =>
    Array.isArray(rules)
      ? rules.map((rule: StrategyRule) =>
          typeof rule === 'object' && rule !== null ? { timeframe: null, params: {}, ...rule } : rule,
        )
      : rules;
  if (typeof strategy !== 'object' || strategy === null || Array.isArray(strategy)) return strategy;
  const { entry, exit, ...rest } = strategy;
  return { ...rest, entry: complete(entry), ...(exit === undefined ? {} : { exit: complete(exit) }) };
}
