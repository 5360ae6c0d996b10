import { KAMA, MAMA } from './adaptive.js';
import { CHANGE, GROWTH } from './arithmetic.js';
import { HEIKIN_ASHI } from './candles.js';
import type { IndicatorName } from './catalogue.js';
import { type Column, close, volume } from './column.js';
import { ADX, AROON, ATR_STOP, PSAR, SUPERTREND, VORTEX } from './directional.js';
import { ALMA, DEMA, HMA, T3, TEMA, TRIMA, TRIX, VWAP, VWMA } from './moving-averages.js';
import {
  AWESOME,
  BALANCE_OF_POWER,
  CCI,
  CHANDE_MOMENTUM,
  DETRENDED_PRICE,
  EMA_DIFFERENCE,
  FORCE,
  ICHIMOKU,
  KST,
  MACD,
  MASS,
  MIDPOINT,
  PERCENT_OSCILLATOR,
  RSI,
  SCHAFF,
  STOCH_RSI,
  STOCHASTIC,
  TSI,
  ULTIMATE,
  WILLIAMS_R,
} from './oscillators.js';
import { DEVIATION, MAX, MIN, SMA, SUM } from './rolling.js';
import { EMA, RMA } from './smoothing.js';
import {
  ATR,
  BOLLINGER,
  CHANDELIER,
  KELTNER,
  NATR,
  STARC,
  TTM_MOMENTUM,
  TTM_SQUEEZE,
  trueRange,
  ULCER,
  VOLATILITY_STOP,
} from './volatility.js';
import { ADI, ADOSC, CMF, CUMULATIVE_RETURN, EASE_OF_MOVEMENT, KLINGER, MFI, NVI, OBV, RETURN, VPT } from './volume.js';
import { EPMA, WMA } from './weighted.js';

/** An argument after the column: a whole number of bars, or any number within the bounds. */
export interface FunctionParam {
  readonly name: string;
  readonly isWhole: boolean;
  readonly min: number;
  readonly max: number;
}

/** An indicator under the name by which formulas and the library call it; it returns one column. */
export interface IndicatorFunction {
  /** Its formula in the catalogue; null where `meaning` says all there is. */
  readonly indicator: IndicatorName | null;
  readonly meaning: string;
  /** Whether its first argument is a column; the others read the columns of the bars. */
  readonly takesColumn: boolean;
  readonly params: readonly FunctionParam[];
  /** How many values of its input a value needs. Rises with every argument. */
  readonly bars: (...args: number[]) => number;
  /** @param x the column; ignored where it takes none */
  readonly build: (x: Column, ...args: number[]) => Column;
}

/** Windows of loops whose cost a bar does not depend on the window. */
const WINDOW_MAX = 2_000;
/** Windows of loops that read the whole window on every bar. */
const READ_WINDOW_MAX = 200;

const bars = (name: string, min = 1, max = WINDOW_MAX): FunctionParam => ({ name, isWhole: true, min, max });
const real = (name: string, min: number, max: number): FunctionParam => ({ name, isWhole: false, min, max });

const n = [bars('n')];
const n2 = [bars('n', 2)];
const fastSlow = [bars('fast'), bars('slow')];
const macd = [bars('fast'), bars('slow'), bars('signal')];
const deviations = [bars('n', 2), real('deviations', 0, 100)];
const multiple = [bars('n'), real('multiplier', 0, 100)];
const sampleMultiple = [bars('n', 2), real('multiplier', 0, 100)];
const channel = [bars('n'), bars('atr_n'), real('multiplier', 0, 100)];
const mama = [real('fast_limit', 0.01, 1), real('slow_limit', 0.001, 1), bars('warmup', 6)];
const kst = [1, 2, 3, 4].map((k) => bars(`roc${k}`)).concat([1, 2, 3, 4].map((k) => bars(`n${k}`)));

type Table = Record<string, IndicatorFunction>;
type Row<Build> = readonly [
  indicator: IndicatorName | null,
  meaning: string,
  params: readonly FunctionParam[],
  bars: (...args: number[]) => number,
  build: Build,
];

