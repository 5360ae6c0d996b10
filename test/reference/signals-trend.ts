import {
  adx,
  alligatorLine,
  alma,
  aroon,
  at,
  cci,
  chandelier,
  dema,
  dpo,
  ema,
  epma,
  heikinAshi,
  hma,
  ichimoku,
  kst,
  macd,
  mama,
  massIndex,
  meanAbsoluteDeviation,
  psar,
  rma,
  type Series,
  sma,
  squeezeDepth,
  squeezeMomentum,
  stc,
  superTrend,
  t3,
  tema,
  trima,
  trix,
  typicalPrice,
  vortex,
  wma,
} from './indicators.js';
import { divergence } from './signals-divergence.js';
import { multiTimeframeSlope } from './signals-timeframes.js';
import {
  above,
  and,
  below,
  byDirection,
  crossDown,
  crossUp,
  direction,
  gt,
  le,
  lt,
  never,
  not,
  number,
  or,
  type Params,
  type ReferenceBars,
  type Rule,
  raw,
  type SignalDefinition,
  type SignalTable,
  scaledBy,
  type Truth,
  withMargin,
} from './signals-truth.js';

const PERCENT = scaledBy(100);
/**
 * For values made of raw cells by additions and halvings, or of bar positions: equal values are
 * exactly equal.
 */
const EXACT_TIE = () => ({ tieIsExact: true });

const window = (p: Params) => number(p, 'window');
const threshold = (p: Params) => number(p, 'threshold');
const fastWindow = (p: Params) => number(p, 'window_fast');
const slowWindow = (p: Params) => number(p, 'window_slow');

type Compare = typeof above;
type Average = (x: Series, n: number, p: Params) => number[];

const aboveAverage = (average: Average, minBars: (p: Params) => number = window): SignalDefinition => ({
  minBars,
  rule: (bars, p) => above(bars.close, average(bars.close, window(p), p)),
});

const slowWindowAndOne = (p: Params) => slowWindow(p) + 1;

const averagesCross = (
  average: Average,
  cross: Compare,
  minBars: (p: Params) => number = slowWindowAndOne,
): SignalDefinition => ({
  minBars,
  rule: (bars, p) => cross(average(bars.close, fastWindow(p), p), average(bars.close, slowWindow(p), p)),
});

const averagesCrossEitherWay = (average: Average): SignalDefinition => ({
  minBars: slowWindowAndOne,
  rule: (bars, p) => {
    const fast = average(bars.close, fastWindow(p), p);
    const slow = average(bars.close, slowWindow(p), p);
    return byDirection(direction(p), crossUp(fast, slow), crossDown(fast, slow));
  },
});

const almaAverage: Average = (x, n, p) => alma(x, n, number(p, 'offset'), number(p, 'sigma'));
const t3Average: Average = (x, n, p) => t3(x, n, number(p, 'volume_factor'));
const t3CrossBars = (p: Params) => 6 * slowWindow(p) + 1;

const macdSignal = (compare: Compare): SignalDefinition => ({
  minBars: (p) => slowWindow(p) + number(p, 'window_sign'),
  rule: (bars, p) => {
    const { line, signal } = macd(bars.close, fastWindow(p), slowWindow(p), number(p, 'window_sign'));
    return compare(line, signal, scaledBy(ema(bars.close, slowWindow(p))));
  },
});

const adxOf = (bars: ReferenceBars, p: Params) => adx(bars.high, bars.low, bars.close, window(p));
const adxBars = (p: Params) => 2 * window(p);

const trixSignal = (compare: Compare): SignalDefinition => ({
  minBars: (p) => 3 * window(p),
  rule: (bars, p) => compare(trix(bars.close, window(p)), threshold(p), PERCENT),
});

