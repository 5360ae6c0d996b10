import { ABSOLUTE, barRange, LARGER, SMALLER, SUBTRACT } from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, high, low, type OpenStream, open } from './column.js';
import { line, one, overBars } from './indicator.js';
import { ofWindow } from './stream.js';

/** |close - open|. */
export const body: Column = ABSOLUTE(SUBTRACT(close, open));
/** Higher and lower end of the body. */
export const bodyTop: Column = LARGER(open, close);
export const bodyBottom: Column = SMALLER(open, close);
/** high - max(open, close). */
export const upperWick: Column = SUBTRACT(high, bodyTop);
/** min(open, close) - low. */
export const lowerWick: Column = SUBTRACT(bodyBottom, low);

const AVERAGE_BARS = 20;

/** Mean range of the last 20 bars; while there are fewer, of all bars so far. */
const averageRangeKernel = defineKernel(
  'AVERAGE_RANGE',
  ofWindow(() => AVERAGE_BARS),
  ([range], _, [out]) => {
    for (let t = 0; t < out.length; t++) {
      const first = Math.max(0, t - AVERAGE_BARS + 1);
      let total = 0;
      for (let i = first; i <= t; i++) total += range[i];
      out[t] = total / (t - first + 1);
    }
  },
);
export const averageRange: Column = columnOf(averageRangeKernel, [barRange]);

/** [close, open] of the averaged candles. */
const heikinAshiStream: OpenStream = () => {
  let haOpen = NaN;
  let haClose = NaN;
  let isFirst = true;
  return ([open, high, low, close], outputs) => {
    haOpen = isFirst ? (open + close) / 2 : (haOpen + haClose) / 2;
    haClose = (open + high + low + close) / 4;
    isFirst = false;
    outputs[0] = haClose;
    outputs[1] = haOpen;
  };
};

const heikinAshiKernel = defineKernel(
  'HEIKIN_ASHI',
  heikinAshiStream,
  ([o, h, l, c], _, [haClose, haOpen]) => {
    for (let t = 0; t < haClose.length; t++) {
      haClose[t] = (o[t] + h[t] + l[t] + c[t]) / 4;
      haOpen[t] = t === 0 ? (o[0] + c[0]) / 2 : (haOpen[t - 1] + haClose[t - 1]) / 2;
    }
  },
  { outputCount: 2 },
);
const [haClose, haOpen] = columnsOf(heikinAshiKernel, [open, high, low, close], []);

/** [close, open] of the averaged candles; the open is seeded with the middle of the first body. */
export const HEIKIN_ASHI: readonly [close: Column, open: Column] = [haClose, haOpen];

export const candles = {
  HEIKINASHI: overBars({
    title: 'Heikin-Ashi candles',
    formula: 'hc[t] = (O+H+L+C)/4; ho[0] = (O[0]+C[0])/2; ho[t] = (ho[t-1]+hc[t-1])/2',
    params: {},
    lines: () => ({ close: haClose, open: haOpen }),
    functions: {
      heikin_ashi_close: line('close', 'close of the Heikin-Ashi candle', {}, one),
      heikin_ashi_open: line('open', 'open of the Heikin-Ashi candle', {}, one),
    },
  }),
  CANDLE: overBars({
    title: 'Candle anatomy',
    formula: 'body = |C-O|; range = H-L; uw = H-max(O,C); lw = min(O,C)-L',
    params: {},
    lines: () => ({ body, range: barRange, upper_wick: upperWick, lower_wick: lowerWick }),
  }),
} as const;
