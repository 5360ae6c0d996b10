import type { ExecutionConfig, Trade } from '../execution/index.js';
import { simulate } from '../execution/index.js';
import type { Column } from '../indicators/column.js';
import { Frame } from '../indicators/frame.js';
import { type BarSeries, closeOfLast, DAY_MS, firstBarFrom, getBit, type Mask, sliceBars } from '../series/index.js';
import { columnsOfCondition } from '../signals/condition.js';
import { columnsBeside } from '../signals/signal.js';
import {
  barsNeeded,
  evaluateRules,
  type OtherBars,
  type PlannedRule,
  plannedRules,
  ruleMasks,
  type StrategyPlan,
} from '../strategy/index.js';
import { aggregateBars } from '../timeframes/index.js';
import { type ColumnLag, columnTiming, isEarly, lagColumns, stopWithForesight } from './early-columns.js';

export interface AuditInput {
  readonly plan: StrategyPlan;
  readonly bars: BarSeries;
  /**
   * Index of the first tradable bar; the bars before it are the history, which the audit shortens.
   */
  readonly first: number;
  readonly config: ExecutionConfig;
  /** Bars of the assets that rules name. */
  readonly others?: OtherBars;
  /** Bars that `detail_interval` reads. */
  readonly detail?: BarSeries | undefined;
  /** How many random places to cut the data at. */
  readonly cutCount: number;
  /** Uniform in [0, 1), seeded by the caller. */
  readonly random: () => number;
  /** The simulation under audit. Default: the engine's `simulate`. */
  readonly run?: typeof simulate;
}

/**
 * One answer that changed although the bars it may read did not, or a column that seems to be known
 * too early.
 */
export interface AuditFinding {
  readonly kind: 'look-ahead' | 'warm-up' | 'early-column';
  /**
   * `entry rule NAME`, `short_exit rule NAME`, `trades`, `stops`, or `column NAME` and its
   * correlations.
   */
  readonly what: string;
  /** First bar that differs, counted from the first bar of the whole series. */
  readonly bar: number;
  /** Number of bars before the cut, of history bars left, or of values of the column. */
  readonly cut: number;
}

/**
 * How far the columns that a rule reads move when less history precedes them: the largest relative
 * difference.
 */
export interface WarmUpDrift {
  readonly what: string;
  readonly historyBars: number;
  readonly relative: number;
}

export interface Audit {
  readonly cuts: readonly number[];
  /** History lengths tried, in bars; empty when the run has no history to shorten. */
  readonly histories: readonly number[];
  /** The first finding of each kind and subject. */
  readonly findings: readonly AuditFinding[];
  readonly drifts: readonly WarmUpDrift[];
  /** One for each column beside the bars that a rule reads. */
  readonly lags: readonly ColumnLag[];
}

/**
 * Shares of the loaded history that must be enough. A shortened history still holds one warm-up.
 */
const HISTORY_SHARES = [0.75, 0.5];

function shortenedHistories({ plan, first, config }: AuditInput): number[] {
  const { intervalMs } = plan;
  // The run may begin inside a coarse bar, which then counts as one more.
  const barsSpanned = (count: number, timeframeMs: number) => Math.ceil(((count + 1) * timeframeMs) / intervalMs);
  const needed = Math.max(
    barsSpanned(config.atr_period, config.atr_long_weight === 0 ? intervalMs : Math.max(DAY_MS, intervalMs)),
    barsSpanned(config.volatility_window, intervalMs),
    ...rules(plan).map(({ rule }) => barsSpanned(barsNeeded(rule), rule.timeframeMs)),
  );
  const lengths = HISTORY_SHARES.map((share) => Math.max(needed, Math.ceil(first * share)));
  return [...new Set(lengths)].filter((length) => length < first);
}

/**
 * Looks for answers that depend on bars they must not depend on. First it cuts the data off at
 * random bars: every mask up to the cut, and every trade closed before it, must stay as in the
 * whole run, or the strategy saw its future. Then it shortens the history: masks and trades must
 * stay the same again, or the strategy depends on where its data happens to begin. Last it looks
 * at the timing of columns beside the bars, and runs with each of them late. Stops that moved must
 * not depend on the bar that hits them. Cost: about (cuts / 2 + 2) runs, one for each column, and
 * one for each of some moved stops.
 */
