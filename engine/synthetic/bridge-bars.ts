import { type AllocateColumns, allocateBars, type BarSeries } from '../series/bars.js';
import { inverseNormalCdf, SplitMix64 } from '../statistics/index.js';

/** Half a step of a uniform draw: keeps the draw above 0. */
const HALF_STEP = 2 ** -54;
/** The mean range of a Brownian bridge, in standard deviations of its free end: sqrt(pi / 2). */
const BRIDGE_RANGE = Math.sqrt(Math.PI / 2);
/** Significant digits of a drawn price, where the prices of its bar have more. */
const PRICE_DIGITS = 8;
/** Units of volume that the average finer bar has at least. */
const UNITS_MIN = 16;
/** The largest unit of volume, as a power of 2. */
const UNIT_POWER_MAX = -3;

/**
 * Finer bars drawn within coarser ones: a random path from open to close that stays between low and
 * high and reaches both. Merged again, in any grouping, they give each coarse bar bit by bit.
 * Prices have the decimals of the coarse bar. Volumes are multiples of a power of 2, so that their
 * sums are exact, except for one that takes the remainder. A bar is drawn from the seed and its
 * time alone, so each window shows the same. Columns beside the prices are left out. O(finer bars)
 *
 * @param intervalMs of the finer bars; it divides the coarser interval
 * @param seed a whole number
 */
export function bridgeBars(coarse: BarSeries, intervalMs: number, seed: bigint, allocate?: AllocateColumns): BarSeries {
  const count = coarse.intervalMs / intervalMs;
  const bars = allocateBars(coarse.barCount * count, intervalMs, [], allocate);
  const path = new Float64Array(count + 1);
  for (let t = 0; t < coarse.barCount; t++) {
    const random = new SplitMix64(seed + BigInt(coarse.time[t]));
    for (let i = 0; i < count; i++) bars.time[t * count + i] = coarse.time[t] + i * intervalMs;
    drawPath(path, coarse, t, random);
    writePrices(bars, t * count, path, coarse, t, random);
    splitVolume(bars.volume.subarray(t * count, (t + 1) * count), coarse.volume[t], random);
  }
  return bars;
}

const normal = (random: SplitMix64): number => inverseNormalCdf(random.uniform() + HALF_STEP);

/** Opens and closes of the finer bars: a Brownian bridge, reflected between low and high. */
function drawPath(path: Float64Array, { open, high, low, close }: BarSeries, t: number, random: SplitMix64): void {
  const count = path.length - 1;
  const range = high[t] - low[t];
  const step = range / BRIDGE_RANGE / Math.sqrt(count);
  const scale = 10 ** Math.max(...[open[t], high[t], low[t], close[t]].map(decimals));
  let end = 0;
  path[0] = 0;
  for (let i = 1; i <= count; i++) path[i] = end += step * normal(random);
  for (let i = 1; i < count; i++) {
    const share = i / count;
    const free = open[t] + (close[t] - open[t]) * share + path[i] - end * share;
    const price = Math.round(reflected(free, low[t], range) * scale) / scale;
    path[i] = Math.min(Math.max(price, low[t]), high[t]);
  }
  path[0] = open[t];
  path[count] = close[t];
}

/** A price folded back into a range from its two ends. */
function reflected(price: number, low: number, range: number): number {
  if (range === 0) return low;
  const turn = (((price - low) % (2 * range)) + 2 * range) % (2 * range);
  return low + Math.min(turn, 2 * range - turn);
}

/** Decimals of a price, at most as many as leave it `PRICE_DIGITS` digits. */
function decimals(price: number): number {
  const [whole = '', part = ''] = price.toString().split('.');
  if (!part.includes('e') && !whole.includes('e') && whole.length + part.length <= 2 * PRICE_DIGITS - 1) {
    return part.length;
  }
  return Math.min(Math.max(PRICE_DIGITS - Math.ceil(Math.log10(price)), 0), 22);
}

/** The extremes of the coarse bar lie where the path comes nearest to them. */
function writePrices(
  bars: BarSeries,
  from: number,
  path: Float64Array,
  coarse: BarSeries,
  t: number,
  random: SplitMix64,
): void {
  const count = path.length - 1;
  let [top, bottom] = [0, 0];
  const reach = (i: number, better: (a: number, b: number) => number) => better(path[i], path[i + 1]);
  for (let i = 0; i < count; i++) {
    bars.open[from + i] = path[i];
    bars.close[from + i] = path[i + 1];
    bars.high[from + i] = reach(i, Math.max);
    bars.low[from + i] = reach(i, Math.min);
    if (bars.high[from + i] > bars.high[from + top]) top = i;
    if (bars.low[from + i] < bars.low[from + bottom]) bottom = i;
  }
  // A wick is half of a body somewhere in the same bar: on the decimals of the path.
  for (let i = 0; i < count; i++) {
    const other = path[random.below(count + 1)];
    const body = Math.abs(path[i + 1] - path[i]);
    if (other > bars.high[from + i] && other - bars.high[from + i] <= body) bars.high[from + i] = other;
    if (other < bars.low[from + i] && bars.low[from + i] - other <= body) bars.low[from + i] = other;
  }
  bars.high[from + top] = coarse.high[t];
  bars.low[from + bottom] = coarse.low[t];
}

/**
 * Shares of a volume, drawn with an exponential spread. All but the largest are multiples of one
 * power of 2; sums of those and of the rest need no more bits than the volume has.
 */
export function splitVolume(shares: Float64Array, volume: number, random: SplitMix64): void {
  const count = shares.length;
  let sum = 0;
  let largest = 0;
  for (let i = 0; i < count; i++) {
    shares[i] = -Math.log(random.uniform() + HALF_STEP);
    sum += shares[i];
    if (shares[i] > shares[largest]) largest = i;
  }
  const unit = 2 ** Math.min(UNIT_POWER_MAX, Math.floor(Math.log2(volume / (count * UNITS_MIN))));
  let rest = volume;
  for (let i = 0; i < count; i++) {
    if (i === largest) continue;
    shares[i] = volume === 0 ? 0 : Math.floor(((shares[i] / sum) * volume) / unit) * unit;
    rest -= shares[i];
  }
  shares[largest] = rest;
}
