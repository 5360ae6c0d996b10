import { allocateBars, type BarSeries, type OnchainColumn, sliceBars } from './bars.js';
import { bucketStart } from './intervals.js';

export interface CoarseBars {
  /** Completed coarse bars only; a bucket that the data never closes is not among them. */
  readonly bars: BarSeries;
  /** Per coarse bar: index of the first base bar at whose close it is visible. */
  readonly visibleFrom: Int32Array;
  /** Per base bar: index of the newest coarse bar visible at its close, or -1. */
  readonly newest: Int32Array;
}

/** Chain columns that are flows of a bar and therefore add up; the others are levels and keep the last observation. */
const flowColumns: ReadonlySet<OnchainColumn> = new Set([
  'SmartMoneyNetflow',
  'ExchangeNetflow',
  'WhaleNetInflow',
  'EtfNetFlow',
]);

/**
 * Coarse bars from base bars: open of the first, close of the last, highest high, lowest low, summed volume.
 * A coarse bar becomes visible at the close of the first base bar that closes at or after the end of its bucket (the next
 * bar in the data when the last one is missing) and does not exist before. A leading bucket that does not start with
 * its own first base bar is discarded; inner holes are tolerated; an empty bucket yields no bar. O(bars).
 */
export function aggregateBars(base: BarSeries, coarseMs: number): CoarseBars {
  const names = Object.keys(base.onchain) as OnchainColumn[];
  const { time, open, high, low, close, volume, barCount, intervalMs } = base;
  const spanBuckets = barCount === 0 ? 0 : Math.ceil((time[barCount - 1] - time[0]) / coarseMs) + 1;
  const coarse = allocateBars(Math.min(barCount, spanBuckets), coarseMs, names);
  const visibleFrom = new Int32Array(coarse.barCount);
  const newest = new Int32Array(barCount);

  let count = 0; // coarse bars begun, the open one included
  let visible = 0; // coarse bars completed
  let from = 0;
  if (barCount > 0 && bucketStart(time[0], coarseMs) !== time[0]) {
    const end = bucketStart(time[0], coarseMs) + coarseMs;
    while (from < barCount && time[from] < end) newest[from++] = -1;
  }
  let end = -Infinity; // of the open bucket
  for (let i = from; i < barCount; i++) {
    if (time[i] >= end) {
      // The data moved on: whatever bucket was open is complete, its missing bars notwithstanding.
      if (visible < count) visibleFrom[visible++] = i;
      const start = bucketStart(time[i], coarseMs);
      end = start + coarseMs;
      coarse.time[count] = start;
      coarse.open[count] = open[i];
      coarse.high[count] = high[i];
      coarse.low[count] = low[i];
      coarse.volume[count] = 0;
      for (const name of names) coarse.onchain[name]![count] = NaN;
      count++;
    }
    const k = count - 1;
    if (high[i] > coarse.high[k]) coarse.high[k] = high[i];
    if (low[i] < coarse.low[k]) coarse.low[k] = low[i];
    coarse.close[k] = close[i];
    coarse.volume[k] += volume[i];
    for (const name of names) addObservation(coarse.onchain[name]!, k, base.onchain[name]![i], flowColumns.has(name));
    if (visible < count && time[i] + intervalMs >= end) visibleFrom[visible++] = i;
    newest[i] = visible - 1;
  }
  return { bars: sliceBars(coarse, 0, visible), visibleFrom: visibleFrom.subarray(0, visible), newest };
}

function addObservation(column: Float64Array, k: number, cell: number, isFlow: boolean): void {
  if (Number.isNaN(cell)) return;
  column[k] = isFlow && !Number.isNaN(column[k]) ? column[k] + cell : cell;
}
