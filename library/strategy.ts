import { sha256 } from '../data/hashes/index.js';
import { canonicalJson } from '../engine/canonical-json.js';
import { isRecord } from '../engine/errors.js';
import type { ExecutionConfig, PresetName } from '../engine/execution/index.js';
import { checkOwnSignals, type OwnSignal } from '../engine/signals/index.js';
import type { OwnSignals } from '../research/backtest/index.js';

/** A rule: a signal of the library, a formula, or a signal of one's own, with its role. */
export interface StrategyRule {
  /** Such as `rsi_cross_up`; `barline signals list` lists them. */
  readonly name: string;
  /** TRIGGER: the event that starts an entry or exit. FILTER: a state that must hold as well. */
  readonly signal_type: 'TRIGGER' | 'FILTER';
  /** A coarser interval to read the rule on, such as `4h`. Default: the run's interval. */
  readonly timeframe?: string | null;
  /** Default: the defaults of the signal. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** True where the signal has a value and is false. */
  readonly negate?: boolean;
  /** True on a bar if it was true on one of the last so many bars of its timeframe (1..500). */
  readonly within_bars?: number;
  /** Reads the bars of this asset instead, each from its close on. */
  readonly asset?: string;
}

/** A list of rules, or 1 to 8 lists; one of them must hold. */
export type RuleList = readonly StrategyRule[] | { readonly any: readonly (readonly StrategyRule[])[] };

/** A strategy, as its JSON files hold it. */
export interface Strategy {
  readonly name?: string;
  readonly asset?: string;
  /** Exactly one TRIGGER, and any number of filters. Left out by a strategy that only sells short. */
  readonly entry?: RuleList;
  /** Empty, or one TRIGGER and any number of filters. Stops and targets work beside it. */
  readonly exit?: RuleList;
  /** The rules of the short side, with the same rule of composition. */
  readonly short_entry?: RuleList;
  readonly short_exit?: RuleList;
  /** Distance of the target as a multiple of the stop distance. */
  readonly reward_factor?: number;
  readonly execution_config?: ExecutionSettings;
}

/**
 * Execution settings: fees, slippage, sizes, stops. `barline config` and docs/library.md name all
 * of them. `preset` stands for a set of them, over which the others win.
 */
export type ExecutionSettings = Partial<ExecutionConfig> & {
  readonly preset?: PresetName;
  /**
   * Step of prices at a venue; live orders are rounded to it, purchases down and sales up. A backtest
   * does not round.
   */
  readonly tick_size?: number | null;
  /** Step of sizes at a venue; live orders are rounded down to it. A backtest does not round. */
  readonly lot_size?: number | null;
};

/** The strategy with what its rules may leave out. */
export function completeStrategy(strategy: Strategy): object {
  if (!isRecord(strategy)) return strategy;
  const lists = (['entry', 'exit', 'short_entry', 'short_exit'] as const).filter((key) => strategy[key] !== undefined);
  return { ...strategy, ...Object.fromEntries(lists.map((key) => [key, completeList(strategy[key])])) };
}

const completeRules = (rules: unknown): unknown =>
  Array.isArray(rules)
    ? rules.map((rule: unknown) =>
        typeof rule === 'object' && rule !== null ? { timeframe: null, params: {}, ...rule } : rule,
      )
    : rules;

function completeList(list: unknown): unknown {
  const isChoice = typeof list === 'object' && list !== null && 'any' in list && !Array.isArray(list);
  if (!isChoice) return completeRules(list);
  return { ...list, any: Array.isArray(list.any) ? list.any.map(completeRules) : list.any };
}

/**
 * Signals at hand, for a run. Their hash covers what the definitions say and not the values that
 * their functions close over.
 */
export function toOwnSignals(given: readonly OwnSignal[] | undefined): OwnSignals | undefined {
  if (given === undefined || given.length === 0) return undefined;
  const signals = checkOwnSignals(given, 'signals');
  const texts = signals.map(({ name, type, params, text }) => [name, type, params, text]);
  return { signals, from: 'code', hash: sha256(canonicalJson(texts)), modules: [] };
}
