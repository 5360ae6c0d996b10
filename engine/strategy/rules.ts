import { Frame } from '../indicators/frame.js';
import { type AllocateColumns, type BarSeries, firstBarFrom } from '../series/bars.js';
import { andInto, countBitsFrom, createMask, type Mask, nextBit, orInto, setAll, setBit } from '../series/bits.js';
import { ColumnPool } from '../series/column-pool.js';
import { DAY_MS } from '../series/intervals.js';
import { negated } from '../signals/condition.js';
import { signalMask, undefinedMasks } from '../signals/evaluate.js';
import { spreadMask } from '../signals/masks.js';
import type { Signal } from '../signals/signal.js';
import { aggregateBars, type CoarseBars } from '../timeframes/aggregate.js';
import type { RuleListKey } from './definition.js';
import { type PlannedRule, plannedRules, type StrategyPlan } from './plan.js';

/** The rules of one side at the close of every bar. */
export interface SideMasks {
  /** Bit i: the entry rule holds at the close of bar i. */
  readonly entry: Mask;
  readonly exit: Mask;
  /**
   * The two halves of the entry rule: its trigger, and all its filters together; for a choice of
   * groups, the halves of any group. An entry rule without filters has an all-true filter half;
   * without rules both are false.
   */
  readonly entryTrigger: Mask;
  readonly entryFilter: Mask;
}

/** The rules of the long side, and of the short side where there is one. */
export interface RuleMasks extends SideMasks {
  readonly short?: SideMasks;
}

/** Bars of the assets that rules name, by the name that the rules use. */
export type OtherBars = Readonly<Record<string, BarSeries>>;

/**
 * The rules of a plan at the close of every bar. A list of rules holds when its TRIGGER and every
 * FILTER are true, a choice of lists when one of them holds. Coarse rules read bars aggregated from
 * the same series, each visible only from its close on.
 */
export const evaluateRules = (plan: StrategyPlan, bars: BarSeries, others: OtherBars = {}): RuleMasks =>
  withRuleFrames(bars, others, (frames) => evaluateIn(frames, plan, bars));

function evaluateIn(frames: RuleSource, plan: StrategyPlan, { barCount }: BarSeries): RuleMasks {
  const rules = plannedRules(plan).map(({ list, rule }) => ({ list, rule, mask: frames.mask(rule) }));
  const held = (wanted: RuleListKey): HeldRule[] => rules.filter(({ list }) => list === wanted);
  const long = sideMasks(held('entry'), held('exit'), barCount);
  if (plan.shortEntry === undefined) return long;
  return { ...long, short: sideMasks(held('short_entry'), held('short_exit'), barCount) };
}

interface HeldRule {
  readonly rule: PlannedRule;
  readonly mask: Mask;
}

function sideMasks(entry: readonly HeldRule[], exit: readonly HeldRule[], barCount: number): SideMasks {
  const groups = groupRules(entry).map((group) => {
    const half = (isTrigger: boolean) =>
      conjunction(
        group.filter(({ rule }) => (rule.role === 'TRIGGER') === isTrigger).map(({ mask }) => mask),
        barCount,
      );
    return { trigger: half(true), filter: half(false) };
  });
  return {
    entry: disjunction(
      groups.map(({ trigger, filter }) => conjunction([trigger, filter], barCount)),
      barCount,
    ),
    exit: disjunction(
      groupRules(exit).map((group) =>
        conjunction(
          group.map(({ mask }) => mask),
          barCount,
        ),
      ),
      barCount,
    ),
    entryTrigger: disjunction(
      groups.map(({ trigger }) => trigger),
      barCount,
    ),
    entryFilter: disjunction(
      groups.map(({ filter }) => filter),
      barCount,
    ),
  };
}

/** How often a rule has no value. */
export interface RuleGaps {
  readonly side: RuleListKey;
  /** Its index on that side of the plan. */
  readonly rule: number;
  /** Tradable bars after its warm-up. */
  readonly bars: number;
  /** How many of them make it false because a value that it reads is undefined. */
  readonly undefinedBars: number;
}

