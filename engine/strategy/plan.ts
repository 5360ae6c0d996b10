import { EngineError, quote } from '../errors.js';
import { type ParamValues, resolveParams } from '../indicators/params.js';
import {
  apiTimeframes,
  DAY_MS,
  formatInterval,
  parseInterval,
  tryParseInterval,
  WEEK_MS,
} from '../series/intervals.js';
import { findSignal, requireSignal } from '../signals/registry.js';
import { columnsBeside, type Signal, type SignalType } from '../signals/signal.js';
import {
  allRules,
  placedRules,
  type Rule,
  type RuleListKey,
  type RuleLists,
  ruleLists,
  type StrategyDefinition,
} from './definition.js';

type DenialReason = 'unknown_signal' | 'unsupported_column' | 'malformed_params' | 'unsupported_timeframe';

/**
 * A rule that the engine refuses. Its whole side of the strategy is then false, and the run goes
 * on.
 */
export interface DeniedSignal {
  readonly side: RuleListKey;
  readonly name: string;
  readonly signal_type: SignalType;
  readonly timeframe: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly reason: DenialReason;
  readonly message: string;
}

export interface PlannedRule {
  readonly signal: Signal;
  readonly params: ParamValues;
  /** The role of the rule, as its author set it. */
  readonly role: SignalType;
  readonly timeframeMs: number;
  /** As in the definition; absent in most rules. */
  readonly negate?: true;
  readonly withinBars?: number;
  readonly asset?: string;
  readonly group?: number;
}

/**
 * A strategy with its signals looked up and its parameters filled in, for one interval and one set
 * of columns.
 */
export interface StrategyPlan {
  readonly intervalMs: number;
  /**
   * Null if a rule of the side was refused, which makes the side false. An empty side is false too.
   */
  readonly entry: readonly PlannedRule[] | null;
  readonly exit: readonly PlannedRule[] | null;
  /** Absent where the strategy has no short side. */
  readonly shortEntry?: readonly PlannedRule[] | null;
  readonly shortExit?: readonly PlannedRule[] | null;
  readonly denied: readonly DeniedSignal[];
  readonly warnings: readonly string[];
}

/** Stands for columns that are not known yet: no rule is refused for its column. */
export const anyColumn = { has: (_name: string): boolean => true };

/** The warning about a rule over a column whose values a generator drew. */
export const generatedColumn = (column: string, asset: string | null | undefined): string =>
  `${column} of ${asset ?? 'the asset'} is generated data: what comes of it says nothing about the market`;

type Columns = Iterable<string> | typeof anyColumn;

/**
 * @param columns names of the columns that the data has beside the bars
 * @param generated names of the generated ones among them
 * @param others the same as `columns` for each asset that a rule names
 */
export function planStrategy(
  strategy: StrategyDefinition,
  intervalMs: number,
  columns: Columns = [],
  generated: readonly string[] = [],
  others: Readonly<Record<string, Columns>> = {},
): StrategyPlan {
  const namesIn = (given: Columns) => ('has' in given ? given : new Set(given));
  const available = namesIn(columns);
  const denied: DeniedSignal[] = [];
  const drawn = generated.length === 0 ? [] : columnsRead(strategy).filter((column) => generated.includes(column));
  const warnings = drawn.map((column) => generatedColumn(column, strategy.asset));
  const planSide = (side: RuleListKey, rules: readonly Rule[]): PlannedRule[] | null => {
    const planned: PlannedRule[] = [];
    for (const rule of rules) {
      const found = rule.asset === undefined ? available : namesIn(others[rule.asset] ?? anyColumn);
      const result = planRule(rule, intervalMs, found, strategy);
      if ('reason' in result) {
        const { name, signalType, timeframe, params } = rule;
        denied.push({ side, name, signal_type: signalType, timeframe, params, ...result });
      } else {
        planned.push(result);
        if (result.signal.type !== result.role && result.signal.fitsAnyRole !== true) {
          warnings.push(`${side}: ${rule.name} is a ${result.signal.type} signal used as ${result.role}`);
        }
      }
    }
    return planned.length === rules.length ? planned : null;
  };
  const entry = planSide('entry', strategy.entry);
  const exit = planSide('exit', strategy.exit);
  const { shortEntry: shortRules, shortExit: shortExits = [] } = strategy;
  if (shortRules === undefined) return { intervalMs, entry, exit, denied, warnings };
  const shortEntry = planSide('short_entry', shortRules);
  const shortExit = planSide('short_exit', shortExits);
  return { intervalMs, entry, exit, shortEntry, shortExit, denied, warnings };
}

