import { Frame } from '../indicators/frame.js';
import type { AllocateColumns, BarSeries } from '../series/bars.js';
import { andInto, createMask, type Mask, nextBit, setAll, setBit } from '../series/bits.js';
import { ColumnPool } from '../series/column-pool.js';
import { signalMask } from '../signals/evaluate.js';
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
export function evaluateRules({ entry, exit }: StrategyPlan, bars: BarSeries): RuleMasks {
  const rules = [...(entry ?? []), ...(exit ?? [])];
  const masks = ruleMasks(rules, bars);
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

/** The bars on which all masks are true. */
function conjunction(masks: readonly Mask[], barCount: number): Mask {
  const out = createMask(barCount);
  setAll(out, barCount);
  for (const mask of masks) andInto(out, mask);
  return out;
}

/** The mask of each rule over one series. */
export function ruleMasks(rules: readonly PlannedRule[], bars: BarSeries): Mask[] {
  const frames = new RuleFrames(bars);
  try {
    return rules.map((rule) => frames.mask(rule));
  } finally {
    frames.release(); // the masks do not refer to the columns
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

  constructor(private readonly bars: BarSeries) {}

  /** Bytes that computed columns take now. */
  get bytes(): number {
    let bytes = 0;
    for (const { frame } of this.#byTimeframe.values()) bytes += frame.bytes;
    return bytes;
  }

  mask({ signal, params, role, timeframeMs }: PlannedRule): Mask {
    const { frame, coarse } = this.#frame(timeframeMs);
    const mask = signalMask(signal, params, frame);
    return coarse === null ? mask : alignMask(mask, coarse.visibleFrom, role === 'TRIGGER', this.bars.barCount);
  }

  /**
   * Gives the computed columns back and keeps the coarse bars. A rule that needs such a column
   * later computes it again.
   */
  releaseColumns(): void {
    for (const { frame } of this.#byTimeframe.values()) frame.release();
  }

  /** Gives back the columns and the coarse bars. */
  release(): void {
    this.releaseColumns();
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
