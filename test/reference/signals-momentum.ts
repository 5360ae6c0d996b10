import {
  at,
  awesome,
  bop,
  cmo,
  ema,
  emaDifference,
  kama,
  medianPrice,
  mom,
  percentOscillator,
  roc,
  rsi,
  sma,
  stochK,
  stochRsi,
  tsi,
  ultimate,
  williamsR,
} from './indicators.js';
import {
  above,
  atLeast,
  atMost,
  below,
  byDirection,
  type Closeness,
  crossDown,
  crossUp,
  type Direction,
  direction,
  number,
  type Params,
  type ReferenceBars,
  type SignalDefinition,
  type SignalTable,
  scaledBy,
  withMargin,
} from './signals-truth.js';

const PERCENT = scaledBy(100);

const window = (p: Params) => number(p, 'window');
const threshold = (p: Params) => number(p, 'threshold');
const windowPlus = (extra: number) => (p: Params) => window(p) + extra;
const slowPlus = (extra: number) => (p: Params) => number(p, 'window_slow') + extra;
const slowPlusSign = (p: Params) => number(p, 'window_slow') + number(p, 'window_sign');

type Compare = typeof above;

const rsiSignal = (compare: Compare): SignalDefinition => ({
  minBars: windowPlus(1),
  rule: (bars, p) => compare(rsi(bars.close, window(p)), threshold(p), PERCENT),
});

const stochSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: (bars, p) => compare(stochK(bars.high, bars.low, bars.close, window(p)), threshold(p), PERCENT),
});

const williamsSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: (bars, p) => compare(williamsR(bars.high, bars.low, bars.close, window(p)), threshold(p), PERCENT),
});

const tsiSignal = (compare: Compare): SignalDefinition => ({
  minBars: (p) => number(p, 'window_slow') + number(p, 'window_fast'),
  rule: (bars, p) =>
    compare(tsi(bars.close, number(p, 'window_slow'), number(p, 'window_fast')), threshold(p), PERCENT),
});

const ultimateSignal = (compare: Compare): SignalDefinition => ({
  minBars: (p) => number(p, 'window_long'),
  rule: (bars, p) => {
    const windows = [number(p, 'window_short'), number(p, 'window_medium'), number(p, 'window_long')];
    const [short, medium, long] = windows;
    return compare(ultimate(bars.high, bars.low, bars.close, short, medium, long), threshold(p), PERCENT);
  },
});

const kamaSignal = (cross: Compare): SignalDefinition => ({
  minBars: (p) => window(p) + Math.max(number(p, 'pow1'), number(p, 'pow2')),
  rule: (bars, p) => cross(bars.close, kama(bars.close, window(p), number(p, 'pow1'), number(p, 'pow2'))),
});

/**
 * A change from an equal raw close is exactly zero; any other change carries the noise of a ratio
 * near 1.
 */
const rateCloseness =
  (bars: ReferenceBars, p: Params) =>
  (t: number): Closeness =>
    bars.close[t] === at(bars.close, t - window(p)) ? { tieIsExact: true } : { scale: 100 };

const rocSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: (bars, p) => compare(roc(bars.close, window(p)), threshold(p), rateCloseness(bars, p)),
});

const awesomeLine = (bars: ReferenceBars, p: Params) =>
  awesome(bars.high, bars.low, number(p, 'window_fast'), number(p, 'window_slow'));

const medianScale = (bars: ReferenceBars, p: Params) =>
  scaledBy(sma(medianPrice(bars.high, bars.low), number(p, 'window_slow')));

const awesomeSignal = (compare: Compare): SignalDefinition => ({
  minBars: slowPlus(0),
  rule: (bars, p) => compare(awesomeLine(bars, p), threshold(p), medianScale(bars, p)),
});

/** Only this signal accepts an integer direction. */
const awesomeDirection = (p: Params): Direction =>
  Number.isInteger(p.direction) ? (p.direction === 1 ? 'bullish' : 'bearish') : direction(p);

const stochRsiSignal = (compare: Compare): SignalDefinition => ({
  minBars: (p) => window(p) + number(p, 'smooth1') + number(p, 'smooth2'),
  rule: (bars, p) => {
    const { value, width } = stochRsi(bars.close, window(p));
    const compared = compare(value, threshold(p), (t) => ({ scale: 100 / width[t] }));
    const r = rsi(bars.close, window(p));
    // 0/0 is certain only where the RSI is pinned; elsewhere another rounding may leave a small
    // width.
    return (t) => (width[t] === 0 && r[t] !== 0 && r[t] !== 100 ? withMargin(compared(t), 0) : compared(t));
  },
});

