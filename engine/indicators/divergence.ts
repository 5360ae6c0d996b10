import { type Column, close, columnOf, defineKernel } from './column.js';
import { bars, overColumn, READ_WINDOW_MAX } from './indicator.js';
import { RSI } from './oscillators.js';

/**
 * 1 on the bar where a divergence between price and oscillator is complete, else 0.
 *
 * Bar j is a low swing of x, seen from bar t, when 0 < j < t and x[j] is strictly below every other
 * value of x[max(0, j-s) .. min(t, j+s)]; a high swing is the mirror. For two consecutive price
 * swings p1 < p2 at least `minDistance` apart, q1 and q2 are the oscillator swings nearest to them
 * (the earlier one on a tie). The pair fires on bar max(p2, q2) + s and on no other, unless q1 =
 * q2.
 *
 * A swing closer than s to bar t is provisional. Both p2 and q2 lie at or before t - s on the bar
 * where they fire, so only swings confirmed by s later bars can fire; a provisional oscillator
 * swing nearer to p2 holds the pair back. Hence one pass: bar t confirms at most one swing of each
 * series, at u = t - s, and every pair it completes has p2 or q2 at u.
 */
const divergenceKernel = defineKernel(
  'DIVERGENCE',
  null,
  ([prices, oscillator], [s, minDistance, sign, hidden], [out]) => {
    const price = sign < 0 ? prices.map((value) => -value) : prices;
    const wave = sign < 0 ? oscillator.map((value) => -value) : oscillator;
    const length = out.length;
    const priceSwings = new Int32Array(length);
    const waveSwings = new Int32Array(length);
    let priceCount = 0;
    let waveCount = 0;

    const fires = (p1: number, p2: number, q2: number): boolean => {
      if (p2 - p1 < minDistance) return false;
      const q1 = waveSwings[nearest(waveSwings, waveCount, p1)];
      if (q1 === q2) return false;
      return hidden ? price[p2] > price[p1] && wave[q2] < wave[q1] : price[p2] < price[p1] && wave[q2] > wave[q1];
    };

    out.fill(0);
    for (let t = s + 1; t < length; t++) {
      const u = t - s;
      const priceTurned = isLowSwing(price, u, s, t);
      const waveTurned = isLowSwing(wave, u, s, t);
      if (waveTurned) waveSwings[waveCount++] = u;
      if (waveCount >= 2) {
        let fired = false;
        if (priceTurned && priceCount > 0) {
          const q2 = waveSwings[waveCount - 1];
          const isHeldBack = u - q2 > 0 && hasProvisionalSwing(wave, s, t, u + (u - q2));
          fired = !isHeldBack && fires(priceSwings[priceCount - 1], u, q2);
        }
        if (waveTurned) {
          const previous = waveSwings[waveCount - 2];
          for (let k = priceCount - 1; k >= 1 && !fired; k--) {
            const p2 = priceSwings[k];
            if (u - p2 >= p2 - previous) break; // no nearer to u than to the swing before
            fired = fires(priceSwings[k - 1], p2, u);
          }
        }
        if (fired) out[t] = 1;
      }
      if (priceTurned) priceSwings[priceCount++] = u;
    }
  },
);

function isLowSwing(x: Float64Array, j: number, s: number, t: number): boolean {
  if (j <= 0 || j >= t) return false;
  const last = Math.min(t, j + s);
  for (let k = Math.max(0, j - s); k <= last; k++) {
    if (k !== j && !(x[j] < x[k])) return false;
  }
  return true;
}

/** Whether a swing lies between t - s and t, before bar `end`, as seen from t. */
function hasProvisionalSwing(x: Float64Array, s: number, t: number, end: number): boolean {
  for (let j = t - s + 1; j < Math.min(t, end); j++) if (isLowSwing(x, j, s, t)) return true;
  return false;
}

/** Position in the ascending list of the entry nearest to `bar`; the earlier one on a tie. */
function nearest(swings: Int32Array, count: number, bar: number): number {
  let after = 0;
  let end = count;
  while (after < end) {
    const middle = (after + end) >>> 1;
    if (swings[middle] < bar) after = middle + 1;
    else end = middle;
  }
  if (after === count) return count - 1;
  if (after === 0) return 0;
  return swings[after] - bar < bar - swings[after - 1] ? after : after - 1;
}

/**
 * Divergence of the close and its RSI: 1 where it completes, else 0.
 * @param swings `low` for bullish pairs, `high` for bearish ones
 */
export function RSI_DIVERGENCE(
  rsiWindow: number,
  swingWindow: number,
  minSwingDistance: number,
  swings: 'low' | 'high',
  isHidden: boolean,
): Column {
  const params = [swingWindow, minSwingDistance, swings === 'high' ? -1 : 1, isHidden ? 1 : 0];
  return columnOf(divergenceKernel, [close, RSI(close, rsiWindow)], params);
}

/** 1 on the bar that confirms a swing: the bar `window` bars earlier is one, seen from it. */
const swingKernel = defineKernel('SWING', null, ([x], [window, sign], [out]) => {
  const wave = sign < 0 ? x.map((value) => -value) : x;
  for (let t = 0; t < out.length; t++) out[t] = isLowSwing(wave, t - window, window, t) ? 1 : 0;
});
const SWING_LOW = (x: Column, window: number): Column => columnOf(swingKernel, [x], [window, 1]);
const SWING_HIGH = (x: Column, window: number): Column => columnOf(swingKernel, [x], [window, -1]);

export const swings = {
  SWING: overColumn({
    title: 'Swing highs and lows',
    formula:
      'swing low of x at j seen from bar t: 0 < j < t and x[j] < x[k] for every k != j in max(0,j-s)..min(t,j+s) (strict; high: >; NaN never qualifies), s = swing_window; windows cut at the data edges',
    params: { swing_window: bars(5, 1, READ_WINDOW_MAX) },
    lines: ({ swing_window }, x) => ({ low: SWING_LOW(x, swing_window), high: SWING_HIGH(x, swing_window) }),
  }),
} as const;
