import { CHANGE, DIVIDE, MULTIPLY, SUBTRACT, typicalPrice } from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, high, low, type OpenStream, volume } from './column.js';
import { bars, line, longer, n, next, one, overBars, self, two } from './indicator.js';
import { SUM } from './rolling.js';
import { EMA } from './smoothing.js';
import { ofOneBar, ofTwoBars } from './stream.js';

/** Close location value ((C-L)-(H-C))/(H-L) times volume; 0 on a bar without range. */
const moneyFlowKernel = defineKernel(
  'MONEY_FLOW',
  ofOneBar,
  ([h, l, c, v], _, [out]) => {
    for (let t = 0; t < out.length; t++) {
      const location = (c[t] - l[t] - (h[t] - c[t])) / (h[t] - l[t]);
      out[t] = h[t] === l[t] ? 0 : location * v[t];
    }
  },
  { simd: (kernels, length, [h, l, c, v], _, [out]) => kernels.moneyFlow(h, l, c, v, length, out) },
);
const moneyFlow: Column = columnOf(moneyFlowKernel, [high, low, close, volume]);

const totalStream: OpenStream = () => {
  let all = 0;
  return ([x], outputs) => {
    all += x;
    outputs[0] = all;
  };
};

/** Running total from bar 0 on; depends on which bar is bar 0. */
const totalKernel = defineKernel(
  'TOTAL',
  totalStream,
  ([x], _, [out]) => {
    let total = 0;
    for (let t = 0; t < out.length; t++) {
      total += x[t];
      out[t] = total;
    }
  },
  { simd: (kernels, length, [x], _, [out]) => kernels.total(x, length, out) },
);

/** Accumulation/distribution index. */
export const ADI: Column = columnOf(totalKernel, [moneyFlow]);

const signedVolumeKernel = defineKernel('SIGNED_VOLUME', ofTwoBars, ([c, v], _, [out]) => {
  // The factor is 1 or -1, without a branch on the direction.
  for (let t = 0; t < out.length; t++) out[t] = v[t] * (1 - 2 * Number(t > 0 && c[t] < c[t - 1]));
});
/** On-balance volume; bar 0 and unchanged closes add their volume. */
export const OBV: Column = columnOf(totalKernel, [columnOf(signedVolumeKernel, [close, volume])]);

/** Volume price trend. */
const vptStream: OpenStream = () => {
  let all = 0;
  let before = NaN;
  let isFirst = true;
  return ([close, volume], outputs) => {
    if (!isFirst) all += (close / before - 1) * volume;
    outputs[0] = isFirst ? NaN : all;
    before = close;
    isFirst = false;
  };
};