const massReversal: SignalDefinition = {
  minBars: (p) => slowWindow(p) + fastWindow(p),
  rule: (bars, p) => {
    const line = massIndex(bars.high, bars.low, fastWindow(p), slowWindow(p));
    return (t) => {
      const bulges: Truth[] = [];
      // Undefined bars of the look-back are skipped, unlike in every other signal.
      for (let i = Math.max(0, t - 9); i <= t; i++) {
        if (!Number.isNaN(line[i])) bulges.push(gt(line[i], number(p, 'threshold_high')));
      }
      const bulged = bulges.length === 0 ? never : or(...bulges);
      return and(bulged, lt(line[t], number(p, 'threshold_low')));
    };
  },
};

const ichimokuOf = (bars: ReferenceBars, p: Params) =>
  ichimoku(bars.high, bars.low, number(p, 'window_tenkan'), number(p, 'window_kijun'), number(p, 'window_senkou'));

const kstSignal = (cross: Compare): SignalDefinition => ({
  minBars: (p) => number(p, 'roc4') + number(p, 'window_sma4') + number(p, 'nsig'),
  rule: (bars, p) => {
    const each = (prefix: string) => [1, 2, 3, 4].map((i) => number(p, `${prefix}${i}`));
    const { line, signal } = kst(bars.close, each('roc'), each('window_sma'), number(p, 'nsig'));
    return cross(line, signal, scaledBy(1000));
  },
});

const dpoSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: (bars, p) => compare(dpo(bars.close, window(p)), 0, scaledBy(sma(bars.close, window(p)))),
});

const cciSignal = (compare: Compare): SignalDefinition => ({
  minBars: window,
  rule: (bars, p) => {
    const { high, low, close } = bars;
    const constant = number(p, 'constant');
    const tp = typicalPrice(high, low, close);
    const mad = meanAbsoluteDeviation(tp, window(p));
    const compared = compare(cci(high, low, close, window(p), constant), threshold(p), (t) => ({
      scale: Math.abs(tp[t] / (constant * mad[t])),
    }));
    // On flat prices numerator and divisor are both rounding noise.
    return (t) => (mad[t] === 0 ? withMargin(compared(t), 0) : compared(t));
  },
});

const vortexOf = (bars: ReferenceBars, p: Params) => vortex(bars.high, bars.low, bars.close, window(p));

const psarOf = (bars: ReferenceBars, p: Params) =>
  psar(bars.high, bars.low, bars.close, number(p, 'step'), number(p, 'max_step'));

const psarReversal: SignalDefinition = {
  minBars: () => 3,
  rule: (bars, p) => {
    const sar = psarOf(bars, p);
    const over = above(sar, bars.close, EXACT_TIE);
    const under = below(sar, bars.close, EXACT_TIE);
    return byDirection(
      direction(p),
      (t) => and(over(t - 1), under(t)),
      (t) => and(under(t - 1), over(t)),
    );
  },
};

const stcSignal = (compare: Compare): SignalDefinition => ({
  minBars: (p) => slowWindow(p) + number(p, 'cycle'),
  rule: (bars, p) => {
    const { value, margin } = stc(
      bars.close,
      slowWindow(p),
      fastWindow(p),
      number(p, 'cycle'),
      number(p, 'smooth1'),
      number(p, 'smooth2'),
    );
    const compared = compare(value, threshold(p), PERCENT);
    return (t) => withMargin(compared(t), margin[t]);
  },
});

const mamaOf = (bars: ReferenceBars, p: Params) => {
  const median = bars.high.map((high, t) => (high + bars.low[t]) / 2);
  return mama(median, number(p, 'fast_limit'), number(p, 'slow_limit'), number(p, 'warmup_bars'));
};

const mamaCross = (cross: Compare): SignalDefinition => ({
  minBars: (p) => number(p, 'warmup_bars') + 2,
  rule: (bars, p) => {
    const lines = mamaOf(bars, p);
    const crossed = cross(lines.mama, lines.fama);
    return (t) => withMargin(crossed(t), lines.margin[t]);
  },
});

const heikinAshiSignal = (compare: Compare): SignalDefinition => ({
  minBars: () => 1,
  rule: ({ open, high, low, close }) => {
    const candle = heikinAshi(open, high, low, close);
    return compare(candle.close, candle.open);
  },
});