/** A rule of a plan, with the list in which it stands. */
interface ListedRule {
  readonly list: RuleListKey;
  readonly rule: PlannedRule;
}

/** All rules of a plan that were not refused, in the order of `ruleLists`. */
export const plannedRules = (plan: StrategyPlan): ListedRule[] =>
  ruleLists.flatMap(([list, field]) => (plan[field] ?? []).map((rule) => ({ list, rule })));

type Refusal = Pick<DeniedSignal, 'reason' | 'message'>;

function planRule(
  rule: Rule,
  intervalMs: number,
  available: typeof anyColumn,
  { asset, own, takesWeeks }: Pick<StrategyDefinition, 'asset' | 'own' | 'takesWeeks'>,
): PlannedRule | Refusal {
  const signal = attempt(() => requireSignal(rule.name, own), 'unknown_signal');
  if ('reason' in signal) return signal;
  const timeframeMs = rule.timeframe === null ? intervalMs : tryParseInterval(rule.timeframe);
  const timeframeProblem = problemOfTimeframe(timeframeMs, rule.timeframe, intervalMs, takesWeeks);
  if (timeframeProblem !== null) return { reason: 'unsupported_timeframe', message: timeframeProblem };
  const params = attempt(() => ({ values: resolveParams(signal, rule.params) }), 'malformed_params');
  if ('reason' in params) return params;
  const column = columnsBeside(signal, params.values).find((name) => !available.has(name));
  if (column !== undefined) {
    return {
      reason: 'unsupported_column',
      message: `${signal.name}: the data has no column ${column}; ${howToAdd(column, rule.asset ?? asset)}`,
    };
  }
  const { negate, withinBars, asset: other, group } = rule;
  return {
    signal,
    params: params.values,
    role: rule.signalType,
    // biome-ignore lint/style/noNonNullAssertion: a timeframe that is missing was refused above
    timeframeMs: timeframeMs!,
    ...(negate && { negate }),
    ...(withinBars !== undefined && { withinBars }),
    ...(other !== undefined && { asset: other }),
    ...(group !== undefined && { group }),
  };
}

/** The command that would bring a missing column. */
export const howToAdd = (column: string, asset: string | null): string =>
  `add it with: barline data columns add FILE --asset ${asset ?? 'ASSET'} --column ${column}`;

/**
 * The columns beside the bars that the rules name, each once; refused rules count too.
 * @param asset one that rules name (`asset`); default: the asset of the run
 */
export function columnsRead(strategy: RuleLists & Pick<StrategyDefinition, 'own'>, asset?: string): string[] {
  const read = allRules(strategy).flatMap(({ name, params, asset: of }) => {
    const signal = of === asset ? findSignal(name, strategy.own) : undefined;
    if (signal === undefined) return [];
    const columns = attempt(() => columnsBeside(signal, params as ParamValues), 'malformed_params');
    return 'reason' in columns ? [] : columns;
  });
  return [...new Set(read)];
}

/** An asset that rules name. */
export interface AssetRead {
  /** As the rules spell it. */
  readonly asset: string;
  /** The first rule that names it, such as `entry[1].asset`. */
  readonly place: string;
  /** Lengths of the bars that the rules read of it, each once; refused ones are left out. */
  readonly timeframesMs: readonly number[];
}

/** The assets that rules name, in the order of the rules. */
export function assetsRead(
  strategy: RuleLists & Pick<StrategyDefinition, 'takesWeeks'>,
  intervalMs: number,
): AssetRead[] {
  const found = new Map<string, { asset: string; place: string; timeframesMs: number[] }>();
  for (const { rule, place } of placedRules(strategy)) {
    const { asset, timeframe } = rule;
    if (asset === undefined) continue;
    const read = found.get(asset) ?? { asset, place: `${place}.asset`, timeframesMs: [] };
    found.set(asset, read);
    const ms = timeframe === null ? intervalMs : tryParseInterval(timeframe);
    if (problemOfTimeframe(ms, timeframe, intervalMs, strategy.takesWeeks) !== null || ms === null) continue;
    if (!read.timeframesMs.includes(ms)) read.timeframesMs.push(ms);
  }
  return [...found.values()];
}