/** Volume price trend: running total of return times volume from bar 1; NaN on bar 0. */
const vptKernel = defineKernel('VPT', vptStream, ([c, v], _, [out]) => {
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
const easeKernel = defineKernel('EASE_OF_MOVEMENT', ofTwoBars, ([h, l, v], _, [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) {
    out[t] = (1e8 * (h[t] - h[t - 1] + (l[t] - l[t - 1])) * (h[t] - l[t])) / (2 * v[t]);
  }
});
export const EASE_OF_MOVEMENT: Column = columnOf(easeKernel, [high, low, volume]);

/** [index, line] of the negative volume index. */
const nviStream: OpenStream = ([window]) => {
  const weight = 2 / (window + 1);
  let value = 1000;
  let deviation = 0;
  let closeBefore = NaN;
  let volumeBefore = NaN;
  let isFirst = true;
  return ([close, volume], outputs) => {
    const isLess = Number(!isFirst && volume < volumeBefore);
    value *= 1 - isLess + isLess * (close / (isFirst ? close : closeBefore));
    deviation = (1 - weight) * deviation + weight * (value - 1000);
    closeBefore = close;
    volumeBefore = volume;
    isFirst = false;
    outputs[0] = value;
    outputs[1] = 1000 + deviation;
  };
};

/**
 * [index, line]: negative volume index from 1000, and its smoothing with factor 2/(n+1), both from
 * bar 0.
 */
const nviKernel = defineKernel(
  'NVI',
  nviStream,
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
  { outputCount: 2 },
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
  ofTwoBars,
  ([typical, v], _, [rising, falling]) => {
    for (let t = 0; t < v.length; t++) {
      const change = t === 0 ? 0 : typical[t] - typical[t - 1];
      const flow = typical[t] * v[t];
      rising[t] = flow * Number(change > 0);
      falling[t] = flow * Number(change < 0);
    }
  },
  { outputCount: 2 },
);
const flowIndexKernel = defineKernel('FLOW_INDEX', ofOneBar, ([rising, falling], _, [out]) => {
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
const volumeForceKernel = defineKernel('VOLUME_FORCE', ofTwoBars, ([typical, v], _, [out]) => {
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

/** One-bar change times volume, exponentially smoothed. First value at n. */
export const FORCE = (window: number): Column => EMA(MULTIPLY(CHANGE(close, 1), volume), window);

export const volumes = {
  ADI: overBars({
    title: 'Accumulation/distribution index',
    formula: 'clv = ((C-L)-(H-C))/(H-L), 0 when H == L; ADI[t] = sum_{i=0..t} clv[i]*V[i]',
    params: {},
    lines: () => ({ adi: ADI }),
    functions: { adi: line('adi', 'accumulation/distribution index', {}, one) },
  }),
  OBV: overBars({
    title: 'On-balance volume',
    formula: 'OBV[t] = sum_{i=0..t} (C[i] < C[i-1] ? -V[i] : +V[i]); bar 0 and unchanged closes add +V',
    params: {},
    lines: () => ({ obv: OBV }),
    functions: { obv: line('obv', 'on-balance volume', {}, one) },
  }),
  VPT: overBars({
    title: 'Volume price trend',
    formula: 'VPT[t] = sum_{i=1..t} (C[i]/C[i-1]-1)*V[i]; VPT[0] = NaN',
    params: {},
    lines: () => ({ vpt: VPT }),
    functions: { vpt: line('vpt', 'volume price trend', {}, two) },
  }),
  CMF: overBars({
    title: 'Chaikin money flow',
    formula: 'CMF(n) = sum(clv*V over n)/sum(V over n), clv = ((C-L)-(H-C))/(H-L), 0 when H == L',
    params: { window: bars(20) },
    lines: ({ window }) => ({ cmf: CMF(window) }),
    functions: { cmf: line('cmf', 'Chaikin money flow', n, self) },
  }),
  ADOSC: overBars({
    title: 'Chaikin oscillator',
    formula:
      'ADOSC = EMA(ADI,fast) - EMA(ADI,slow); ADI = running sum of clv*V, clv = ((C-L)-(H-C))/(H-L) (0 when H == L)',
    params: { fast: bars(3), slow: bars(10) },
    lines: ({ fast, slow }) => ({ adosc: ADOSC(fast, slow) }),
    functions: {
      adosc: line(
        'adosc',
        'Chaikin oscillator',
        { fast: 'fast', slow: 'slow' },
        (fast, slow) => Math.max(fast, slow) + 1,
      ),
    },
  }),
  FORCE: overBars({
    title: 'Force index',
    formula: 'FI = EMA((C[t]-C[t-1])*V[t], window), first input at bar 1',
    params: { window: bars(13) },
    lines: ({ window }) => ({ force: FORCE(window) }),
    functions: { force: line('force', 'force index', n, next) },
  }),
  EOM: overBars({
    title: 'Ease of movement',
    formula: 'EOM[t] = 1e8*((H[t]-H[t-1])+(L[t]-L[t-1]))*(H[t]-L[t])/(2*V[t]) (unsmoothed; IEEE division when V is 0)',
    params: {},
    lines: () => ({ eom: EASE_OF_MOVEMENT }),
    functions: { eom: line('eom', 'ease of movement', {}, two) },
  }),
  NVI: overBars({
    title: 'Negative volume index',
    formula:
      'NVI[0] = 1000; NVI[t] = NVI[t-1]*(C[t]/C[t-1]) if V[t] < V[t-1] else NVI[t-1]; line = recursion a = 2/(window+1) seeded at NVI[0] and published from bar 0',
    params: { window: bars(255) },
    lines: ({ window }) => {
      const [nvi, line] = NVI(window);
      return { nvi, line };
    },
    functions: {
      nvi: line('nvi', 'negative volume index', n, one),
      nvi_line: line('line', 'its average', n, self),
    },
  }),
  MFI: overBars({
    title: 'Money flow index',
    formula:
      'TP = (H+L+C)/3; flow[t] = TP[t]*V[t]; PF/NF = sums over t-n+1..t of flow where TP[t] > / < TP[t-1] (equal, and bar 0, count for neither); MFI = 100-100/(1+PF/NF); NF == 0 and PF > 0 gives 100; both 0 gives NaN',
    params: { window: bars(14) },
    lines: ({ window }) => ({ mfi: MFI(window) }),
    functions: { mfi: line('mfi', 'money flow index', n, self) },
  }),
  KVO: overBars({
    title: 'Klinger volume oscillator',
    formula:
      'sv[0] = 0; sv[t] = V[t]*sign(TP[t]-TP[t-1]) (0 when equal), TP = (H+L+C)/3; KVO = EMA(sv,fast)-EMA(sv,slow); signal = EMA(KVO,signal_window)',
    params: { fast: bars(34), slow: bars(55), signal_window: bars(13) },
    lines: (p) => {
      const [kvo, signal] = KLINGER(p.fast, p.slow, p.signal_window);
      return { kvo, signal };
    },
    functions: {
      kvo: line('kvo', 'Klinger oscillator', { fast: 'fast', slow: 'slow' }, longer),
      kvo_signal: line(
        'signal',
        'its signal line',
        { fast: 'fast', slow: 'slow', signal: 'signal_window' },
        (fast, slow, sign) => Math.max(fast, slow) + sign + 1,
      ),
    },
  }),
} as const;