export function auditStrategy(input: AuditInput): Audit {
  const { bars, first, cutCount, random } = input;
  const wholeRun: WholeRun = {
    ruleMasks: computeMasks(input.plan, bars, input.others),
    trades: simulateTrades(input, input),
  };
  const span = bars.barCount - first - 1;
  const cuts = Array.from({ length: span > 0 ? cutCount : 0 }, () => first + 1 + Math.floor(random() * span)).sort(
    (a, b) => a - b,
  );
  const histories = shortenedHistories(input);
  const findings = [
    ...cuts.flatMap((cut) => lookAheadAt(input, wholeRun, cut)),
    ...histories.flatMap((history) => warmUpWith(input, wholeRun, history)),
    ...earlyColumns(input),
    ...earlyStops(input),
  ];
  return {
    cuts,
    histories,
    findings: firstOfEach(findings),
    drifts: histories.flatMap((history) => driftsWith(input, history)),
    lags: lagColumns(input, columnsRead(input), wholeRun.trades, (late) =>
      simulateTrades(input, { ...input, bars: late }),
    ),
  };
}

/** The columns beside the bars that the rules read. */
function columnsRead({ plan }: AuditInput): string[] {
  const own = rules(plan).filter(({ rule }) => rule.asset === undefined);
  return [...new Set(own.flatMap(({ rule }) => columnsBeside(rule.signal, rule.params)))];
}

function earlyColumns(input: AuditInput): AuditFinding[] {
  const { bars, first } = input;
  return columnsRead(input).flatMap((column) => {
    const timing = columnTiming(column, bars, first);
    if (!isEarly(timing)) return [];
    const { values, of, before, after, bar } = timing;
    const what = `column ${column} (correlation ${after.toFixed(2)} with the ${of} after, ${before.toFixed(2)} before)`;
    return [{ kind: 'early-column', what, bar, cut: values }];
  });
}

function earlyStops(input: AuditInput): AuditFinding[] {
  const trade = stopWithForesight(input);
  if (trade === null) return [];
  return [{ kind: 'look-ahead', what: 'stops', bar: trade.exitBar, cut: trade.exitBar + 1 }];
}

interface WholeRun {
  /** In the order of `rules`. */
  readonly ruleMasks: readonly Mask[];
  readonly trades: readonly Trade[];
}

interface SidedRule {
  readonly what: string;
  readonly rule: PlannedRule;
}

const rules = (plan: StrategyPlan): SidedRule[] =>
  plannedRules(plan).map(({ list, rule }) => {
    const place = rule.asset === undefined ? '' : ` of ${rule.asset}`;
    return { what: `${list} rule ${rule.signal.name}${place}`, rule };
  });

const computeMasks = (plan: StrategyPlan, bars: BarSeries, others?: OtherBars): Mask[] =>
  ruleMasks(
    rules(plan).map(({ rule }) => rule),
    bars,
    others,
  );

/** All bars that a run reads, and where it begins to trade. */
type Data = Pick<AuditInput, 'bars' | 'first' | 'others' | 'detail'>;

function simulateTrades({ plan, config, run = simulate }: AuditInput, { bars, first, others, detail }: Data): Trade[] {
  const { entry, exit, short } = evaluateRules(plan, bars, others);
  const sides = short === undefined ? {} : { shortEntry: short.entry, shortExit: short.exit };
  return [...run({ bars, first, entry, exit, ...sides, detail, config }).trades];
}

/** The series as they were known at the close of bar `cut - 1`. */
function dataAt({ bars, first, others = {}, detail }: AuditInput, cut: number): Data {
  const known = sliceBars(bars, 0, cut);
  const closedBy = closeOfLast(known);
  const cutOther = (series: BarSeries) => sliceBars(series, 0, firstBarFrom(series, closedBy - series.intervalMs + 1));
  return {
    bars: known,
    first,
    others: Object.fromEntries(Object.entries(others).map(([asset, series]) => [asset, cutOther(series)])),
    detail: detail && cutOther(detail),
  };
}

/** The series from bar `offset` on. */
function dataFrom({ bars, first, others = {}, detail }: AuditInput, offset: number): Data {
  const cutOther = (series: BarSeries) => sliceBars(series, firstBarFrom(series, bars.time[offset]), series.barCount);
  return {
    bars: sliceBars(bars, offset, bars.barCount),
    first: first - offset,
    others: Object.fromEntries(Object.entries(others).map(([asset, series]) => [asset, cutOther(series)])),
    detail,
  };
}

