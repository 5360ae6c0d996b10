import {
  adi,
  adosc,
  at,
  cmf,
  cumulative,
  cumulativeReturn,
  dailyReturn,
  ema,
  eom,
  force,
  kvo,
  mfi,
  moneyFlow,
  nvi,
  nviLine,
  obv,
  rawForce,
  type Series,
  vpt,
  vwap,
  vwma,
} from './indicators.js';
import {
  above,
  below,
  type Closeness,
  crossDown,
  crossUp,
  ge,
  gt,
  lt,
  number,
  type Params,
  type ReferenceBars,
  relativeDifference,
  type SignalDefinition,
  type SignalTable,
  scaledBy,
  withMargin,
} from './signals-truth.js';

const PERCENT = scaledBy(100);

const window = (p: Params) => number(p, 'window');
const threshold = (p: Params) => number(p, 'threshold');
const windowPlus = (extra: number) => (p: Params) => window(p) + extra;

type Compare = typeof above;

/**
 * A running total against its value window-1 bars earlier, with the total of the sizes as scale.
 */
const againstEarlier = (
  compare: typeof gt,
  minBars: (p: Params) => number,
  total: (bars: ReferenceBars) => { line: number[]; sizes: Series },
): SignalDefinition => ({
  minBars,
  rule: (bars, p) => {
    const { line, sizes } = total(bars);
    const scale = cumulative(sizes);
    return (t) => compare(line[t], at(line, t - (window(p) - 1)), { scale: scale[t] });
  },
});

const flowSizes = ({ high, low, close, volume }: ReferenceBars) => moneyFlow(high, low, close, volume).map(Math.abs);

const adiTotal = (bars: ReferenceBars) => ({
  line: adi(bars.high, bars.low, bars.close, bars.volume),
  sizes: flowSizes(bars),
});
const obvTotal = (bars: ReferenceBars) => ({ line: obv(bars.close, bars.volume), sizes: bars.volume });
const vptTotal = (bars: ReferenceBars) => ({ line: vpt(bars.close, bars.volume), sizes: bars.volume });

const cmfSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: ({ high, low, close, volume }, p) =>
    compare(cmf(high, low, close, volume, window(p)), threshold(p), scaledBy(1)),
});

const forceSignal = (compare: Compare): SignalDefinition => ({
  minBars: windowPlus(1),
  rule: ({ close, volume }, p) => {
    const sizes = ema(rawForce(close, volume).map(Math.abs), window(p));
    return compare(force(close, volume, window(p)), threshold(p), scaledBy(sizes));
  },
});

const eomSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: ({ high, low, volume }, p) => {
    const compared = compare(eom(high, low, volume), threshold(p));
    return (t) => {
      const up = high[t] - at(high, t - 1);
      const down = low[t] - at(low, t - 1);
      // Opposite moves may cancel up to rounding, and dividing by a zero volume would make that
      // infinite.
      const cancels = up !== 0 && high[t] !== low[t];
      return withMargin(compared(t), cancels ? relativeDifference(up, -down, { scale: high[t] }) : Infinity);
    };
  },
});

const nviSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: ({ close, volume }, p) => compare(nvi(close, volume), nviLine(close, volume, window(p))),
});

const mfiSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: ({ high, low, close, volume }, p) => compare(mfi(high, low, close, volume, window(p)), threshold(p), PERCENT),
});

const vwapSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: ({ high, low, close, volume }, p) => compare(close, vwap(high, low, close, volume, window(p))),
});

/** Equal raw closes give exactly zero. */
const returnCloseness = (now: number, before: number): Closeness =>
  now === before ? { tieIsExact: true } : { scale: 100 };

const dailySignal = (compare: Compare): SignalDefinition => ({
  minBars: () => 2,
  rule: ({ close }, p) => compare(dailyReturn(close), threshold(p), (t) => returnCloseness(close[t], at(close, t - 1))),
});

const vwmaCross = (cross: Compare): SignalDefinition => ({
  minBars: (p) => number(p, 'window_slow') + 1,
  rule: ({ close, volume }, p) =>
    cross(vwma(close, volume, number(p, 'window_fast')), vwma(close, volume, number(p, 'window_slow'))),
});

const adoscSignal = (compare: Compare, extra: number): SignalDefinition => ({
  minBars: (p) => number(p, 'slow') + extra,
  rule: (bars, p) => {
    const { high, low, close, volume } = bars;
    const line = adosc(high, low, close, volume, number(p, 'fast'), number(p, 'slow'));
    return compare(line, 0, scaledBy(cumulative(flowSizes(bars))));
  },
});

const kvoSignal = (compare: Compare): SignalDefinition => ({
  minBars: (p) => number(p, 'slow') + number(p, 'signal_window') + 1,
  rule: ({ high, low, close, volume }, p) => {
    const slow = number(p, 'slow');
    const { line, signal } = kvo(high, low, close, volume, number(p, 'fast'), slow, number(p, 'signal_window'));
    return compare(line, signal, scaledBy(ema(volume, slow)));
  },
});

export const volumeSignals: SignalTable = {
  adi_bullish: againstEarlier(gt, window, adiTotal),
  adi_bearish: againstEarlier(lt, window, adiTotal),
  obv_bullish: againstEarlier(gt, window, obvTotal),
  obv_bearish: againstEarlier(lt, window, obvTotal),
  cmf_bullish: cmfSignal(above),
  cmf_bearish: cmfSignal(below),
  force_bullish: forceSignal(above),
  force_bearish: forceSignal(below),
  eom_bullish: eomSignal(above),
  eom_bearish: eomSignal(below),
  vpt_bullish: againstEarlier(gt, windowPlus(1), vptTotal),
  vpt_bearish: againstEarlier(lt, windowPlus(1), vptTotal),
  nvi_bullish: nviSignal(above),
  nvi_bearish: nviSignal(below),
  mfi_overbought: mfiSignal(above),
  mfi_oversold: mfiSignal(below),
  vwap_above: vwapSignal(above),
  vwap_below: vwapSignal(below),
  daily_return_positive: dailySignal(above),
  daily_return_negative: dailySignal(below),
  cumulative_return_positive: {
    minBars: () => 2,
    rule: ({ close }, p) => above(cumulativeReturn(close), threshold(p), (t) => returnCloseness(close[t], close[0])),
  },
  cumulative_return_target: {
    minBars: () => 2,
    rule: ({ close }, p) => {
      const line = cumulativeReturn(close);
      return (t) => ge(line[t], number(p, 'target'), returnCloseness(close[t], close[0]));
    },
  },
  is_above_vwma: {
    minBars: window,
    rule: ({ close, volume }, p) => above(close, vwma(close, volume, window(p))),
  },
  vwma_cross_up: vwmaCross(crossUp),
  vwma_cross_down: vwmaCross(crossDown),
  adosc_bullish: adoscSignal(above, 1),
  adosc_bearish: adoscSignal(below, 1),
  adosc_cross_up: adoscSignal(crossUp, 2),
  adosc_cross_down: adoscSignal(crossDown, 2),
  kvo_bullish: kvoSignal(above),
  kvo_bearish: kvoSignal(below),
  kvo_bullish_cross: kvoSignal(crossUp),
  kvo_bearish_cross: kvoSignal(crossDown),
};
