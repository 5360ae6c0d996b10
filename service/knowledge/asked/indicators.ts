import type { Asked } from './asked.js';

/** Indicators by name; the signals that read one are asked for by the same words. */
export const askedOfIndicators: Asked = {
  rsi: `
    momentum between 0 and 100; 70 and 30 levels; how strong is the rise; wilder oscillator; overbought and oversold
    measure; is it overbought; momentum gauge; how is rsi calculated`,
  rma: `wilder smoothing; running moving average; smoothing used by rsi and atr`,
  stoch: `where is the close within its recent range; %k and %d; lane oscillator; fast and slow stochastics`,
  willr: `%r; distance from the highest high; larry williams`,
  tsi: `double smoothed momentum; blau`,
  ema: `
    average that reacts faster; recent prices count more; exponential smoothing; exponential; smoother than price;
    responsive average`,
  uo: `momentum over three periods; ultimate`,
  tr: `range of a bar with the gap; high minus low including yesterday's close`,
  kama: `average that adapts to noise; efficiency ratio; slow in sideways markets`,
  roc: `percent change over n bars; price change in percent; speed of the price`,
  ao: `bill williams momentum; awesome; difference of two averages of the midpoint`,
  sma: `plain average of the last closes; 200 day line; mean price`,
  stochrsi: `rsi of rsi; stochastic applied to rsi; where is rsi in its range`,
  ppo: `macd in percent; difference of averages in percent`,
  pvo: `macd of volume; is volume rising; volume momentum in percent; volume explosion; unusual volume`,
  mom: `price minus price n bars ago; simple momentum; difference`,
  bop: `buyers against sellers within the bar; who controls the bar; close relative to open and range`,
  apo: `difference of two averages; fast minus slow`,
  cmo: `chande; sum of gains against sum of losses`,
  macd: `
    convergence divergence; signal line and histogram; 12 26 9; difference of two emas; crossing of macd and signal;
    momentum by averages`,
  adx: `
    strength of a trend; is there a trend; trending or sideways; directional movement; di plus and minus; choppy
    market filter; sideways or trending; how strong is the trend`,
  aroon: `how long since the last high or low; new trend detection; bars since the extreme`,
  wma: `linearly weighted average; newest price weighs most`,
  trix: `triple smoothed rate of change; filters small moves`,
  mass: `range expansion; reversal bulge; widening of high low range`,
  ichimoku: `
    cloud; kumo; tenkan kijun senkou chikou; japanese cloud chart; support zone; the cloud; leading span; lagging span`,
  kst: `pring; know sure thing; sum of smoothed rates of change`,
  dpo: `remove the trend; cycles of the price; detrend`,
  cci: `
    deviation from the average price; commodity channel; plus minus 100; lambert; price far away from its mean;
    distance from the average`,
  vortex: `positive and negative trend movement; vi plus and minus`,
  psar: `parabolic dots; stop and reverse; sar; trailing dots below the price`,
  stc: `schaff; faster macd; cycle of trend`,
  dema: `average with less lag; double ema; less delay than an ema`,
  tema: `average with less lag; triple ema; less delay than an ema; fast average`,
  trima: `average that weighs the middle; double smoothed simple average`,
  smma: `slow smoothed average; long memory`,
  epma: `end of a regression line; least squares average; linear regression value; lsma`,
  hma: `hull; fast and smooth average; low lag; smoother than an ema with less delay; less lag`,
  alma: `gaussian weighted average; arnaud legoux; smooth average with less delay`,
  t3: `tillson; very smooth average; smooth with little delay`,
  mama: `adaptive average by cycle; ehlers; mesa; fama`,
  heikinashi: `
    smoothed candles; averaged candles; ha candles; trend candles; smoothed japanese candles; averaged japanese
    candles`,
  chandelier: `trailing exit below the highest high; atr exit; le beau; hang from the high`,
  atr: `
    how much does the price move; average range; volatility in price units; size of a usual bar; daily range; how far
    does it move in a bar; typical move; noise of the price`,
  alligator: `jaw teeth lips; bill williams; sleeping market; three shifted averages`,
  supertrend: `trend line that flips; atr based trend; green and red line; buy sell line`,
  ribbon: `several averages at once; averages in order; fan of averages; guppy; lines of averages; many averages`,
  ttm: `squeeze; bollinger inside keltner; john carter; energy before a breakout`,
  swing: `
    pivot points; local highs and lows; higher highs; support and resistance; fractals; turning points; zigzag; recent
    peaks and valleys; pivots`,
  mtf_slope: `trend of the higher timeframe; direction on the daily chart; slope of a longer average`,
  adi: `accumulation and distribution; buying or selling pressure by volume; money flowing in`,
  obv: `
    volume added on up days and subtracted on down days; volume confirms price; granville; does volume agree with
    price`,
  cmf: `money flow over a window; buying pressure; is money coming in or going out; chaikin`,
  force: `price change times volume; elder; power of a move`,
  eom: `how easily does the price move; movement per volume; arms`,
  vpt: `volume times percent change; cumulative volume by price change`,
  nvi: `quiet days; smart money on low volume; falling volume days`,
  mfi: `rsi with volume; money flow; volume weighted overbought and oversold`,
  vwap: `
    average price paid by volume; institutional average; fair price of the day; benchmark price of traders; volume
    weighted price; fair value of the day`,
  return: `change from the last close; percent move of one bar; daily change`,
  cumreturn: `gain since the start; total change of the price; performance since the beginning`,
  vwma: `average weighted by volume; heavy volume counts more`,
  adosc: `momentum of accumulation distribution; chaikin oscillator; money flow momentum`,
  kvo: `klinger; long term money flow; volume force`,
  bbands: `
    bands of standard deviation around the average; price touches the band; two sigma; volatility channel; %b;
    bandwidth; price far away from its average; upper and lower band`,
  keltner: `channel of atr around an average; envelope`,
  donchian: `
    highest high and lowest low channel; turtle traders; price channel; n day breakout; turtle channel; breakout
    channel; range of the last days`,
  ulcer: `depth of falls; drawdown of the price; downside risk of an asset`,
  natr: `
    range in percent of the price; compare volatility of different coins; normalised volatility; relative atr; how
    volatile compared to its price`,
  atr_stop: `trailing stop by atr; stop that follows the price; volatility trailing stop; ratchet; lock in gains`,
  starc: `channel of average range; stoller; starc bands`,
  volstop: `stop line by volatility; volatility stop; exit line`,
  candle: `body and wick; shadow; candle shape; size of the body; candlestick pattern parts; doji, hammer, engulfing`,
  clean: `values of a column without holes; last known on-chain value; observation`,
};
