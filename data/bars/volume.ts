// biome-ignore-all lint/style/noNonNullAssertion: every index lies within the columns of one series
import { quote } from '../../engine/errors.js';
import type { BarSeries } from '../../engine/series/index.js';
import type { RawBars } from './inspect.js';

/** Names of columns that may be a volume or a turnover. */
const mayBeVolume = /volume|amount|turnover|quantity|qty|^vol(?!at)|^(size|coins?|base|quote)$/i;

/** Prices and amounts are rounded in files. */
const ROUNDING = 0.005;
/** Rows whose amounts are too small for their rounding. */
const MISFITS_MAX = 0.01;
const ROWS_MIN = 2;

/**
 * Whether one column is the turnover of another: over the volume it is a mean price, which lies
 * between low and high. Rows without trades say nothing.
 */
export function isTurnover(
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
  return rows >= ROWS_MIN && misfits <= rows * MISFITS_MAX;
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