/** Compares the whole run with a run over bars 0..cut-1. */
function lookAheadAt(input: AuditInput, whole: WholeRun, cut: number): AuditFinding[] {
  const { plan } = input;
  const known = dataAt(input, cut);
  const masks = computeMasks(plan, known.bars, known.others);
  const findings = rules(plan).flatMap(({ what }, i): AuditFinding[] => {
    const bar = firstMaskDifference(whole.ruleMasks[i], masks[i], 0, 0, cut);
    return bar === null ? [] : [{ kind: 'look-ahead', what, bar, cut }];
  });
  const trades = simulateTrades(input, known);
  // Only an END exit depends on where the data stops.
  const isClosed = (trade: Trade) => trade.exitReason !== 'END' && trade.exitBar < cut;
  const bar = firstDifference(whole.trades.filter(isClosed), trades.filter(isClosed), 0);
  return bar === null ? findings : [...findings, { kind: 'look-ahead', what: 'trades', bar, cut }];
}

/** Compares the whole run with a run over the window and the last `history` bars before it. */
function warmUpWith(input: AuditInput, whole: WholeRun, history: number): AuditFinding[] {
  const { plan, bars, first } = input;
  const offset = first - history;
  const shorter = dataFrom(input, offset);
  const masks = computeMasks(plan, shorter.bars, shorter.others);
  const findings = rules(plan).flatMap(({ what }, i): AuditFinding[] => {
    const bar = firstMaskDifference(whole.ruleMasks[i], masks[i], offset, first, bars.barCount);
    return bar === null ? [] : [{ kind: 'warm-up', what, bar, cut: history }];
  });
  const bar = firstDifference(whole.trades, simulateTrades(input, shorter), offset);
  return bar === null ? findings : [...findings, { kind: 'warm-up', what: 'trades', bar, cut: history }];
}

/** First bar of `from..to-1` on which the masks differ; `other` starts `offset` bars later. */
export function firstMaskDifference(mask: Mask, other: Mask, offset: number, from: number, to: number): number | null {
  for (let bar = from; bar < to; bar++) if (getBit(mask, bar) !== getBit(other, bar - offset)) return bar;
  return null;
}

/**
 * Entry bar of the first trade that differs in entry, exit or reason. Amounts may drift with
 * warm-up.
 */
function firstDifference(trades: readonly Trade[], others: readonly Trade[], offset: number): number | null {
  for (let i = 0; i < Math.max(trades.length, others.length); i++) {
    const a = trades[i];
    const b = others[i];
    if (a === undefined || b === undefined) return a?.entryBar ?? b.entryBar + offset;
    const isSame =
      a.entryBar === b.entryBar + offset && a.exitBar === b.exitBar + offset && a.exitReason === b.exitReason;
    if (!isSame) return a.entryBar;
  }
  return null;
}

function firstOfEach(findings: readonly AuditFinding[]): AuditFinding[] {
  const seen = new Map<string, AuditFinding>();
  for (const finding of findings) {
    const key = `${finding.kind} ${finding.what}`;
    if (!seen.has(key)) seen.set(key, finding);
  }
  return [...seen.values()];
}

function driftsWith({ plan, bars, first, others = {} }: AuditInput, history: number): WarmUpDrift[] {
  const offset = first - history;
  const windowMs = bars.time[first];
  return rules(plan)
    .filter(({ rule }) => rule.signal.observes === undefined)
    .map(({ what, rule }) => {
      const columns = columnsOfCondition(rule.signal.condition(rule.params));
      const read = rule.asset === undefined ? bars : others[rule.asset];
      const from = rule.asset === undefined ? offset : firstBarFrom(read, bars.time[offset]);
      const relative = Math.max(
        0,
        ...columns.map((column) => columnDrift(column, rule.timeframeMs, read, windowMs, from)),
      );
      return { what, historyBars: history, relative };
    });
}

/** Largest relative difference of a column over the window, on the bars of its timeframe. */
function columnDrift(column: Column, timeframeMs: number, bars: BarSeries, windowMs: number, offset: number): number {
  const onTimeframe = (series: BarSeries) =>
    timeframeMs === series.intervalMs ? series : aggregateBars(series, timeframeMs).bars;
  const long = onTimeframe(bars);
  const short = onTimeframe(sliceBars(bars, offset, bars.barCount));
  const a = Frame.of(long).column(column);
  const b = Frame.of(short).column(column);
  const shift = long.barCount - short.barCount; // both end on the same bar
  let drift = 0;
  for (let i = shift; i < long.barCount; i++) {
    if (long.time[i] < windowMs) continue;
    const scale = Math.max(Math.abs(a[i]), Math.abs(b[i - shift]));
    const difference = Math.abs(a[i] - b[i - shift]) / scale;
    if (difference > drift) drift = difference; // NaN (0/0, warm-up) is no drift
  }
  return drift;
}
