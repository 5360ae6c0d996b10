// biome-ignore-all lint/style/noNonNullAssertion: every index lies within the columns that are compared

import { quote } from '../../engine/errors.js';
import { type BarSeries, bucketStart } from '../../engine/series/index.js';
import type { RawBars } from './inspect.js';

/**
 * Which cells of a file are which, judged by what bars must satisfy: low and high bound open and
 * close, turnover over volume lies between them, times of bars lie on a grid.
 */

/** Positions of open, high, low, close and volume; without a volume only four. */
interface RowOrder {
  readonly prices: readonly number[];
  /** Whether open and close might as well be exchanged. */
  readonly isOpenUnclear: boolean;
}

/** Fewer rows fit too many orders. */
const ROWS_MIN = 3;
/** Rows from which opens that equal the closes of later bars prove an exchange. */
const EXCHANGE_ROWS_MIN = 10;
const COLUMNS_MAX = 20;

/**
 * The order of the cells of rows without names, where it is not the usual one.
 *
 * @param columns by position, in the order of their times; null for one that is no number
 * @param usual positions of open, high, low, close and, if there is one, volume
 * @returns null where the usual order fits, and where no order does
 */
export function unusualOrder(columns: readonly (Float64Array | null)[], usual: readonly number[]): RowOrder | null {
  const numeric = columns.flatMap((values, index) => (values === null ? [] : [{ values, index }]));
  const rowCount = numeric[0]?.values.length ?? 0;
  if (rowCount < ROWS_MIN || numeric.length > COLUMNS_MAX) return null;
  const [open = -1, high = -1, low = -1, close = -1, usualVolume] = usual;
  const isUsual = [open, close].every((k) => isBetween(columns[k], columns[low], columns[high]));
  const bounds = isUsual ? { high, low, within: [open, close] } : narrowestBounds(numeric);
  if (bounds === null) return null;
  const pairs = bounds.within.flatMap((from) =>
    bounds.within.flatMap((to) => (from === to ? [] : [[from, to] as const])),
  );
  const steps = pairs
    .map(([from, to]) => ({ from, to, step: stepBetween(columns[from]!, columns[to]!) }))
    .sort((a, b) => a.step - b.step);
  const best = steps[0]!;
  const back = steps.find(({ from, to }) => from === best.to && to === best.from)!;
  const isExchanged = rowCount >= EXCHANGE_ROWS_MIN && best.from !== open && best.step * 4 < back.step;
  const [from, to] = isUsual && !isExchanged ? [open, close] : [best.from, best.to];
  const prices = [from, bounds.high, bounds.low, to];
  if (usualVolume !== undefined) prices.push(volumeIn(columns, prices, usualVolume));
  if (prices.every((index, k) => index === usual[k])) return null;
  return { prices, isOpenUnclear: !isUsual && best.step * 1.5 > back.step };
}

type Column = Float64Array | null | undefined;

const isBetween = (values: Column, low: Column, high: Column): boolean =>
  !!values && !!low && !!high && values.every((value, i) => value >= low[i]! && value <= high[i]!);

/** The two columns that bound two others in every row, and lie nearest to each other. */
function narrowestBounds(numeric: readonly { readonly values: Float64Array; readonly index: number }[]) {
  let best: { high: number; low: number; within: number[]; width: number } | null = null;
  for (const high of numeric) {
    for (const low of numeric) {
      const width = high.values.reduce((sum, value, i) => sum + value - low.values[i]!, 0);
      if (!(width > 0) || (best !== null && width >= best.width)) continue;
      const within = numeric
        .filter((each) => each !== high && each !== low && isBetween(each.values, low.values, high.values))
        .map(({ index }) => index);
      if (within.length >= 2) best = { high: high.index, low: low.index, within, width };
    }
  }
  return best;
}

/** How far opens are from the closes before them: little, since markets go on where they stopped. */
function stepBetween(open: Float64Array, close: Float64Array): number {
  let sum = 0;
  for (let i = 1; i < open.length; i++) sum += Math.abs(open[i]! - close[i - 1]!);
  return sum;
}

/** The volume among cells that are no prices: the one that a turnover goes with, the usual or the first. */
function volumeIn(columns: readonly Column[], prices: readonly number[], usual: number): number {
  const [, high = 0, low = 0] = prices;
  const bounds = { high: columns[high]!, low: columns[low]! };
  const free = columns.flatMap((values, index) => (values && !prices.includes(index) ? [{ values, index }] : []));
  const divides = (turnover: Float64Array, volume: Float64Array) =>
    turnover !== volume && isTurnover(turnover, volume, bounds) && !isTurnover(volume, turnover, bounds);
  const bases = free.filter(({ values }) => free.some((other) => divides(other.values, values)));
  const kept = free.find(({ index }) => index === usual);
  const isKept = kept !== undefined && !free.some(({ values }) => divides(kept.values, values));
  return (isKept ? kept.index : undefined) ?? bases[0]?.index ?? free[0]?.index ?? usual;
}

