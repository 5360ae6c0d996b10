import { EngineError, quote } from '../errors.js';
import { CLOSE_TIME } from '../indicators/clock.js';
import type { ParamValues } from '../indicators/params.js';
import { allocateBars, type BarSeries, type PriceColumn, plainColumns, priceColumns } from '../series/bars.js';
import { parseTimestamp } from '../series/time.js';
import { evaluateSignal } from './evaluate.js';
import { columnsBeside, type Signal } from './signal.js';

/**
 * One bar as callers write it. Open, High, Low, Close, Volume and timestamp match in any case,
 * further columns only by their exact names. A cell of them that is null or a text means no
 * observation.
 */
export type BarObject = Readonly<Record<string, unknown>>;

/**
 * The answer of the signal on the last of these bars; false without bars, or where a timestamp that
 * it needs is missing. A signal that reads the clock needs two bars, whose distance is their
 * length. Columns that the signal does not read may be absent.
 *
 * @param params complete, as resolveParams returns them
 * @throws MISSING_FIELD for a price or volume column that the signal reads, INVALID_DATA for such a
 *   cell that is not a finite number
 */
export function evaluateBars(signal: Signal, params: ParamValues, bars: readonly BarObject[]): boolean {
  const series = toSeries(signal, params, bars);
  const isClocked = readsClock(signal, params);
  if ((signal.needsTimestamps || isClocked) && series.time.some(Number.isNaN)) return false;
  if (isClocked && !(series.intervalMs > 0)) return false;
  return evaluateSignal(signal, params, series);
}

/** Whether the answer depends on the time at which a bar closes. */
const readsClock = (signal: Signal, params: ParamValues): boolean =>
  signal.sources?.(params).includes(CLOSE_TIME) ?? false;

/** The shortest time from one bar to the next, which stands for the length of a bar; NaN for one bar. */
function barSpacing(time: Float64Array): number {
  let shortest = NaN;
  for (let i = 1; i < time.length; i++) {
    const spacing = time[i] - time[i - 1];
    if (!(spacing >= shortest)) shortest = spacing;
  }
  return shortest;
}

/** The columns that the signal reads, as a series; the others hold NaN. */
function toSeries(signal: Signal, params: ParamValues, bars: readonly BarObject[]): BarSeries {
  const names = columnsBeside(signal, params);
  const isClocked = readsClock(signal, params);
  const needsTime = signal.needsTimestamps || isClocked;
  const series = allocateBars(bars.length, 0, names, plainColumns);
  const read: ReadonlySet<string> = new Set(
    (signal.sources?.(params) ?? signal.requires).map((name) => name.toLowerCase()),
  );
  for (const [i, bar] of bars.entries()) {
    const cells = new Map(Object.entries(bar).map(([name, value]) => [name.toLowerCase(), value]));
    for (const name of priceColumns) series[name][i] = read.has(name) ? priceCell(name, cells, i) : NaN;
    // Parsing a timestamp from text costs more than the rest of the bar, and few signals read it.
    series.time[i] = needsTime ? parseTimestamp(cells.get('timestamp')) : NaN;
    // biome-ignore lint/style/noNonNullAssertion: the series was allocated with these columns
    for (const name of names) series.columns[name]![i] = cell(bar, name);
  }
  return isClocked ? { ...series, intervalMs: barSpacing(series.time) } : series;
}

function priceCell(name: PriceColumn, cells: ReadonlyMap<string, unknown>, bar: number): number {
  const value = cells.get(name);
  if (value === undefined) throw new EngineError('MISSING_FIELD', `bars[${bar}]: ${name} is required`, { field: name });
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new EngineError('INVALID_DATA', `bars[${bar}]: ${name} must be a finite number, was ${quote(value)}`, {
    field: name,
  });
}

const cell = (bar: BarObject, name: string): number => {
  const value = Object.hasOwn(bar, name) ? bar[name] : undefined;
  return typeof value === 'number' ? value : NaN;
};