const percentSignal = (column: 'close' | 'volume', cross: Compare): SignalDefinition => ({
  minBars: slowPlusSign,
  rule: (bars, p) => {
    const windows = [number(p, 'window_fast'), number(p, 'window_slow'), number(p, 'window_sign')];
    const [fast, slow, sign] = windows;
    const { line, signal } = percentOscillator(bars[column], fast, slow, sign);
    return cross(line, signal, PERCENT);
  },
});

/** One subtraction of raw closes: its sign is exact. */
const EXACT_SIGN = () => ({ tieIsExact: true });

const momSignal = (compare: Compare, extra: number): SignalDefinition => ({
  minBars: windowPlus(extra),
  rule: (bars, p) => compare(mom(bars.close, window(p)), 0, EXACT_SIGN),
});

const bopSignal = (compare: Compare, bars: number): SignalDefinition => ({
  minBars: () => bars,
  rule: ({ open, high, low, close }) => compare(bop(open, high, low, close), 0, EXACT_SIGN),
});

const apoSignal = (compare: Compare, extra: number): SignalDefinition => ({
  minBars: slowPlus(extra),
  rule: (bars, p) => {
    const slow = number(p, 'window_slow');
    return compare(emaDifference(bars.close, number(p, 'window_fast'), slow), 0, scaledBy(ema(bars.close, slow)));
  },
});

const cmoSignal = (compare: Compare, extra: number): SignalDefinition => ({
  minBars: windowPlus(extra),
  rule: (bars, p) => compare(cmo(bars.close, window(p)), threshold(p), PERCENT),
});

export const momentumSignals: SignalTable = {
  rsi_overbought: rsiSignal(above),
  rsi_oversold: rsiSignal(below),
  rsi_cross_up: rsiSignal(crossUp),
  rsi_cross_down: rsiSignal(crossDown),
  stoch_overbought: stochSignal(above),
  stoch_oversold: stochSignal(below),
  williams_r_overbought: williamsSignal(above),
  williams_r_oversold: williamsSignal(below),
  tsi_bullish: tsiSignal(above),
  tsi_bearish: tsiSignal(below),
  uo_overbought: ultimateSignal(above),
  uo_oversold: ultimateSignal(below),
  kama_cross_up: kamaSignal(crossUp),
  kama_cross_down: kamaSignal(crossDown),
  roc_positive: rocSignal(above),
  roc_negative: rocSignal(below),
  roc_momentum_shift: {
    minBars: windowPlus(1),
    rule: (bars, p) => {
      const line = roc(bars.close, window(p));
      const how = rateCloseness(bars, p);
      return byDirection(direction(p), crossUp(line, 0, how), crossDown(line, 0, how));
    },
  },
  ao_bullish: awesomeSignal(above),
  ao_bearish: awesomeSignal(below),
  ao_zero_cross: {
    minBars: slowPlus(1),
    rule: (bars, p) => {
      const line = awesomeLine(bars, p);
      const how = medianScale(bars, p);
      return byDirection(awesomeDirection(p), crossUp(line, 0, how), crossDown(line, 0, how));
    },
  },
  stochrsi_overbought: stochRsiSignal(above),
  stochrsi_oversold: stochRsiSignal(below),
  ppo_bullish_cross: percentSignal('close', crossUp),
  ppo_bearish_cross: percentSignal('close', crossDown),
  pvo_bullish_cross: percentSignal('volume', crossUp),
  pvo_bearish_cross: percentSignal('volume', crossDown),
  mom_bullish: momSignal(above, 1),
  mom_bearish: momSignal(below, 1),
  mom_cross_up: momSignal(crossUp, 2),
  mom_cross_down: momSignal(crossDown, 2),
  bop_bullish: bopSignal(above, 1),
  bop_bearish: bopSignal(below, 1),
  bop_cross_up: bopSignal(crossUp, 2),
  bop_cross_down: bopSignal(crossDown, 2),
  apo_bullish: apoSignal(above, 0),
  apo_bearish: apoSignal(below, 0),
  apo_cross_up: apoSignal(crossUp, 1),
  apo_cross_down: apoSignal(crossDown, 1),
  cmo_overbought: cmoSignal(atLeast, 1),
  cmo_oversold: cmoSignal(atMost, 1),
  cmo_cross_up: cmoSignal(crossUp, 2),
  cmo_cross_down: cmoSignal(crossDown, 2),
};