const overColumn = (rows: Record<string, Row<(x: Column, ...args: number[]) => Column>>): Table =>
  Object.fromEntries(
    Object.entries(rows).map(([name, [indicator, meaning, params, needed, build]]) => [
      name,
      { indicator, meaning, takesColumn: true, params, bars: needed, build },
    ]),
  );

const overBars = (rows: Record<string, Row<(...args: number[]) => Column>>): Table =>
  Object.fromEntries(
    Object.entries(rows).map(([name, [indicator, meaning, params, needed, build]]) => [
      name,
      { indicator, meaning, takesColumn: false, params, bars: needed, build: (_: Column, ...args) => build(...args) },
    ]),
  );

const self = (window: number) => window;
const next = (window: number) => window + 1;
const one = () => 1;
const two = () => 2;
const longer = (a: number, b: number) => Math.max(a, b);
const kstBars = (...args: number[]) => Math.max(...[0, 1, 2, 3].map((k) => args[k] + args[k + 4]));
const kstOf = ([r1, r2, r3, r4, n1, n2, n3, n4]: readonly number[], signal: number) =>
  KST([r1, r2, r3, r4], [n1, n2, n3, n4], signal);

/**
 * The functions of formulas, by name. Indicators with several lines have a function for each line;
 * the lines share one computation. Those that need timestamps or look at swings are not here.
 */