const alligator = (decide: (lips: number, teeth: number, jaw: number) => Truth): SignalDefinition => ({
  minBars: (p) => number(p, 'jaw') + number(p, 'jaw_offset') + 1,
  rule: (bars, p) => {
    const line = (name: string) => alligatorLine(bars.high, bars.low, number(p, name), number(p, `${name}_offset`));
    const [lips, teeth, jaw] = ['lips', 'teeth', 'jaw'].map(line);
    return (t) => (Number.isNaN(lips[t] + teeth[t] + jaw[t]) ? never : decide(lips[t], teeth[t], jaw[t]));
  },
});

const superTrendSignal = (extra: number, wanted: (before: number, now: number) => boolean): SignalDefinition => ({
  minBars: (p) => window(p) + extra,
  rule: (bars, p) => {
    const { dir, margin } = superTrend(bars.high, bars.low, bars.close, window(p), number(p, 'multiplier'));
    return (t) => withMargin(raw(wanted(at(dir, t - 1), dir[t])), margin[t]);
  },
});

const ribbonWindows = (p: Params): number[] => {
  if (!Array.isArray(p.windows)) throw new TypeError('windows is not a list');
  return p.windows as number[];
};

const ribbon = (decide: (averages: number[]) => Truth): SignalDefinition => ({
  minBars: (p) => Math.max(...ribbonWindows(p)),
  rule: (bars, p) => {
    const lines = ribbonWindows(p).map((n) => sma(bars.close, n));
    return (t) => {
      const averages = lines.map((line) => line[t]);
      return averages.some(Number.isNaN) ? never : decide(averages);
    };
  },
});

const everyNeighbour = (values: number[], compare: typeof gt): Truth =>
  and(...values.slice(1).map((value, i) => compare(values[i], value)));

const squeeze = (
  extra: number,
  decide: (depth: Series, momentum: Series, price: Series) => Rule,
): SignalDefinition => ({
  minBars: (p) => Math.max(number(p, 'bb_window'), number(p, 'kc_window')) + extra,
  rule: ({ high, low, close }, p) =>
    decide(
      squeezeDepth(
        high,
        low,
        close,
        number(p, 'bb_window'),
        number(p, 'bb_std'),
        number(p, 'kc_window'),
        number(p, 'kc_atr_mult'),
      ),
      squeezeMomentum(high, low, close, number(p, 'mom_window')),
      close,
    ),
});

const squeezeFired = (compare: typeof gt): SignalDefinition =>
  squeeze(2, (depth, momentum, price) => (t) => {
    const how = { scale: price[t] };
    return and(gt(at(depth, t - 1), 0, how), le(depth[t], 0, how), compare(momentum[t], 0, how));
  });

const divergenceSignal = (side: 'low' | 'high', priceRises: boolean): SignalDefinition => ({
  minBars: (p) => number(p, 'rsi_window') + 2 * number(p, 'swing_window') + number(p, 'min_swing_distance'),
  rule: (bars, p) =>
    divergence(
      bars.close,
      number(p, 'rsi_window'),
      number(p, 'swing_window'),
      number(p, 'min_swing_distance'),
      side,
      priceRises,
    ),
});

