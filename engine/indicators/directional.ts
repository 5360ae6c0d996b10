import { DIVIDE, SCALE } from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, high, low, type OpenStream } from './column.js';
import { bars, line, n, next, overBars } from './indicator.js';
import { SINCE_MAX, SUM } from './rolling.js';
import { ofOneBar, ofTwoBars } from './stream.js';
import { rangeFrom, trueRange } from './volatility.js';

/**
 * Wilder's directional movement: [+DI, -DI, ADX]. The running sums start as the plain sum of bars
 * 1..n and then lose one n-th per bar. DI is readable from n+1, DX from n. ADX is the mean of
 * DX[n..2n-1] at 2n-1 and Wilder-smoothed after. NaN where a divisor is 0. Bars without a DX, as
 * at a flat start, are left out of the first mean, and count by the gap rule of `smooth` after it.
 * @see Wilder, New Concepts in Technical Trading Systems (1978)
 */
function directionalMovement(
  h: Float64Array,
  l: Float64Array,
  c: Float64Array,
  window: number,
  plusDi: Float64Array,
  minusDi: Float64Array,
  adx: Float64Array,
): void {
  const length = h.length;
  const keep = 1 - 1 / window;
  const weight = 1 / window;
  plusDi.fill(NaN, 0, Math.min(2 * window, length));
  minusDi.fill(NaN, 0, Math.min(2 * window, length));
  adx.fill(NaN, 0, Math.min(window, length));
  let range = 0;
  let plus = 0;
  let minus = 0;
  let average = 0;
  let indices = 0; // in the first mean
  let age = keep; // weight that the average keeps at the next index
  let highBefore = h[0];
  let lowBefore = l[0];
  let closeBefore = c[0];
  for (let t = 1; t < length; t++) {
    const up = h[t] - highBefore;
    const down = lowBefore - l[t];
    const fade = t > window ? keep : 1;
    range = range * fade + rangeFrom(closeBefore, h[t], l[t]);
    plus = plus * fade + (up > down && up > 0 ? up : 0);
    minus = minus * fade + (down > up && down > 0 ? down : 0);
    highBefore = h[t];
    lowBefore = l[t];
    closeBefore = c[t];
    if (t < window) continue;
    if (t > window) {
      plusDi[t] = 100 * (plus / range);
      minusDi[t] = 100 * (minus / range);
    }
    const index = 100 * (Math.abs(plus - minus) / (plus + minus));
    if (Number.isNaN(index)) {
      if (indices === window) age *= keep;
    } else if (indices < window) {
      average += index;
      if (++indices === window) average /= window;
    } else if (age === keep) {
      average += (index - average) * weight;
    } else {
      average += ((index - average) * weight) / (age + weight);
      age = keep;
    }
    adx[t] = indices === window ? average : NaN;
  }
}

/*
 * Kernels whose value depends on the way there, such as trailing stops and running totals, one bar
 * at a time: the loops of their kernels with the state kept between.
 */

/** [+DI, -DI, ADX], see `directionalMovement`. */
const adxStream: OpenStream = ([window]) => {
  const keep = 1 - 1 / window;
  const weight = 1 / window;
  let range = 0;
  let plus = 0;
  let minus = 0;
  let average = 0;
  let indices = 0;
  let age = keep;
  let highBefore = NaN;
  let lowBefore = NaN;
  let closeBefore = NaN;
  let t = -1;
  return ([high, low, close], outputs) => {
    t++;
    outputs.fill(NaN);
    if (t > 0) {
      const up = high - highBefore;
      const down = lowBefore - low;
      const fade = t > window ? keep : 1;
      range = range * fade + rangeFrom(closeBefore, high, low);
      plus = plus * fade + (up > down && up > 0 ? up : 0);
      minus = minus * fade + (down > up && down > 0 ? down : 0);
    }
    highBefore = high;
    lowBefore = low;
    closeBefore = close;
    if (t < Math.max(1, window)) return;
    if (t > window) {
      outputs[0] = 100 * (plus / range);
      outputs[1] = 100 * (minus / range);
    }
    const index = 100 * (Math.abs(plus - minus) / (plus + minus));
    if (Number.isNaN(index)) {
      if (indices === window) age *= keep;
    } else if (indices < window) {
      average += index;
      if (++indices === window) average /= window;
    } else if (age === keep) {
      average += (index - average) * weight;
    } else {
      average += ((index - average) * weight) / (age + weight);
      age = keep;
    }
    if (indices === window) outputs[2] = average;
  };
};