export const indicatorFunctions: ReadonlyMap<string, IndicatorFunction> = new Map(
  Object.entries({
    ...overColumn({
      sma: ['SMA', 'simple moving average', n, self, SMA],
      ema: ['EMA', 'exponential moving average', n, self, EMA],
      rma: ['RMA', "Wilder's smoothing", n, self, RMA],
      wma: ['WMA', 'weighted moving average', n, self, WMA],
      epma: ['EPMA', 'end point of the least-squares line', n2, self, EPMA],
      hma: ['HMA', 'Hull moving average', n2, (w) => w + Math.max(1, Math.floor(Math.sqrt(w))) - 1, HMA],
      dema: ['DEMA', 'double exponential average', n, (w) => 2 * w - 1, DEMA],
      tema: ['TEMA', 'triple exponential average', n, (w) => 3 * w - 2, TEMA],
      t3: ['T3', "Tillson's T3", [bars('n'), real('factor', 0, 1)], (w) => 6 * w - 5, T3],
      trima: ['TRIMA', 'triangular moving average', n, self, TRIMA],
      alma: [
        'ALMA',
        'Arnaud Legoux moving average',
        [bars('n', 1, READ_WINDOW_MAX), real('offset', 0, 1), real('sigma', 0.1, 20)],
        self,
        ALMA,
      ],
      trix: ['TRIX', 'change of a triple average, in percent', n, (w) => 3 * w - 1, TRIX],
      rsi: ['RSI', 'relative strength index', n, next, RSI],
      apo: ['APO', 'fast minus slow EMA', fastSlow, longer, EMA_DIFFERENCE],
      ppo: ['PPO', 'fast minus slow EMA, in percent of the slow one', fastSlow, longer, PERCENT_OSCILLATOR],
      change: ['MOM', 'x minus x n bars ago', n, next, CHANGE],
      roc: ['ROC', 'change over n bars, in percent', n, next, (x, w) => GROWTH(x, w, 100)],
      highest: [null, 'highest of the last n values', n, self, MAX],
      lowest: [null, 'lowest of the last n values', n, self, MIN],
      sum: [null, 'sum of the last n values', n, self, SUM],
      stdev: [null, 'population standard deviation', n2, self, (x, w) => DEVIATION(x, w, 0)[1]],
    }),
    ...overBars({
      kama: [
        'KAMA',
        'adaptive moving average of the close',
        [bars('n'), bars('fast'), bars('slow')],
        next,
        (w, fast, slow) => KAMA(close, w, fast, slow),
      ],
      mama: ['MAMA', 'MESA adaptive moving average', mama, (_f, _s, w) => w + 1, (f, s, w) => MAMA(f, s, w)[0]],
      fama: ['MAMA', 'its following average', mama, (_f, _s, w) => w + 1, (f, s, w) => MAMA(f, s, w)[1]],
      vwma: ['VWMA', 'volume-weighted average of the close', n, self, VWMA],
      vwap: ['VWAP', 'volume-weighted average price of the last n bars', n, self, VWAP],
      true_range: ['TR', 'true range', [], one, () => trueRange],
      atr: ['ATR', 'average true range', n, self, ATR],
      natr: ['NATR', 'the same in percent of the close', n, next, NATR],
      bollinger_upper: ['BBANDS', 'Bollinger band, upper', deviations, self, (w, d) => BOLLINGER(w, d).upper],
      bollinger_lower: ['BBANDS', 'Bollinger band, lower', deviations, self, (w, d) => BOLLINGER(w, d).lower],
      bollinger_width: ['BBANDS', 'their distance, in percent', deviations, self, (w, d) => BOLLINGER(w, d).width],
      keltner_upper: ['KELTNER', 'Keltner channel, upper', channel, longer, (w, a, m) => KELTNER(w, a, m)[0]],
      keltner_lower: ['KELTNER', 'Keltner channel, lower', channel, longer, (w, a, m) => KELTNER(w, a, m)[1]],
      starc_upper: [
        'STARC',
        'Stoller channel, upper',
        channel,
        (w, a) => Math.max(w, a) + 1,
        (w, a, m) => STARC(w, a, m)[0],
      ],
      starc_lower: [
        'STARC',
        'Stoller channel, lower',
        channel,
        (w, a) => Math.max(w, a) + 1,
        (w, a, m) => STARC(w, a, m)[1],
      ],
      chandelier_long: ['CHANDELIER', 'exit of longs', multiple, self, (w, m) => CHANDELIER(w, m).highOffset],
      chandelier_short: ['CHANDELIER', 'exit of shorts', multiple, self, (w, m) => CHANDELIER(w, m).lowOffset],
      volatility_stop_upper: ['VOLSTOP', 'stop above', sampleMultiple, next, (w, m) => VOLATILITY_STOP(w, m)[0]],
      volatility_stop_lower: ['VOLSTOP', 'stop below', sampleMultiple, next, (w, m) => VOLATILITY_STOP(w, m)[1]],
      supertrend: ['SUPERTREND', 'direction, +1 or -1', multiple, next, (w, m) => SUPERTREND(ATR(w), w, m)],
      atr_stop: [
        'ATR_STOP',
        'direction of an ATR trailing stop, +1 or -1',
        multiple,
        next,
        (w, m) => ATR_STOP(ATR(w), w, m),
      ],
      psar: ['PSAR', 'parabolic stop and reverse', [real('step', 0.0001, 1), real('max_step', 0.0001, 1)], two, PSAR],
      squeeze: [
        'TTM',
        'depth of the TTM squeeze, above 0 while squeezed',
        [bars('bb_n', 2), real('bb_deviations', 0, 100), bars('kc_n'), real('kc_multiplier', 0, 100)],
        (b, _d, k) => Math.max(b, k),
        TTM_SQUEEZE,
      ],
      squeeze_momentum: ['TTM', 'momentum of the squeeze', n2, (w) => 2 * w - 1, TTM_MOMENTUM],
      ulcer: ['ULCER', 'ulcer index', n, self, ULCER],
      adx: ['ADX', 'average directional index', n2, (w) => 2 * w, (w) => ADX(w)[2]],
      plus_di: ['ADX', 'directional indicator, up', n2, (w) => w + 2, (w) => ADX(w)[0]],
      minus_di: ['ADX', 'directional indicator, down', n2, (w) => w + 2, (w) => ADX(w)[1]],
      aroon_up: ['AROON', 'Aroon, up', n, next, (w) => AROON(w)[0]],
      aroon_down: ['AROON', 'Aroon, down', n, next, (w) => AROON(w)[1]],
      vortex_plus: ['VORTEX', 'vortex, up', n, next, (w) => VORTEX(w)[0]],
      vortex_minus: ['VORTEX', 'vortex, down', n, next, (w) => VORTEX(w)[1]],
      midpoint: ['ICHIMOKU', 'middle of the range of n bars, as the Ichimoku lines', n, self, MIDPOINT],
      span_a: [
        'ICHIMOKU',
        'first span of the Ichimoku cloud',
        [bars('tenkan'), bars('kijun')],
        longer,
        (t, k) => ICHIMOKU(t, k, 1).spanA,
      ],
      heikin_ashi_close: ['HEIKINASHI', 'close of the Heikin-Ashi candle', [], one, () => HEIKIN_ASHI[0]],
      heikin_ashi_open: ['HEIKINASHI', 'open of the Heikin-Ashi candle', [], one, () => HEIKIN_ASHI[1]],
      stoch: ['STOCH', 'stochastic oscillator, %K', n, self, STOCHASTIC],
      williams_r: ['WILLR', 'Williams %R', n, self, WILLIAMS_R],
      stoch_rsi: ['STOCHRSI', 'place of RSI in its own range, 0..1', n, (w) => 2 * w - 1, STOCH_RSI],
      tsi: ['TSI', 'true strength index', [bars('slow'), bars('fast')], (s, f) => s + f, TSI],
      uo: [
        'UO',
        'ultimate oscillator',
        [bars('short'), bars('medium'), bars('long')],
        (...w) => Math.max(...w) + 1,
        ULTIMATE,
      ],
      ao: ['AO', 'awesome oscillator', fastSlow, longer, AWESOME],
      macd_line: ['MACD', 'MACD line', macd, longer, (f, s, g) => MACD(f, s, g)[0]],
      macd_signal: [
        'MACD',
        'its signal line',
        macd,
        (f, s, g) => Math.max(f, s) + g - 1,
        (f, s, g) => MACD(f, s, g)[1],
      ],
      macd_histogram: [
        'MACD',
        'line minus signal',
        macd,
        (f, s, g) => Math.max(f, s) + g,
        (f, s, g) => MACD(f, s, g)[2],
      ],
      bop: ['BOP', 'balance of power', [], one, () => BALANCE_OF_POWER],
      cmo: ['CMO', 'Chande momentum oscillator', n, next, CHANDE_MOMENTUM],
      cci: ['CCI', 'commodity channel index', [bars('n', 2, READ_WINDOW_MAX), real('constant', 1e-6, 100)], self, CCI],
      kst: ['KST', 'know sure thing', kst, kstBars, (...args) => kstOf(args, 1)[0]],
      dpo: ['DPO', 'detrended price', n, next, DETRENDED_PRICE],
      stc: [
        'STC',
        'Schaff trend cycle',
        [bars('slow'), bars('fast'), bars('cycle'), bars('smooth1'), bars('smooth2')],
        (s, f, c, s1, s2) => Math.max(s, f) + 2 * c + s1 + s2 - 4,
        SCHAFF,
      ],
      mass: ['MASS', 'mass index', fastSlow, (f, s) => 2 * f + s - 2, MASS],
      adi: ['ADI', 'accumulation/distribution index', [], one, () => ADI],
      obv: ['OBV', 'on-balance volume', [], one, () => OBV],
      vpt: ['VPT', 'volume price trend', [], two, () => VPT],
      cmf: ['CMF', 'Chaikin money flow', n, self, CMF],
      adosc: ['ADOSC', 'Chaikin oscillator', fastSlow, (f, s) => Math.max(f, s) + 1, ADOSC],
      force: ['FORCE', 'force index', n, next, (w) => FORCE(volume, w)],
      eom: ['EOM', 'ease of movement', [], two, () => EASE_OF_MOVEMENT],
      nvi: ['NVI', 'negative volume index', n, one, (w) => NVI(w)[0]],
      nvi_line: ['NVI', 'its average', n, self, (w) => NVI(w)[1]],
      mfi: ['MFI', 'money flow index', n, self, MFI],
      kvo: ['KVO', 'Klinger oscillator', fastSlow, longer, (f, s) => KLINGER(f, s, 1)[0]],
      kvo_signal: [
        'KVO',
        'its signal line',
        macd,
        (f, s, g) => Math.max(f, s) + g + 1,
        (f, s, g) => KLINGER(f, s, g)[1],
      ],
      daily_return: ['RETURN', 'change of the close over one bar, in percent', [], two, () => RETURN],
      cumulative_return: [
        'CUMRETURN',
        'change of the close since the first bar loaded, in percent',
        [],
        two,
        () => CUMULATIVE_RETURN,
      ],
    }),
  }),
);
