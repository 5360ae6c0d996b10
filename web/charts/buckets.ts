/** Columns of bars, oldest first; times are opens, epoch ms. */
export interface PriceColumns {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
}

/** One drawn candle, made of the bars from `from` to before `to`. */
interface Bucket {
  readonly from: number;
  readonly timeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Bars `from` to before `to`, `size` in each candle. Buckets are counted from bar 0, so they stay while a chart moves. */
export function bucketBars(
  { time, open, high, low, close }: PriceColumns,
  from: number,
  to: number,
  size: number,
): Bucket[] {
  const buckets: Bucket[] = [];
  for (let start = Math.floor(from / size) * size; start < to; start += size) {
    const end = Math.min(start + size, time.length);
    let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let i = start; i < end; i++) {
      top = Math.max(top, high[i] ?? top);
      bottom = Math.min(bottom, low[i] ?? bottom);
    }
    const [first, last] = [open[start], close[end - 1]];
    if (first === undefined || last === undefined) break;
    buckets.push({ from: start, timeMs: time[start] ?? Number.NaN, open: first, high: top, low: bottom, close: last });
  }
  return buckets;
}

/** Points of a curve, no more than two for each of `columns` equal parts: the lowest and the highest, in their order. */
export function thinCurve(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  [from, to]: readonly [number, number],
  columns: number,
): readonly [number[], number[]] {
  const count = to - from;
  if (count <= 2 * columns) {
    return [
      Array.from({ length: count }, (_, i) => x[from + i] ?? 0),
      Array.from({ length: count }, (_, i) => y[from + i] ?? 0),
    ];
  }
  const outX: number[] = [];
  const outY: number[] = [];
  const take = (i: number): void => {
    outX.push(x[i] ?? 0);
    outY.push(y[i] ?? 0);
  };
  for (let column = 0; column < columns; column++) {
    const start = from + Math.floor((column * count) / columns);
    const end = from + Math.floor(((column + 1) * count) / columns);
    let [low, high] = [start, start];
    for (let i = start + 1; i < end; i++) {
      const value = y[i] ?? 0;
      if (value < (y[low] ?? 0)) low = i;
      if (value > (y[high] ?? 0)) high = i;
    }
    take(Math.min(low, high));
    if (low !== high) take(Math.max(low, high));
  }
  return [outX, outY];
}