/** The masks of all rules, and the rules that lack values. */
export interface RulesHeld {
  readonly masks: RuleMasks;
  readonly gaps: readonly RuleGaps[];
}

/** What the evaluation of a plan asks of the series. */
type RuleSource = Pick<RuleFrames, 'mask' | 'gaps'>;

/**
 * The same with the rules that have no value on some bars after their warm-up, as where a column
 * has a hole or begins late.
 * @param first index of the first tradable bar
 */
export const evaluateWithGaps = (
  plan: StrategyPlan,
  bars: BarSeries,
  first: number,
  others: OtherBars = {},
): RulesHeld => withRuleFrames(bars, others, (frames) => evaluateWithGapsIn(frames, plan, bars, first));

export function evaluateWithGapsIn(frames: RuleSource, plan: StrategyPlan, bars: BarSeries, first: number): RulesHeld {
  const planned = plannedRules(plan);
  const gaps = planned.map(({ list, rule }, i) => {
    const index = planned.slice(0, i).filter((before) => before.list === list).length;
    return { side: list, rule: index, ...frames.gaps(rule, first) };
  });
  return {
    masks: evaluateIn(frames, plan, bars),
    gaps: gaps.filter(({ undefinedBars }) => undefinedBars > 0),
  };
}

/**
 * The first bar at whose close each rule has a value, true or false, in the order of the plan; -1
 * where none has.
 */
export const firstValues = (
  plan: StrategyPlan,
  bars: BarSeries,
  others: OtherBars = {},
): { readonly list: RuleListKey; readonly signal: string; readonly bar: number }[] =>
  withRuleFrames(bars, others, (frames) =>
    plannedRules(plan).map(({ list, rule }) => ({ list, signal: rule.signal.name, bar: frames.firstValue(rule) })),
  );

/** The rules of each group; a plain list is one group. */
function groupRules(rules: readonly HeldRule[]): HeldRule[][] {
  const groups = new Map<number, HeldRule[]>();
  for (const held of rules) {
    const group = held.rule.group ?? 0;
    groups.set(group, [...(groups.get(group) ?? []), held]);
  }
  return [...groups.values()];
}

/** The bars on which all masks are true. */
function conjunction(masks: readonly Mask[], barCount: number): Mask {
  const out = createMask(barCount);
  setAll(out, barCount);
  for (const mask of masks) andInto(out, mask);
  return out;
}

/** The bars on which one of the masks is true. */
function disjunction(masks: readonly Mask[], barCount: number): Mask {
  const out = createMask(barCount);
  for (const mask of masks) orInto(out, mask);
  return out;
}

export const ruleMasks = (rules: readonly PlannedRule[], bars: BarSeries, others: OtherBars = {}): Mask[] =>
  withRuleFrames(bars, others, (frames) => rules.map((rule) => frames.mask(rule)));

/** The result must not refer to the columns, as masks do not. */
function withRuleFrames<T>(bars: BarSeries, others: OtherBars, work: (frames: RuleFrames) => T): T {
  const frames = new RuleFrames(bars, others);
  try {
    return work(frames);
  } finally {
    frames.release();
  }
}

interface RuleFrame {
  readonly frame: Frame;
  /** Null for rules on the interval of the run. */
  readonly coarse: CoarseBars | null;
}

/**
 * Evaluates rules over one series. It makes coarse bars and columns once, in the memory of the
 * series, and shares them between the rules until `release`.
 */
export class RuleFrames {
  readonly #byTimeframe = new Map<number, RuleFrame>();
  /** Columns of the coarse bars, to give back. */
  #coarseColumns: Float64Array[] = [];
  /** Masks computed so far. */
  #uses = 0;

  readonly #ofOthers = new Map<string, OtherFrame>();

  constructor(
    private readonly bars: BarSeries,
    private readonly others: OtherBars = {},
  ) {}

