// biome-ignore-all lint/style/noNonNullAssertion: the drawn columns have one length, and every index lies within it
/** Pixel columns of a chart, independent of its width on the screen. */
export const COLUMNS = 1_200;
/** Pixel rows. */
export const ROWS = 1_000;

const pixelColumn = (time: number, startMs: number, endMs: number): number =>
  endMs > startMs ? Math.round(((time - startMs) / (endMs - startMs)) * COLUMNS) : COLUMNS / 2;

const pixelRow = (place: number): number => Math.round(ROWS * (1 - place));

interface Curve {
  readonly time: Float64Array;
  readonly values: Float64Array;
  readonly startMs: number;
  readonly endMs: number;
  /** Place of a value on the axis, 0 bottom, 1 top. */
  readonly at: (value: number) => number;
}

/**
 * A line through the first, lowest, highest and last value of every pixel column, in the order of
 * time. It looks the same as a line through all points (the M4 aggregation of Jugel et al. 2014),
 * and no spike is lost. NaN interrupts the line.
 */
export function linePath({ time, values, startMs, endMs, at }: Curve): string {
  const parts: string[] = [];
  let isOpen = false;
  let column = Number.NaN;
  let first = 0;
  let low = 0;
  let high = 0;
  const flush = (end: number): void => {
    if (Number.isNaN(column)) return;
    const picks = [first, Math.min(low, high), Math.max(low, high), end];
    let last = '';
    for (const i of picks) {
      const point = `${column} ${pixelRow(at(values[i]!))}`;
      if (point !== last) parts.push(isOpen ? `L${point}` : `M${point}`);
      isOpen = true;
      last = point;
    }
  };
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const isGap = Number.isNaN(at(value)) || !Number.isFinite(at(value));
    const next = isGap ? Number.NaN : pixelColumn(time[i]!, startMs, endMs);
    if (next !== column) {
      flush(i - 1);
      if (isGap) isOpen = false;
      column = next;
      first = low = high = i;
    } else if (value < values[low]!) low = i;
    else if (value > values[high]!) high = i;
  }
  flush(values.length - 1);
  return parts.join('');
}

/** One vertical stroke per pixel column, from its lowest to its highest value. */
export function rangePath(low: Curve, high: Float64Array): string {
  const { time, values, startMs, endMs, at } = low;
  const parts: string[] = [];
  let column = -1;
  let bottom = 0;
  let top = 0;
  const flush = (): void => {
    if (column >= 0) parts.push(`M${column} ${pixelRow(at(bottom))}V${pixelRow(at(top))}`);
  };
  for (let i = 0; i < values.length; i++) {
    const next = pixelColumn(time[i]!, startMs, endMs);
    if (next !== column) {
      flush();
      column = next;
      bottom = values[i]!;
      top = high[i]!;
    }
    if (values[i]! < bottom) bottom = values[i]!;
    if (high[i]! > top) top = high[i]!;
  }
  flush();
  return parts.join('');
}

export function areaPath(line: string, level: number): string {
  const points = line.split(/(?=[ML])/);
  if (line === '') return '';
  const x = (point: string): string => point.slice(1).split(' ')[0]!;
  const row = pixelRow(level);
  return `M${x(points[0]!)} ${row}${points.map((point) => `L${point.slice(1)}`).join('')}L${x(points[points.length - 1]!)} ${row}Z`;
}

/** Index of the last bar that opened at or before a time; 0 for a time before the first bar. */
export function barAt(time: Float64Array, ms: number): number {
  let low = 0;
  let high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle]! <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}