/** Times of a bar that a file has, by the name of their column. */
interface TimeColumn {
  readonly index: number;
  readonly times: readonly number[];
}

/**
 * Which of several time columns is the open of each bar, where the column of the usual name is off
 * the grid of its interval, as the time of the last trade is: the one on the grid whose bar contains it.
 *
 * @returns undefined where the usual column is, or no other goes with it; without `open`, the
 *   columns that may be it
 */
export function openColumns(
  usual: TimeColumn,
  others: readonly TimeColumn[],
): { readonly open: TimeColumn | undefined; readonly related: readonly TimeColumn[] } | undefined {
  const intervalMs = commonSpacing(usual.times);
  const isOnGrid = ({ times }: TimeColumn) => times.every((ms) => bucketStart(ms, intervalMs) === ms);
  if (intervalMs === 0 || isOnGrid(usual)) return undefined;
  const related = others.flatMap((other) => {
    const after = other.times.map((ms, i) => usual.times[i]! - ms);
    const [least, most] = [Math.min(...after), Math.max(...after)];
    return isOnGrid(other) && most - least <= intervalMs ? [{ other, isOpen: least >= 0 && most <= intervalMs }] : [];
  });
  if (related.length === 0) return undefined;
  const opens = related.filter(({ isOpen }) => isOpen);
  const [first] = opens;
  const isOne =
    first !== undefined && opens.every(({ other }) => other.times.every((ms, i) => ms === first.other.times[i]));
  return { open: isOne ? first.other : undefined, related: related.map(({ other }) => other) };
}

/** The most frequent distance of neighbouring times; 0 for a single one. */
function commonSpacing(times: readonly number[]): number {
  const counts = new Map<number, number>();
  for (let i = 1; i < times.length; i++) {
    const spacing = Math.abs(times[i]! - times[i - 1]!);
    if (spacing > 0) counts.set(spacing, (counts.get(spacing) ?? 0) + 1);
  }
  const [[spacing] = [0]] = [...counts].sort((a, b) => b[1] - a[1]);
  return spacing;
}

/** Names of columns that may be a volume or a turnover. */
const mayBeVolume = /volume|amount|turnover|quantity|qty|^vol(?!at)|^(size|coins?|base|quote)$/i;

/** Prices and amounts are rounded in files. */
const ROUNDING = 0.005;
/** Rows whose amounts are too small for their rounding. */
const MISFITS_MAX = 0.01;
const VOLUME_ROWS_MIN = 2;

/**
 * Whether one column is the turnover of another: over the volume it is a mean price, which lies
 * between low and high. Rows without trades say nothing.
 */
function isTurnover(
  turnover: Float64Array,
  volume: Float64Array,
  { low, high }: Pick<BarSeries, 'low' | 'high'>,
): boolean {
  let rows = 0;
  let misfits = 0;
  for (let i = 0; i < volume.length; i++) {
    if (!(volume[i]! > 0) && !(turnover[i]! > 0)) continue;
    rows++;
    const mean = turnover[i]! / volume[i]!;
    if (!(mean >= low[i]! * (1 - ROUNDING) && mean <= high[i]! * (1 + ROUNDING))) misfits++;
  }
  return rows >= VOLUME_ROWS_MIN && misfits <= rows * MISFITS_MAX;
}

/**
 * Takes the volume in coins where the column of the usual name holds the turnover: the ratio of
 * both decides, over all rows. Where it does not, the name does, and a note says so.
 */
export function settleVolume(raw: RawBars): RawBars {
  const { bars, volumeName } = raw;
  if (volumeName === undefined) return raw;
  const others = Object.entries(bars.columns).filter(([name]) => mayBeVolume.test(name));
  const bases = others.filter(
    ([, values]) => isTurnover(bars.volume, values, bars) && !isTurnover(values, bars.volume, bars),
  );
  const [base] = bases;
  if (base === undefined || bases.length > 1) {
    const isKnown = others.length === 0 || others.some(([, values]) => isTurnover(values, bars.volume, bars));
    if (isKnown || bars.volume.every((units) => units === 0)) return raw;
    const listed = others.map(([name]) => quote(name)).join(', ');
    const fact = `its ratio to ${listed} does not tell which is the turnover`;
    const note = `the volume is ${quote(volumeName)} by its name, ${fact}; --column volume=NAME takes another`;
    return { ...raw, notes: [...raw.notes, note] };
  }
  const [name, volume] = base;
  const { [name]: _, ...columns } = bars.columns;
  const why = `${quote(volumeName)} divided by it lies between low and high, so that is the turnover`;
  return {
    ...raw,
    bars: { ...bars, volume, columns },
    ignoredColumns: [...raw.ignoredColumns, volumeName],
    notes: [...raw.notes, `the volume is ${quote(name)}: ${why}`],
  };
}