export const trendSignals: SignalTable = {
  is_above_sma: aboveAverage(sma),
  sma_crossover: averagesCrossEitherWay(sma),
  sma_cross_up: averagesCross(sma, crossUp),
  sma_cross_down: averagesCross(sma, crossDown),
  macd_bullish_cross: macdSignal(crossUp),
  macd_bearish_cross: macdSignal(crossDown),
  // The histogram is line - signal: positive exactly when the line is above.
  macd_positive: macdSignal(above),
  ema_cross_up: averagesCross(ema, crossUp),
  ema_cross_down: averagesCross(ema, crossDown),
  ema_crossover: averagesCrossEitherWay(ema),
  price_above_ema: aboveAverage(ema),
  adx_strong_trend: {
    minBars: adxBars,
    rule: (bars, p) => above(adxOf(bars, p).adx, threshold(p), PERCENT),
  },
  adx_bullish_di: {
    minBars: adxBars,
    rule: (bars, p) => {
      const { plus, minus } = adxOf(bars, p);
      return above(plus, minus);
    },
  },
  aroon_up_trend: {
    minBars: (p) => window(p) + 1,
    rule: (bars, p) => above(aroon(bars.high, bars.low, window(p)).up, threshold(p)),
  },
  aroon_down_trend: {
    minBars: (p) => window(p) + 1,
    rule: (bars, p) => above(aroon(bars.high, bars.low, window(p)).down, threshold(p)),
  },
  aroon_crossover: {
    minBars: (p) => window(p) + 2,
    rule: (bars, p) => {
      const { up, down } = aroon(bars.high, bars.low, window(p));
      return byDirection(direction(p), crossUp(up, down, EXACT_TIE), crossDown(up, down, EXACT_TIE));
    },
  },
  wma_cross_up: averagesCross(wma, crossUp),
  wma_cross_down: averagesCross(wma, crossDown),
  trix_bullish: trixSignal(above),
  trix_bearish: trixSignal(below),
  mass_reversal_signal: massReversal,
  ichimoku_bullish: {
    minBars: (p) => number(p, 'window_senkou'),
    rule: (bars, p) => {
      const { spanA, spanB } = ichimokuOf(bars, p);
      const top = spanA.map((a, t) => Math.max(a, spanB[t]));
      return above(bars.close, top);
    },
  },
  ichimoku_bearish: {
    minBars: (p) => number(p, 'window_senkou'),
    rule: (bars, p) => {
      const { spanA, spanB } = ichimokuOf(bars, p);
      const bottom = spanA.map((a, t) => Math.min(a, spanB[t]));
      return below(bars.close, bottom);
    },
  },
  ichimoku_tk_cross: {
    minBars: (p) => number(p, 'window_senkou') + 1,
    rule: (bars, p) => {
      const { tenkan, kijun } = ichimokuOf(bars, p);
      return byDirection(direction(p), crossUp(tenkan, kijun, EXACT_TIE), crossDown(tenkan, kijun, EXACT_TIE));
    },
  },
  kst_bullish_cross: kstSignal(crossUp),
  kst_bearish_cross: kstSignal(crossDown),
  dpo_positive: dpoSignal(above),
  dpo_negative: dpoSignal(below),
  cci_overbought: cciSignal(above),
  cci_oversold: cciSignal(below),
  vortex_bullish: {
    minBars: (p) => window(p) + 1,
    rule: (bars, p) => {
      const { plus, minus } = vortexOf(bars, p);
      return above(plus, minus);
    },
  },
  vortex_bearish: {
    minBars: (p) => window(p) + 1,
    rule: (bars, p) => {
      const { plus, minus } = vortexOf(bars, p);
      return above(minus, plus);
    },
  },
  vortex_crossover: {
    minBars: (p) => window(p) + 2,
    rule: (bars, p) => {
      const { plus, minus } = vortexOf(bars, p);
      return byDirection(direction(p), crossUp(plus, minus), crossDown(plus, minus));
    },
  },
  psar_bullish: { minBars: () => 2, rule: (bars, p) => below(psarOf(bars, p), bars.close, EXACT_TIE) },
  psar_bearish: { minBars: () => 2, rule: (bars, p) => above(psarOf(bars, p), bars.close, EXACT_TIE) },
  psar_reversal: psarReversal,
  stc_overbought: stcSignal(above),
  stc_oversold: stcSignal(below),
  is_above_dema: aboveAverage(dema),
  dema_cross_up: averagesCross(dema, crossUp),
  dema_cross_down: averagesCross(dema, crossDown),
  is_above_tema: aboveAverage(tema),
  tema_cross_up: averagesCross(tema, crossUp),
  tema_cross_down: averagesCross(tema, crossDown),
  is_above_trima: aboveAverage(trima),
  trima_cross_up: averagesCross(trima, crossUp),
  trima_cross_down: averagesCross(trima, crossDown),
  is_above_smma: aboveAverage(rma),
  smma_cross_up: averagesCross(rma, crossUp),
  smma_cross_down: averagesCross(rma, crossDown),
  is_above_epma: aboveAverage(epma),
  epma_cross_up: averagesCross(epma, crossUp),
  epma_cross_down: averagesCross(epma, crossDown),
  is_above_hma: aboveAverage(hma),
  hma_cross_up: averagesCross(hma, crossUp),
  hma_cross_down: averagesCross(hma, crossDown),
  is_above_alma: aboveAverage(almaAverage),
  alma_cross_up: averagesCross(almaAverage, crossUp),
  alma_cross_down: averagesCross(almaAverage, crossDown),
  is_above_t3: aboveAverage(t3Average, (p) => 6 * window(p)),
  t3_cross_up: averagesCross(t3Average, crossUp, t3CrossBars),
  t3_cross_down: averagesCross(t3Average, crossDown, t3CrossBars),
  is_above_mama: {
    minBars: (p) => number(p, 'warmup_bars') + 1,
    rule: (bars, p) => {
      const lines = mamaOf(bars, p);
      const compared = above(bars.close, lines.mama);
      return (t) => withMargin(compared(t), lines.margin[t]);
    },
  },
  mama_cross_up: mamaCross(crossUp),
  mama_cross_down: mamaCross(crossDown),
  heikin_ashi_bullish: heikinAshiSignal(above),
  heikin_ashi_bearish: heikinAshiSignal(below),
  chandelier_long_stop_hit: {
    minBars: window,
    rule: ({ high, low, close }, p) =>
      below(close, chandelier(high, low, close, window(p), number(p, 'multiplier')).highOffset),
  },
  chandelier_short_stop_hit: {
    minBars: window,
    rule: ({ high, low, close }, p) =>
      above(close, chandelier(high, low, close, window(p), number(p, 'multiplier')).lowOffset),
  },
  alligator_bullish: alligator((lips, teeth, jaw) => and(gt(lips, teeth), gt(teeth, jaw))),
  alligator_bearish: alligator((lips, teeth, jaw) => and(lt(lips, teeth), lt(teeth, jaw))),
  alligator_sleeping: alligator((lips, teeth, jaw) =>
    and(not(and(gt(lips, teeth), gt(teeth, jaw))), not(and(lt(lips, teeth), lt(teeth, jaw)))),
  ),
  supertrend_long: superTrendSignal(1, (_, now) => now === 1),
  supertrend_short: superTrendSignal(1, (_, now) => now === -1),
  supertrend_flip_up: superTrendSignal(2, (before, now) => before === -1 && now === 1),
  supertrend_flip_down: superTrendSignal(2, (before, now) => before === 1 && now === -1),
  ma_ribbon_bullish: ribbon((averages) => everyNeighbour(averages, gt)),
  ma_ribbon_bearish: ribbon((averages) => everyNeighbour(averages, lt)),
  ma_ribbon_tangled: ribbon((averages) => and(not(everyNeighbour(averages, gt)), not(everyNeighbour(averages, lt)))),
  ttm_squeeze_active: squeeze(1, (depth, _, price) => (t) => gt(depth[t], 0, { scale: price[t] })),
  ttm_squeeze_fired_bullish: squeezeFired(gt),
  ttm_squeeze_fired_bearish: squeezeFired(lt),
  rsi_bullish_divergence: divergenceSignal('low', false),
  rsi_bearish_divergence: divergenceSignal('high', true),
  rsi_hidden_bullish_divergence: divergenceSignal('low', true),
  rsi_hidden_bearish_divergence: divergenceSignal('high', false),
  multi_tf_trend_bullish: {
    minBars: () => 2,
    rule: (bars, p) => {
      const slope = multiTimeframeSlope(bars, p);
      return (t) => gt(slope(t), number(p, 'slope_threshold'), { scale: 1 });
    },
  },
  multi_tf_trend_bearish: {
    minBars: () => 2,
    rule: (bars, p) => {
      const slope = multiTimeframeSlope(bars, p);
      return (t) => lt(slope(t), -number(p, 'slope_threshold'), { scale: 1 });
    },
  },
};