  /** Bytes that computed columns take now. */
  get bytes(): number {
    let bytes = 0;
    for (const { frame } of this.#byTimeframe.values()) bytes += frame.bytes;
    return bytes;
  }

  mask(rule: PlannedRule): Mask {
    const { role, timeframeMs, asset } = rule;
    const isEvent = role === 'TRIGGER';
    if (asset !== undefined) {
      const { frame, visible } = this.#otherFrame(asset, timeframeMs);
      return alignMask(ownMask(rule, frame), visible, isEvent, this.bars.barCount);
    }
    const { frame, coarse } = this.#frame(timeframeMs);
    frame.use = ++this.#uses;
    const mask = ownMask(rule, frame);
    return coarse === null ? mask : alignMask(mask, { from: coarse.visibleFrom }, isEvent, this.bars.barCount);
  }

  /** Bars after the warm-up of a rule, and how many of them leave it undefined, from `first` on. */
  gaps(rule: PlannedRule, first: number): Pick<RuleGaps, 'bars' | 'undefinedBars'> {
    const { signal, params, timeframeMs, asset } = rule;
    const read = asset === undefined ? this.bars : this.others[asset];
    const { frame, visible } = asset === undefined ? this.#ownFrame(timeframeMs) : this.#otherFrame(asset, timeframeMs);
    const { warm, missing } = undefinedMasks(signal, params, frame);
    const historyMs = signal.historyMs?.(params) ?? 0;
    const warmFrom = firstBarFrom(this.bars, read.time[0] + historyMs - read.intervalMs);
    const countOf = (mask: Mask): number => {
      const aligned = visible === null ? mask : alignMask(mask, visible, false, this.bars.barCount);
      return countBitsFrom(aligned, Math.max(first, warmFrom));
    };
    return { bars: countOf(warm), undefinedBars: countOf(missing) };
  }

  /** The first bar at whose close a rule has a value; -1 without one. */
  firstValue({ signal, params, timeframeMs, asset }: PlannedRule): number {
    const { frame, visible } = asset === undefined ? this.#ownFrame(timeframeMs) : this.#otherFrame(asset, timeframeMs);
    const { warm, missing } = undefinedMasks(signal, params, frame);
    const defined = warm.map((word, i) => word & ~missing[i]);
    return nextBit(visible === null ? defined : alignMask(defined, visible, false, this.bars.barCount), 0);
  }

  #ownFrame(timeframeMs: number): { readonly frame: Frame; readonly visible: Visible | null } {
    const { frame, coarse } = this.#frame(timeframeMs);
    return { frame, visible: coarse && { from: coarse.visibleFrom } };
  }

