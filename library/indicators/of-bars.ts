import { ofBars } from './indicator.js';

/*
 * Indicators over the columns of bars. `atr(bars, 14)` gives one value per bar, NaN where there is
 * none yet; `atr.stream(14)` takes one bar at a time.
 */

/** Adaptive moving average of the close. */
export const kama = ofBars<[n: number, fast: number, slow: number], 'close'>('kama');
/** MESA adaptive moving average. */
export const mama = ofBars<[fastLimit: number, slowLimit: number, warmup: number], 'high' | 'low'>('mama');
/** Its following average. */
export const fama = ofBars<[fastLimit: number, slowLimit: number, warmup: number], 'high' | 'low'>('fama');
/** Volume-weighted average of the close. */
export const vwma = ofBars<[n: number], 'close' | 'volume'>('vwma');
/** Volume-weighted average price of the last n bars. */
export const vwap = ofBars<[n: number], 'high' | 'low' | 'close' | 'volume'>('vwap');
/** True range. */
export const trueRange = ofBars<[], 'high' | 'low' | 'close'>('true_range');
/** Average true range. */
export const atr = ofBars<[n: number], 'high' | 'low' | 'close'>('atr');
/** The same in percent of the close. */
export const natr = ofBars<[n: number], 'high' | 'low' | 'close'>('natr');
/** Bollinger band, upper. */
export const bollingerUpper = ofBars<[n: number, deviations: number], 'close'>('bollinger_upper');
/** Bollinger band, lower. */
export const bollingerLower = ofBars<[n: number, deviations: number], 'close'>('bollinger_lower');
/** Their distance, in percent. */
export const bollingerWidth = ofBars<[n: number, deviations: number], 'close'>('bollinger_width');
/** Keltner channel, upper. */
export const keltnerUpper = ofBars<[n: number, atrN: number, multiplier: number], 'high' | 'low' | 'close'>(
  'keltner_upper',
);
/** Keltner channel, lower. */
export const keltnerLower = ofBars<[n: number, atrN: number, multiplier: number], 'high' | 'low' | 'close'>(
  'keltner_lower',
);
/** Stoller channel, upper. */
export const starcUpper = ofBars<[n: number, atrN: number, multiplier: number], 'high' | 'low' | 'close'>(
  'starc_upper',
);
/** Stoller channel, lower. */
export const starcLower = ofBars<[n: number, atrN: number, multiplier: number], 'high' | 'low' | 'close'>(
  'starc_lower',
);
/** Exit of longs. */
export const chandelierLong = ofBars<[n: number, multiplier: number], 'high' | 'low' | 'close'>('chandelier_long');
/** Exit of shorts. */
export const chandelierShort = ofBars<[n: number, multiplier: number], 'high' | 'low' | 'close'>('chandelier_short');
/** Stop above. */
export const volatilityStopUpper = ofBars<[n: number, multiplier: number], 'close'>('volatility_stop_upper');
/** Stop below. */
export const volatilityStopLower = ofBars<[n: number, multiplier: number], 'close'>('volatility_stop_lower');
/** Direction, +1 or -1. */
export const supertrend = ofBars<[n: number, multiplier: number], 'high' | 'low' | 'close'>('supertrend');
/** Direction of an ATR trailing stop, +1 or -1. */
export const atrStop = ofBars<[n: number, multiplier: number], 'high' | 'low' | 'close'>('atr_stop');
/** Parabolic stop and reverse. */
export const psar = ofBars<[step: number, maxStep: number], 'high' | 'low' | 'close'>('psar');
/** Depth of the TTM squeeze, above 0 while squeezed. */
export const squeeze = ofBars<
  [bbN: number, bbDeviations: number, kcN: number, kcMultiplier: number],
  'high' | 'low' | 'close'