const adxKernel = defineKernel(
  'ADX',
  adxStream,
  ([h, l, c], [window], [plusDi, minusDi, adx]) => directionalMovement(h, l, c, window, plusDi, minusDi, adx),
  {
    outputCount: 3,
    simd: (kernels, length, [h, l, c], [window], [plusDi, minusDi, adx]) =>
      kernels.adx(h, l, c, length, window, plusDi, minusDi, adx),
  },
);
export function ADX(window: number): readonly [plusDi: Column, minusDi: Column, adx: Column] {
  const [plusDi, minusDi, adx] = columnsOf(adxKernel, [high, low, close], [window]);
  return [plusDi, minusDi, adx];
}

const aroonKernel = defineKernel('AROON', ofOneBar, ([since], [window], [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (100 * (window - since[t])) / window;
});
/**
 * 100 (position of the highest of the last n+1 values) / n. Position 0 is the oldest bar; of equal
 * values the oldest counts.
 */
const aroon = (x: Column, window: number): Column => columnOf(aroonKernel, [SINCE_MAX(x, window + 1)], [window]);

/** [up, down], 0..100. First value at n. */
export const AROON = (window: number): readonly [up: Column, down: Column] => [
  aroon(high, window),
  aroon(SCALE(-1, low), window),
];

const vortexMoveKernel = defineKernel('VORTEX_MOVE', ofTwoBars, ([to, from], _, [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) out[t] = Math.abs(to[t] - from[t - 1]);
});
const vortexRangeKernel = defineKernel('VORTEX_RANGE', ofTwoBars, ([range], _, [out]) => {
  out.set(range);
  out.fill(NaN, 0, 1);
});

/**
 * [VI+, VI-]: sums of |high - previous low| and |low - previous high| over the sum of true ranges.
 * First value at n.
 */
export function VORTEX(window: number): readonly [plus: Column, minus: Column] {
  const range = SUM(columnOf(vortexRangeKernel, [trueRange]), window);
  const line = (to: Column, from: Column) => DIVIDE(SUM(columnOf(vortexMoveKernel, [to, from]), window), range);
  return [line(high, low), line(low, high)];
}

export const directionalTrends = {
  ADX: overBars({
    title: 'Average directional index',
    formula:
      "Wilder DMI: up = H[t]-H[t-1], dn = L[t-1]-L[t]; +DM = up if up > dn and up > 0 else 0; -DM = dn if dn > up and dn > 0 else 0; TR'[t] = max(H[t],C[t-1]) - min(L[t],C[t-1]); S(x)[n] = sum(x[1..n]), S(x)[t] = S(x)[t-1]*(1-1/n) + x[t]; +DI/-DI = 100*S(+-DM)/S(TR') , readable by signals from t = n+1; DX = 100*|+DI - -DI|/(+DI + -DI) from t = n; ADX[2n-1] = mean(DX[n..2n-1]), ADX[t] = ADX[t-1] + (DX[t]-ADX[t-1])/n; NaN before, NaN if a divisor is 0",
    params: { window: bars(14, 2) },
    lines: ({ window }) => {
      const [plus_di, minus_di, adx] = ADX(window);
      return { adx, plus_di, minus_di };
    },
    functions: {
      adx: line('adx', 'average directional index', n, (window) => 2 * window),
      plus_di: line('plus_di', 'directional indicator, up', n, (window) => window + 2),
      minus_di: line('minus_di', 'directional indicator, down', n, (window) => window + 2),
    },
  }),
  AROON: overBars({
    title: 'Aroon',
    formula:
      'over the n+1 bars t-n..t: up = 100*(position of the highest H)/n, down = 100*(position of the lowest L)/n, position 0 = oldest .. n = newest, ties take the OLDEST bar; defined from t = n',
    params: { window: bars(25) },
    lines: ({ window }) => {
      const [up, down] = AROON(window);
      return { up, down };
    },
    functions: {
      aroon_up: line('up', 'Aroon, up', n, next),
      aroon_down: line('down', 'Aroon, down', n, next),
    },
  }),
  VORTEX: overBars({
    title: 'Vortex indicator',
    formula:
      'VI+ = sum(|H[i]-L[i-1]|)/sum(TR[i]), VI- = sum(|L[i]-H[i-1]|)/sum(TR[i]), i = t-n+1..t, defined from t = n',
    params: { window: bars(14) },
    lines: ({ window }) => {
      const [plus, minus] = VORTEX(window);
      return { plus, minus };
    },
    functions: {
      vortex_plus: line('plus', 'vortex, up', n, next),
      vortex_minus: line('minus', 'vortex, down', n, next),
    },
  }),
} as const;
