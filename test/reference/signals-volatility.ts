import {
  at,
  atr,
  atrStop,
  bollinger,
  bollingerWidth,
  chandelier,
  donchian,
  keltner,
  keltnerOriginal,
  natr,
  starc,
  ulcer,
  volatilityStop,
} from './indicators.js';
import {
  above,
  below,
  crossDown,
  crossUp,
  ge,
  gt,
  le,
  never,
  number,
  type Params,
  type ReferenceBars,
  raw,
  type SignalDefinition,
  type SignalTable,
  scaledBy,
  withMargin,
} from './signals-truth.js';

const PERCENT = scaledBy(100);

const window = (p: Params) => number(p, 'window');
const windowPlus = (extra: number) => (p: Params) => window(p) + extra;

type Compare = typeof above;
type Side = 'upper' | 'lower';

const bollingerSignal = (compare: Compare, side: Side, extra: number): SignalDefinition => ({
  minBars: windowPlus(extra),
  rule: ({ close }, p) => compare(close, bollinger(close, window(p), number(p, 'window_dev'))[side]),
});

const keltnerBars = (extra: number) => (p: Params) => Math.max(window(p), number(p, 'window_atr')) + extra;

const keltnerBands = ({ high, low, close }: ReferenceBars, p: Params) =>
  keltner(high, low, close, window(p), number(p, 'window_atr'), number(p, 'multiplier'));

const keltnerBreakout = (cross: Compare, side: Side): SignalDefinition => ({
  minBars: keltnerBars(1),
  rule: (bars, p) => {
    const bands =
      p.original_version === true ? keltnerOriginal(bars.high, bars.low, bars.close, window(p)) : keltnerBands(bars, p);
    return cross(bars.close, bands[side]);
  },
});

const keltnerState = (compare: Compare, side: Side): SignalDefinition => ({
  minBars: keltnerBars(0),
  rule: (bars, p) => compare(bars.close, keltnerBands(bars, p)[side]),
});

const donchianBreakout = (cross: Compare, side: Side): SignalDefinition => ({
  minBars: windowPlus(2),
  rule: ({ high, low, close }, p) => {
    const crossed = cross(close, donchian(high, low, window(p))[side]);
    // Both sides are raw cells.
    return (t) => raw(crossed(t).value);
  },
});

const ulcerSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: ({ close }, p) => compare(ulcer(close, window(p)), number(p, 'threshold')),
});

const natrSignal = (compare: Compare): SignalDefinition => ({
  minBars: windowPlus(1),
  rule: ({ high, low, close }, p) => compare(natr(high, low, close, window(p)), number(p, 'threshold')),
});

const stopSignal = (wanted: (before: number, now: number) => boolean): SignalDefinition => ({
  minBars: windowPlus(2),
  rule: ({ high, low, close }, p) => {
    const { dir, margin } = atrStop(high, low, close, window(p), number(p, 'multiplier'));
    return (t) => withMargin(raw(wanted(at(dir, t - 1), dir[t])), margin[t]);
  },
});

const starcSignal = (compare: Compare, side: Side): SignalDefinition => ({
  minBars: keltnerBars(1),
  rule: ({ high, low, close }, p) => {
    const bands = starc(high, low, close, window(p), number(p, 'window_atr'), number(p, 'multiplier'));
    return compare(close, bands[side]);
  },
});

const volatilityStopSignal = (compare: typeof gt, side: Side): SignalDefinition => ({
  minBars: windowPlus(1),
  rule: ({ close }, p) => {
    const stop = volatilityStop(close, window(p), number(p, 'multiplier'));
    // Without a move in the window the stop is the previous raw close.
    return (t) => compare(close[t], stop[side][t], { tieIsExact: stop.deviation[t] === 0 });
  },
});

const chandelierOf = ({ high, low, close }: ReferenceBars, p: Params) =>
  chandelier(high, low, close, window(p), number(p, 'multiplier'));

export const volatilitySignals: SignalTable = {
  bb_upper_breakout: bollingerSignal(crossUp, 'upper', 1),
  bb_lower_breakout: bollingerSignal(crossDown, 'lower', 1),
  bb_squeeze: {
    minBars: windowPlus(1),
    rule: ({ close }, p) =>
      crossDown(bollingerWidth(close, window(p), number(p, 'window_dev')), number(p, 'threshold'), PERCENT),
  },
  bb_above_upper: bollingerSignal(above, 'upper', 0),
  bb_below_lower: bollingerSignal(below, 'lower', 0),
  atr_high_volatility: {
    minBars: window,
    rule: ({ high, low, close }, p) => {
      const range = atr(high, low, close, window(p));
      return (t) => (close[t] === 0 ? never : gt((100 * range[t]) / close[t], number(p, 'threshold_pct')));
    },
  },
  kc_upper_breakout: keltnerBreakout(crossUp, 'upper'),
  kc_lower_breakout: keltnerBreakout(crossDown, 'lower'),
  kc_above_upper: keltnerState(above, 'upper'),
  kc_below_lower: keltnerState(below, 'lower'),
  dc_upper_breakout: donchianBreakout(crossUp, 'upper'),
  dc_lower_breakout: donchianBreakout(crossDown, 'lower'),
  ulcer_high_risk: ulcerSignal(above),
  ulcer_low_risk: ulcerSignal(below),
  natr_high_volatility: natrSignal(above),
  natr_low_volatility: natrSignal(below),
  atr_trailing_stop_long: stopSignal((_, now) => now === 1),
  atr_trailing_stop_short: stopSignal((_, now) => now === -1),
  atr_trailing_stop_flip_up: stopSignal((before, now) => before === -1 && now === 1),
  atr_trailing_stop_flip_down: stopSignal((before, now) => before === 1 && now === -1),
  starc_upper_breakout: starcSignal(above, 'upper'),
  starc_lower_breakout: starcSignal(below, 'lower'),
  volatility_stop_upper: volatilityStopSignal(ge, 'upper'),
  volatility_stop_lower: volatilityStopSignal(le, 'lower'),
  cl_high_offset_break: {
    minBars: windowPlus(1),
    rule: (bars, p) => crossDown(bars.close, chandelierOf(bars, p).highOffset),
  },
  cl_low_offset_break: {
    minBars: windowPlus(1),
    rule: (bars, p) => crossUp(bars.close, chandelierOf(bars, p).lowOffset),
  },
};
