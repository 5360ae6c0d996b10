import { Frame } from '../indicators/frame.js';
import { type AllocateColumns, type BarSeries, firstBarFrom } from '../series/bars.js';
import { andInto, countBitsFrom, createMask, type Mask, nextBit, setAll, setBit } from '../series/bits.js';
import { ColumnPool } from '../series/column-pool.js';
import { signalMask, undefinedMasks } from '../signals/evaluate.js';
import { aggregateBars, type CoarseBars } from '../timeframes/aggregate.js';
import type { PlannedRule, StrategyPlan } from './plan.js';

export interface RuleMasks {
  /** Bit i: the entry rule holds at the close of bar i. */
  readonly entry: Mask;
  readonly exit: Mask;
  /**
   * The two halves of the entry rule: its trigger, and all its filters together. An entry rule
   * without filters has an all-true filter half; without rules both are false.
   */
  readonly entryTrigger: Mask;
  readonly entryFilter: Mask;
}

/**
 * The entry and the exit rule of a plan at the close of every bar. A rule holds when its TRIGGER
 * and every FILTER are true. Coarse rules read bars aggregated from the same series, each visible
 * only from its close on.
 */
export const evaluateRules = (plan: StrategyPlan, bars: BarSeries): RuleMasks =>
  withRuleFrames(bars, (frames) => evaluateIn(frames, plan, bars));

function evaluateIn(frames: RuleFrames, { entry, exit }: StrategyPlan, bars: BarSeries): RuleMasks {
  const rules = [...(entry ?? []), ...(exit ?? [])];
  const masks = rules.map((rule) => frames.mask(rule));
  const entryMasks = masks.slice(0, entry?.length ?? 0);
  const triggers = entryMasks.filter((_, i) => rules[i].role === 'TRIGGER');
  const filters = entryMasks.filter((_, i) => rules[i].role !== 'TRIGGER');
  const isEmpty = entryMasks.length === 0; // without rules no entry is wanted
  const entryTrigger = isEmpty ? createMask(bars.barCount) : conjunction(triggers, bars.barCount);
  const entryFilter = isEmpty ? createMask(bars.barCount) : conjunction(filters, bars.barCount);
  const exitMasks = masks.slice(entryMasks.length);
  return {
    entry: conjunction([entryTrigger, entryFilter], bars.barCount),
    exit: exitMasks.length === 0 ? createMask(bars.barCount) : conjunction(exitMasks, bars.barCount),
    entryTrigger,
    entryFilter,
  };
}

/** How often a rule has no value. */
export interface RuleGaps {
  readonly side: 'entry' | 'exit';
  /** Its index on that side of the plan. */
  readonly rule: number;
  /** Tradable bars after its warm-up. */
  readonly bars: number;
  /** Those of them on which it is false because a value that it reads is undefined. */
  readonly undefinedBars: number;
}

/**
 * The same with the rules that have no value on some bars after their warm-up, as where a column
 * has a hole or begins late.
 * @param first index of the first tradable bar
 */
export const evaluateWithGaps = (
  plan: StrategyPlan,
  bars: BarSeries,
  first: number,
): { readonly masks: RuleMasks; readonly gaps: readonly RuleGaps[] } =>
  withRuleFrames(bars, (frames) => {
    const onSide = (side: RuleGaps['side']) =>
      (plan[side] ?? []).map((rule, index) => ({ side, rule: index, ...frames.gaps(rule, first) }));
    const gaps = [...onSide('entry'), ...onSide('exit')].filter(({ undefinedBars }) => undefinedBars > 0);
    return { masks: evaluateIn(frames, plan, bars), gaps };
  });

/** The bars on which all masks are true. */
function conjunction(masks: readonly Mask[], barCount: number): Mask {
  const out = createMask(barCount);
  setAll(out, barCount);
  for (const mask of masks) andInto(out, mask);
  return out;
}

/** The mask of each rule over one series. */
export const ruleMasks = (rules: readonly PlannedRule[], bars: BarSeries): Mask[] =>
  withRuleFrames(bars, (frames) => rules.map((rule) => frames.mask(rule)));

/** The result must not refer to the columns, as masks do not. */
function withRuleFrames<T>(bars: BarSeries, work: (frames: RuleFrames) => T): T {
  const frames = new RuleFrames(bars);
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

  constructor(private readonly bars: BarSeries) {}

  /** Bytes that computed columns take now. */
  get bytes(): number {
    let bytes = 0;
    for (const { frame } of this.#byTimeframe.values()) bytes += frame.bytes;
    return bytes;
  }

  mask({ signal, params, role, timeframeMs }: PlannedRule): Mask {
    const { frame, coarse } = this.#frame(timeframeMs);
    frame.use = ++this.#uses;
    const mask = signalMask(signal, params, frame);
    return coarse === null ? mask : alignMask(mask, coarse.visibleFrom, role === 'TRIGGER', this.bars.barCount);
  }

  /** Bars after the warm-up of a rule, and those of them on which it is undefined, from `first` on. */
  gaps({ signal, params, timeframeMs }: PlannedRule, first: number): Pick<RuleGaps, 'bars' | 'undefinedBars'> {
    const { bars } = this;
    const { frame, coarse } = this.#frame(timeframeMs);
    const { warm, missing } = undefinedMasks(signal, params, frame);
    const warmFrom = firstBarFrom(bars, bars.time[0] + (signal.historyMs?.(params) ?? 0) - bars.intervalMs);
    const countOf = (mask: Mask): number => {
      const aligned = coarse === null ? mask : alignMask(mask, coarse.visibleFrom, false, bars.barCount);
      return countBitsFrom(aligned, Math.max(first, warmFrom));
    };
    return { bars: countOf(warm), undefinedBars: countOf(missing) };
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

  readonly #allocate: AllocateColumns = (columnCount, length) => {
    const pool = ColumnPool.beside(this.bars.close);
    const columns = Array.from({ length: columnCount }, () => pool.take(length));
    this.#coarseColumns.push(...columns);
    return columns;
  };
}

/**
 * Maps answers of coarse bars to the closes of base bars. A FILTER keeps the value of the newest
 * visible coarse bar; a TRIGGER counts only on the base bar at whose close that coarse bar became
 * visible.
 */
function alignMask(coarse: Mask, visibleFrom: Int32Array, isEvent: boolean, barCount: number): Mask {
  const mask = createMask(barCount);
  for (let k = nextBit(coarse, 0); k !== -1; k = nextBit(coarse, k + 1)) {
    const from = visibleFrom[k];
    // `to` equals the start when a newer bar became visible at the same time.
    const to = k + 1 < visibleFrom.length ? visibleFrom[k + 1] : barCount;
    if (isEvent && from < to) setBit(mask, from);
    else for (let i = from; i < to; i++) setBit(mask, i);
  }
  return mask;
}
