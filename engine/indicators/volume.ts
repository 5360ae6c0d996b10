import { DIVIDE, SUBTRACT, typicalPrice } from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, high, low, volume } from './column.js';
import { SUM } from './rolling.js';
import { EMA } from './smoothing.js';

/** Close location value ((C-L)-(H-C))/(H-L) times volume; 0 on a bar without range. */
const moneyFlowKernel = defineKernel(
  'MONEY_FLOW',
  ([h, l, c, v], _, [out]) => {
    for (let t = 0; t < out.length; t++) {
      const location = (c[t] - l[t] - (h[t] - c[t])) / (h[t] - l[t]);
      out[t] = h[t] === l[t] ? 0 : location * v[t];
    }
  },
  1,
  (kernels, length, [h, l, c, v], _, [out]) => kernels.moneyFlow(h, l, c, v, length, out),
);
const moneyFlow: Column = columnOf(moneyFlowKernel, [high, low, close, volume]);

/** Running total from bar 0 on; depends on which bar is bar 0. */
const totalKernel = defineKernel(
  'TOTAL',
  ([x], _, [out]) => {
    let total = 0;
    for (let t = 0; t < out.length; t++) {
      total += x[t];
      out[t] = total;
    }
  },
  1,
  (kernels, length, [x], _, [out]) => kernels.total(x, length, out),
);

/** Accumulation/distribution index. */
export const ADI: Column = columnOf(totalKernel, [moneyFlow]);

const signedVolumeKernel = defineKernel('SIGNED_VOLUME', ([c, v], _, [out]) => {
  // The factor is 1 or -1, without a branch on the direction.
  for (let t = 0; t < out.length; t++) out[t] = v[t] * (1 - 2 * Number(t > 0 && c[t] < c[t - 1]));
});
/** On-balance volume; bar 0 and unchanged closes add their volume. */
export const OBV: Column = columnOf(totalKernel, [columnOf(signedVolumeKernel, [close, volume])]);

/** Volume price trend: running total of return times volume from bar 1; NaN on bar 0. */
const vptKernel = defineKernel('VPT', ([c, v], _, [out]) => {
  out.fill(NaN, 0, 1);
  let total = 0;
  for (let t = 1; t < out.length; t++) {
    total += (c[t] / c[t - 1] - 1) * v[t];
    out[t] = total;
  }
});
export const VPT: Column = columnOf(vptKernel, [close, volume]);

/** Chaikin money flow. NaN where nothing was traded. First value at n-1. */
export const CMF = (window: number): Column => DIVIDE(SUM(moneyFlow, window), SUM(volume, window));

/** Chaikin oscillator: fast minus slow EMA of ADI. */
export const ADOSC = (fast: number, slow: number): Column => SUBTRACT(EMA(ADI, fast), EMA(ADI, slow));

/** Ease of movement of one bar, scaled 1e8, unsmoothed. First value at 1. */
const easeKernel = defineKernel('EASE_OF_MOVEMENT', ([h, l, v], _, [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) {
    out[t] = (1e8 * (h[t] - h[t - 1] + (l[t] - l[t - 1])) * (h[t] - l[t])) / (2 * v[t]);
  }
});
export const EASE_OF_MOVEMENT: Column = columnOf(easeKernel, [high, low, volume]);

/**
 * [index, line]: negative volume index from 1000, and its smoothing with factor 2/(n+1), both from
 * bar 0.
 */
const nviKernel = defineKernel(
  'NVI',
  ([c, v], [window], [index, line]) => {
    const weight = 2 / (window + 1);
    let value = 1000;
    // The deviation is from the seed, so that an index that never moves stays on its line.
    let deviation = 0;
    for (let t = 0; t < index.length; t++) {
      const isLess = Number(t > 0 && v[t] < v[t - 1]);
      // The factor is 1 or the ratio, without a branch.
      value *= 1 - isLess + isLess * (c[t] / c[Math.max(t - 1, 0)]);
      deviation = (1 - weight) * deviation + weight * (value - 1000);
      index[t] = value;
      line[t] = 1000 + deviation;
    }
  },
  2,
);
export function NVI(window: number): readonly [index: Column, line: Column] {
  const [index, line] = columnsOf(nviKernel, [close, volume], [window]);
  return [index, line];
}

/**
 * [rising, falling]: typical price times volume of the bars on which that price rose, and of those
 * on which it fell; 0 on other bars and on bar 0.
 */
const flowsKernel = defineKernel(
  'FLOWS',
  ([typical, v], _, [rising, falling]) => {
    for (let t = 0; t < v.length; t++) {
      const change = t === 0 ? 0 : typical[t] - typical[t - 1];
      const flow = typical[t] * v[t];
      rising[t] = flow * Number(change > 0);
      falling[t] = flow * Number(change < 0);
    }
  },
  2,
);
const flowIndexKernel = defineKernel('FLOW_INDEX', ([rising, falling], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = 100 - 100 / (1 + rising[t] / falling[t]);
});
/** Money flow index 0..100 (Quong and Soudack 1989). */
export function MFI(window: number): Column {
  const flows = columnsOf(flowsKernel, [typicalPrice, volume], []);
  return columnOf(
    flowIndexKernel,
    flows.map((flow) => SUM(flow, window)),
  );
}

/**
 * Volume signed by the change of the typical price, 0 on ties and on bar 0 (Klinger's volume
 * force).
 */
const volumeForceKernel = defineKernel('VOLUME_FORCE', ([typical, v], _, [out]) => {
  out.fill(0, 0, 1);
  for (let t = 1; t < out.length; t++) {
    const change = typical[t] - typical[t - 1];
    out[t] = v[t] * (Number(change > 0) - Number(change < 0));
  }
});

/** [oscillator, signal]: fast minus slow EMA of the signed volume, and its EMA. */
export function KLINGER(fast: number, slow: number, sign: number): readonly [oscillator: Column, signal: Column] {
  const force = columnOf(volumeForceKernel, [typicalPrice, volume]);
  const oscillator = SUBTRACT(EMA(force, fast), EMA(force, slow));
  return [oscillator, EMA(oscillator, sign)];
}

const cumulativeReturnKernel = defineKernel('CUMULATIVE_RETURN', ([c], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = 100 * (c[t] / c[0] - 1);
});
/** Percent gained since the first bar supplied; depends on the history loaded. */
export const CUMULATIVE_RETURN: Column = columnOf(cumulativeReturnKernel, [close]);

const returnKernel = defineKernel('RETURN', ([c], _, [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) out[t] = 100 * (c[t] / c[t - 1] - 1);
});
/** One-bar return in percent. */
export const RETURN: Column = columnOf(returnKernel, [close]);