  /**
   * Gives back the columns that masks have not read for longest, until the others take at most
   * `bytesMax`. A rule that needs such a column later computes it again. Coarse bars are kept.
   */
  keepColumns(bytesMax: number): void {
    let bytes = this.bytes;
    if (bytes <= bytesMax) return;
    const frames = [...this.#byTimeframe.values()].map(({ frame }) => frame);
    const uses = frames.flatMap((frame) => [...frame.uses()]).sort(([a], [b]) => a - b);
    let oldest = 0;
    for (const [use, ofUse] of uses) {
      if (bytes <= bytesMax) break;
      bytes -= ofUse;
      oldest = use + 1;
    }
    for (const frame of frames) frame.releaseBefore(oldest);
  }

  /** Gives back the columns and the coarse bars. */
  release(): void {
    for (const { frame } of this.#byTimeframe.values()) frame.release();
    this.#byTimeframe.clear();
    this.#ofOthers.clear();
    ColumnPool.beside(this.bars.close).give(this.#coarseColumns);
    this.#coarseColumns = [];
  }

  #frame(timeframeMs: number): RuleFrame {
    let frame = this.#byTimeframe.get(timeframeMs);
    if (frame === undefined) {
      const { bars } = this;
      const coarse = timeframeMs === bars.intervalMs ? null : aggregateBars(bars, timeframeMs, this.#allocate);
      frame = { coarse, frame: Frame.beside(coarse?.bars ?? bars) };
      this.#byTimeframe.set(timeframeMs, frame);
    }
    return frame;
  }

  /** Bars of another asset are ordinary arrays or the caller's: nothing of them is given back. */
  #otherFrame(asset: string, timeframeMs: number): OtherFrame {
    const key = `${timeframeMs} ${asset}`;
    let frame = this.#ofOthers.get(key);
    if (frame === undefined) {
      const bars = this.others[asset];
      if (bars === undefined) throw new Error(`the bars of ${asset} are missing`);
      frame = otherFrame(bars, timeframeMs, this.bars);
      this.#ofOthers.set(key, frame);
    }
    return frame;
  }

  readonly #allocate: AllocateColumns = (columnCount, length) => {
    const pool = ColumnPool.beside(this.bars.close);
    const columns = Array.from({ length: columnCount }, () => pool.take(length));
    this.#coarseColumns.push(...columns);
    return columns;
  };
}

/** The answer of a rule on the bars that it reads. */
function ownMask({ signal, params, negate, withinBars = 1 }: PlannedRule, frame: Frame): Mask {
  const mask = signalMask(signal, params, frame);
  const widened = withinBars === 1 ? mask : spreadMask(mask, withinBars, frame.barCount);
  if (negate !== true) return widened;
  // Where the signal has a value, it is true or its negation is.
  const opposite: Signal = { ...signal, condition: (values) => negated(signal.condition(values)) };
  const out = signalMask(opposite, params, frame);
  orInto(out, mask);
  for (let i = 0; i < out.length; i++) out[i] &= ~widened[i];
  return out;
}

/** Where the bars that a rule reads are visible: per bar, bars of the run. */
interface Visible {
  /** The first one at whose close it is. */
  readonly from: Int32Array;
  /** The first one after it at whose close it says nothing more; without it, it holds until the next bar. */
  readonly to?: Int32Array;
}

interface OtherFrame {
  readonly frame: Frame;
  readonly visible: Visible;
}

/** An asset that shows no bar for longer has ended: no exchange closes for longer. */
const SILENT_MS = 10 * DAY_MS;
const SILENT_BARS = 3;

/** For how long the newest bar of another asset speaks for it to the rules that read it. */
export const silentAfterMs = (timeframeMs: number): number => Math.max(SILENT_MS, SILENT_BARS * timeframeMs);

/**
 * The bars of another asset on a timeframe, against the bars of a run. One is visible from the
 * first close of the run at or after the moment at which the other series shows it, and until that
 * series has ended.
 */
function otherFrame(bars: BarSeries, timeframeMs: number, { time, intervalMs, barCount }: BarSeries): OtherFrame {
  const coarse = timeframeMs === bars.intervalMs ? null : aggregateBars(bars, timeframeMs);
  const read = coarse?.bars ?? bars;
  const from = new Int32Array(read.barCount);
  const to = new Int32Array(read.barCount);
  for (let k = 0, i = 0, end = 0; k < read.barCount; k++) {
    const shownAt = bars.time[coarse?.visibleFrom[k] ?? k] + bars.intervalMs;
    while (i < barCount && time[i] + intervalMs < shownAt) i++;
    while (end < barCount && time[end] + intervalMs <= shownAt + silentAfterMs(timeframeMs)) end++;
    // One that was visible before the first bar opened is no event of that bar.
    from[k] = barCount > 0 && shownAt <= time[0] ? -1 : i;
    to[k] = end;
  }
  return { frame: Frame.of(read), visible: { from, to } };
}

/**
 * Maps answers of the bars that a rule reads to the closes of the run's bars. A FILTER keeps the
 * value of the newest visible bar; a TRIGGER counts only on the bar of the run at whose close that
 * bar became visible.
 */
function alignMask(read: Mask, { from, to }: Visible, isEvent: boolean, barCount: number): Mask {
  const mask = createMask(barCount);
  for (let k = nextBit(read, 0); k !== -1; k = nextBit(read, k + 1)) {
    const first = from[k];
    // `end` equals the start when a newer bar became visible at the same time.
    const end = Math.min(k + 1 < from.length ? from[k + 1] : barCount, to?.[k] ?? barCount, barCount);
    if (isEvent && first >= 0 && first < end) setBit(mask, first);
    else if (!isEvent) for (let i = Math.max(first, 0); i < end; i++) setBit(mask, i);
  }
  return mask;
}