>('squeeze');
/** Momentum of the squeeze. */
export const squeezeMomentum = ofBars<[n: number], 'high' | 'low' | 'close'>('squeeze_momentum');
/** Ulcer index. */
export const ulcer = ofBars<[n: number], 'close'>('ulcer');
/** Average directional index. */
export const adx = ofBars<[n: number], 'high' | 'low' | 'close'>('adx');
/** Directional indicator, up. */
export const plusDi = ofBars<[n: number], 'high' | 'low' | 'close'>('plus_di');
/** Directional indicator, down. */
export const minusDi = ofBars<[n: number], 'high' | 'low' | 'close'>('minus_di');
/** Aroon, up. */
export const aroonUp = ofBars<[n: number], 'high'>('aroon_up');
/** Aroon, down. */
export const aroonDown = ofBars<[n: number], 'low'>('aroon_down');
/** Vortex, up. */
export const vortexPlus = ofBars<[n: number], 'high' | 'low' | 'close'>('vortex_plus');
/** Vortex, down. */
export const vortexMinus = ofBars<[n: number], 'high' | 'low' | 'close'>('vortex_minus');
/** Middle of the range of n bars, as the Ichimoku lines. */
export const midpoint = ofBars<[n: number], 'high' | 'low'>('midpoint');
/** First span of the Ichimoku cloud. */
export const spanA = ofBars<[tenkan: number, kijun: number], 'high' | 'low'>('span_a');
/** Close of the Heikin-Ashi candle. */
export const heikinAshiClose = ofBars<[], 'open' | 'high' | 'low' | 'close'>('heikin_ashi_close');
/** Open of the Heikin-Ashi candle. */
export const heikinAshiOpen = ofBars<[], 'open' | 'high' | 'low' | 'close'>('heikin_ashi_open');
/** Stochastic oscillator, %K. */
export const stoch = ofBars<[n: number], 'high' | 'low' | 'close'>('stoch');
/** Williams %R. */
export const williamsR = ofBars<[n: number], 'high' | 'low' | 'close'>('williams_r');
/** Place of RSI in its own range, 0..1. */
export const stochRsi = ofBars<[n: number], 'close'>('stoch_rsi');
/** True strength index. */
export const tsi = ofBars<[slow: number, fast: number], 'close'>('tsi');
/** Ultimate oscillator. */
export const uo = ofBars<[short: number, medium: number, long: number], 'high' | 'low' | 'close'>('uo');
/** Awesome oscillator. */
export const ao = ofBars<[fast: number, slow: number], 'high' | 'low'>('ao');
/** MACD line. */
export const macdLine = ofBars<[fast: number, slow: number, signal: number], 'close'>('macd_line');
/** Its signal line. */
export const macdSignal = ofBars<[fast: number, slow: number, signal: number], 'close'>('macd_signal');
/** Line minus signal. */
export const macdHistogram = ofBars<[fast: number, slow: number, signal: number], 'close'>('macd_histogram');
/** Balance of power. */
export const bop = ofBars<[], 'open' | 'high' | 'low' | 'close'>('bop');
/** Chande momentum oscillator. */
export const cmo = ofBars<[n: number], 'close'>('cmo');
/** Commodity channel index. */
export const cci = ofBars<[n: number, constant: number], 'high' | 'low' | 'close'>('cci');
/** Know sure thing. */
export const kst = ofBars<
  [roc1: number, roc2: number, roc3: number, roc4: number, n1: number, n2: number, n3: number, n4: number],
  'close'
>('kst');
/** Detrended price. */
export const dpo = ofBars<[n: number], 'close'>('dpo');
/** Schaff trend cycle. */
export const stc = ofBars<[slow: number, fast: number, cycle: number, smooth1: number, smooth2: number], 'close'>(
  'stc',
);
/** Mass index. */
export const mass = ofBars<[fast: number, slow: number], 'high' | 'low'>('mass');
/** Accumulation/distribution index. */
export const adi = ofBars<[], 'high' | 'low' | 'close' | 'volume'>('adi');
/** On-balance volume. */
export const obv = ofBars<[], 'close' | 'volume'>('obv');
/** Volume price trend. */
export const vpt = ofBars<[], 'close' | 'volume'>('vpt');
/** Chaikin money flow. */
export const cmf = ofBars<[n: number], 'high' | 'low' | 'close' | 'volume'>('cmf');
/** Chaikin oscillator. */
export const adosc = ofBars<[fast: number, slow: number], 'high' | 'low' | 'close' | 'volume'>('adosc');
/** Force index. */
export const force = ofBars<[n: number], 'close' | 'volume'>('force');
/** Ease of movement. */
export const eom = ofBars<[], 'high' | 'low' | 'volume'>('eom');
/** Negative volume index. */
export const nvi = ofBars<[n: number], 'close' | 'volume'>('nvi');
/** Its average. */
export const nviLine = ofBars<[n: number], 'close' | 'volume'>('nvi_line');
/** Money flow index. */
export const mfi = ofBars<[n: number], 'high' | 'low' | 'close' | 'volume'>('mfi');
/** Klinger oscillator. */
export const kvo = ofBars<[fast: number, slow: number], 'high' | 'low' | 'close' | 'volume'>('kvo');
/** Its signal line. */
export const kvoSignal = ofBars<[fast: number, slow: number, signal: number], 'high' | 'low' | 'close' | 'volume'>(
  'kvo_signal',
);
/** Change of the close over one bar, in percent. */
export const dailyReturn = ofBars<[], 'close'>('daily_return');
/** Change of the close since the first bar loaded, in percent. */
export const cumulativeReturn = ofBars<[], 'close'>('cumulative_return');
