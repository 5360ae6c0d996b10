import { type BarSeries, firstBarFrom } from '../series/index.js';
import type { WorkingOrder } from './account.js';
import { isFilledAtOpen, isFilledInside } from './orders.js';
import { type Fill, type Held, type Levels, levelsReached, type PriceRange, touch, touchLoss } from './touches.js';

/** The finer bars of one bar, oldest first; plain objects, as few bars are walked. */
export interface FinerBars {
  /** None is missing. */
  readonly isComplete: boolean;
  readonly bars: readonly PriceRange[];
}

/** What walking finer bars decided in a run. */
export interface DetailCounts {
  /** Walks that closed something, or would have by the rule of the whole bar. */
  resolved: number;
  /** Of those, the ones that came out otherwise than by the rule of the whole bar. */
  changed: number;
  /** Exits by the rule of the whole bar, because finer bars are missing or contradict it. */
  unresolved: number;
}

export const openCounts = (): DetailCounts => ({ resolved: 0, changed: 0, unresolved: 0 });

/** How many finer bars a bar has. */
export const finerCount = (bars: BarSeries, detail: BarSeries): number => bars.intervalMs / detail.intervalMs;

/**
 * Index of the first finer bar of bar `i`, which the others of the bar follow; -1 where one of them is
 * missing. Finer bars off its grid reach into the next bar and do not count as its own.
 */
export function firstFiner(bars: BarSeries, i: number, detail: BarSeries): number {
  const startMs = bars.time[i];
  const from = firstBarFrom(detail, startMs);
  const count = firstBarFrom(detail, startMs + bars.intervalMs) - from;
  return detail.time[from] === startMs && count === finerCount(bars, detail) ? from : -1;
}

/** The finer bars of bar `i`. */
export function finerBars(bars: BarSeries, i: number, detail: BarSeries | undefined): FinerBars {
  const from = detail === undefined ? -1 : firstFiner(bars, i, detail);
  if (detail === undefined || from === -1) return { isComplete: false, bars: [] };
  const { open, high, low } = detail;
  const ofBar = Array.from({ length: finerCount(bars, detail) }, (_, k) => from + k);
  return { isComplete: true, bars: ofBar.map((k) => ({ open: open[k], high: high[k], low: low[k] })) };
}

/** All finer bars as one range. */
const together = ({ bars }: FinerBars): Omit<PriceRange, 'open'> => ({
  high: Math.max(...bars.map(({ high }) => high)),
  low: Math.min(...bars.map(({ low }) => low)),
});

/**
 * Sales of a position in a bar by its finer bars, if the bar reaches two or more levels of it and
 * its open does not close it.
 *
 * @param own sales by the rule of the whole bar
 */
export function walkPosition(
  held: Held,
  levels: Levels,
  bar: PriceRange,
  finer: FinerBars,
  own: readonly Fill[],
  counts: DetailCounts,
): readonly Fill[] {
  const reached = levelsReached(held, levels, bar).filter((isReached) => isReached);
  if (reached.length < 2 || isClosedByOpen(held, levels, bar)) return own;
  if (!agrees(held, levels, bar, finer)) return unresolved(own, counts);
  const walked: Fill[] = [];
  const left = { ...held };
  for (const range of finer.bars) {
    if (left.size > 0) touch(left, levels, range, walked);
  }
  count(walked, own, counts);
  return walked;
}

function isClosedByOpen(held: Held, levels: Levels, { open }: PriceRange): boolean {
  const left = { ...held };
  touch(left, levels, { open, high: open, low: open }, []);
  return left.size === 0;
}

/** Whether the finer bars are all there and reach every level that the bar reaches. */
function agrees(held: Held, levels: Levels, bar: PriceRange, finer: FinerBars): boolean {
  if (!finer.isComplete) return false;
  const byFiner = levelsReached(held, levels, together(finer));
  return levelsReached(held, levels, bar).every((isReached, i) => !isReached || byFiner[i]);
}

/** Sales by the rule of the whole bar, which no finer bars could judge. */
function unresolved(own: readonly Fill[], counts: DetailCounts): readonly Fill[] {
  if (own.length > 0) counts.unresolved++;
  return own;
}

function count(walked: readonly Fill[], own: readonly Fill[], counts: DetailCounts): void {
  if (walked.length === 0 && own.length === 0) return;
  counts.resolved++;
  if (!isSame(walked, own)) counts.changed++;
}

const isSame = (a: readonly Fill[], b: readonly Fill[]): boolean =>
  a.length === b.length &&
  a.every(({ raw, size, reason }, i) => raw === b[i].raw && size === b[i].size && reason === b[i].reason);

/** An entry order that a bar fills inside. */
export interface InsideEntry {
  /** Price before slippage. */
  readonly raw: number;
  /** Sales of the opened position in the rest of the bar. */
  readonly judge: (held: Held, levels: Levels, counts: DetailCounts) => readonly Fill[];
}

/**
 * Where an order fills inside a bar, at its level or, where finer bars tell, at the open of the
 * first one beyond it; null where it does not. Without finer bars only the loss counts in the rest
 * of the bar, because the gain may have come before the entry.
 */
export function walkEntry(
  order: WorkingOrder,
  isLimit: boolean,
  bar: PriceRange,
  finer: FinerBars | null,
): InsideEntry | null {
  if (!isFilledInside(order, isLimit, bar)) return null;
  const whole = (held: Held, levels: Levels): Fill[] => {
    const fills: Fill[] = [];
    touchLoss(held, levels, bar, fills);
    return fills;
  };
  const { level: raw } = order;
  if (finer === null) return { raw, judge: whole };
  const isAtOpen = ({ open }: PriceRange) => isFilledAtOpen(order, isLimit, open);
  const at = finer.isComplete
    ? finer.bars.findIndex((range) => isAtOpen(range) || isFilledInside(order, isLimit, range))
    : -1;
  if (at === -1) return { raw, judge: (held, levels, counts) => unresolved(whole(held, levels), counts) };
  const judge = (held: Held, levels: Levels, counts: DetailCounts): readonly Fill[] => {
    const own = whole({ ...held }, levels);
    if (!agrees(held, levels, bar, finer)) return unresolved(own, counts);
    const walked: Fill[] = [];
    const left = { ...held };
    touchLoss(left, levels, finer.bars[at], walked);
    for (const range of finer.bars.slice(at + 1)) if (left.size > 0) touch(left, levels, range, walked);
    count(walked, own, counts);
    return walked;
  };
  return { raw: isAtOpen(finer.bars[at]) ? finer.bars[at].open : raw, judge };
}