function attempt<T extends object>(action: () => T, reason: DenialReason): T | Refusal {
  try {
    return action();
  } catch (error) {
    if (error instanceof EngineError) return { reason, message: error.message };
    throw error;
  }
}

export const apiTimeframeMs: ReadonlySet<number> = new Set(apiTimeframes.map((name) => parseInterval(name)));

/**
 * A rule runs on the interval of the run or on a timeframe that is a multiple of it: one that the
 * contract documents or, where the caller takes weeks, a week.
 */
function problemOfTimeframe(
  timeframeMs: number | null,
  name: string | null,
  intervalMs: number,
  takesWeeks = false,
): string | null {
  const known = apiTimeframes.join(', ');
  if (timeframeMs === intervalMs) return null;
  if (timeframeMs === WEEK_MS && !takesWeeks) {
    return (
      `timeframe ${name} is not supported by the service, where rules run on ${known}; ` +
      'barline backtest and the library take it; 1d with 7 times the bars is nearest to a week'
    );
  }
  if (timeframeMs === null || (timeframeMs !== WEEK_MS && !apiTimeframeMs.has(timeframeMs)))
    return `unknown timeframe ${quote(name)}, known are: ${known}${takesWeeks ? ', 1w' : ''}`;
  if (timeframeMs < intervalMs) return `timeframe ${name} is finer than the interval ${formatInterval(intervalMs)}`;
  if (timeframeMs % intervalMs === 0) return null;
  return `timeframe ${name} is not a multiple of the interval ${formatInterval(intervalMs)}`;
}

/** Bars of its timeframe that a rule needs before its answer can be true. */
export const barsNeeded = ({ signal, params, withinBars = 1 }: PlannedRule): number =>
  signal.minBars(params) + withinBars - 1;

// Recursive averages keep e^-8 of their seed after four windows of an EMA.
const SETTLING_FACTOR = 4;
const SETTLING_BARS = 300;

/**
 * History that the rules need before the first tradable bar, in ms of wall-clock time: warm-up, and
 * time for recursions to settle.
 */
export function historyMs(plan: StrategyPlan): number {
  let longest = 0;
  for (const { rule } of plannedRules(plan)) longest = Math.max(longest, ruleHistoryMs(rule));
  return longest;
}

type ReadRule = Pick<PlannedRule, 'signal' | 'params' | 'timeframeMs' | 'withinBars'>;

/** The same for one rule. */
export const ruleHistoryMs = ({ signal, params, timeframeMs, withinBars = 1 }: ReadRule): number =>
  signalHistoryMs(signal, params, timeframeMs) + (withinBars - 1) * timeframeMs;

/** History for one signal on bars of `intervalMs`. */
export function signalHistoryMs(signal: Signal, params: ParamValues, intervalMs: number): number {
  const bars = Math.max(SETTLING_BARS, (SETTLING_FACTOR + 1) * signal.minBars(params));
  return Math.max((bars + 1) * intervalMs, signal.historyMs?.(params) ?? 0);
}

/** Settings that read bars before the window. */
interface ReadSettings {
  readonly volatility_window: number;
  readonly atr_period: number;
}

/** Periods, in days, after which Wilder's smoothing has forgotten its seed: e^-10 of it is left. */
const ATR_SETTLING_PERIODS = 10;

/** History that the settings of a run need: of the volatility window and of the daily ATR. */
export const settingsHistoryMs = ({ volatility_window, atr_period }: ReadSettings, intervalMs: number): number =>
  Math.max(
    (volatility_window + 1) * intervalMs,
    (ATR_SETTLING_PERIODS * atr_period + 1) * Math.max(DAY_MS, intervalMs),
  );

/** History that a run needs: of its rules and of its settings. */
export const neededHistoryMs = (plan: StrategyPlan, config: ReadSettings): number =>
  Math.max(historyMs(plan), settingsHistoryMs(config, plan.intervalMs));
