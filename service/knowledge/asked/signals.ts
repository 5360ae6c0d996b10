import type { Asked } from './asked.js';

/** Signals over prices and volume by name; those of candle patterns and of columns have a file. */
export const askedOfSignals: Asked = {
  ao_bearish: `awesome oscillator negative; bill williams momentum down`,
  ao_bullish: `awesome oscillator positive; bill williams momentum up`,
  ao_zero_cross: `awesome oscillator changes sign; bars of the ao turn green or red; crosses the zero line`,
  apo_bearish: `short ema under long ema, difference negative`,
  apo_bullish: `short ema over long ema, difference positive`,
  apo_cross_down: `difference of averages turns negative`,
  apo_cross_up: `difference of averages turns positive`,
  bop_bearish: `sellers control the bar; more selling pressure than buying`,
  bop_bullish: `buyers control the bar; more buying pressure than selling`,
  bop_cross_down: `sellers take over; control moves to sellers`,
  bop_cross_up: `buyers take over; control moves to buyers`,
  cmo_cross_down: `chande momentum drops through a level`,
  cmo_cross_up: `chande momentum rises through a level`,
  cmo_overbought: `chande momentum very high, above 50`,
  cmo_oversold: `chande momentum very low, below -50`,
  kama_cross_down: `price falls under the adaptive average`,
  kama_cross_up: `price climbs over the adaptive average`,
  mom_bearish: `price lower than n bars ago; falling momentum; lower than last week`,
  mom_bullish: `price higher than n bars ago; rising momentum; higher than last week`,
  mom_cross_down: `momentum turns negative; loses momentum`,
  mom_cross_up: `momentum turns positive; gains momentum`,
  ppo_bearish_cross: `ppo under its signal line`,
  ppo_bullish_cross: `ppo over its signal line`,
  pvo_bearish_cross: `volume dries up; volume oscillator turns down; less interest`,
  pvo_bullish_cross: `
    volume picks up; rising volume; volume oscillator turns up; surge of trading activity; volume explosion; volume
    spikes; unusual volume; trading suddenly heavy`,
  roc_momentum_shift: `rate of change switches sign; momentum flips; percent change turns around`,
  roc_negative: `lost more than some percent over n bars; dropped in percent`,
  roc_positive: `gained more than some percent over n bars; rallied in percent`,
  rsi_cross_down: `
    rsi falls back below 70; rsi drops under 30; rsi leaves the overbought zone; sell when rsi turns down; rsi crosses
    a level`,
  rsi_cross_up: `
    rsi comes back above 30; rsi rises through 50; rsi leaves the oversold zone; buy when rsi turns up; recovers; rsi
    crosses a level`,
  rsi_overbought: `rsi over 70; rsi too high; price has run too far; sell the top`,
  rsi_oversold: `rsi under 30; rsi too low; buy the dip; price has fallen too far; beaten down`,
  stoch_overbought: `stochastic above 80; %k too high; close near the top of its range`,
  stoch_oversold: `stochastic below 20; %k too low; close near the bottom of its range`,
  stochrsi_overbought: `stochastic rsi above 80 or 0.8; stoch rsi too high`,
  stochrsi_oversold: `stochastic rsi below 20 or 0.2; stoch rsi too low`,
  tsi_bearish: `true strength index negative`,
  tsi_bullish: `true strength index positive`,
  uo_overbought: `ultimate oscillator above 70`,
  uo_oversold: `ultimate oscillator below 30`,
  williams_r_overbought: `williams %r above -20; percent r near the top`,
  williams_r_oversold: `williams %r below -80; percent r near the bottom`,
  adx_bullish_di: `plus di above minus di; dmi bullish; upward directional movement leads`,
  adx_strong_trend: `
    only trade in a strong trend; trend strength above 25; adx over 25; avoid sideways, choppy or ranging markets;
    trending market filter; is it trending; no trend no trade; market is going somewhere; not sideways; really
    trending`,
  alligator_bearish: `jaw teeth and lips in falling order; alligator eats down`,
  alligator_bullish: `jaw teeth and lips in rising order; alligator awake; mouth open`,
  alligator_sleeping: `alligator lines intertwined; sideways market; no trend; range; mouth closed; quiet market`,
  alma_cross_down: `arnaud legoux averages cross bearish`,
  alma_cross_up: `arnaud legoux averages cross bullish`,
  aroon_crossover: `aroon up crosses aroon down; new trend begins`,
  aroon_down_trend: `recent new lows; aroon down above 70; downtrend`,
  aroon_up_trend: `recent new highs; aroon up above 70; uptrend`,
  cci_overbought: `cci over 100; commodity channel index too high`,
  cci_oversold: `cci under -100; commodity channel index too low`,
  chandelier_long_stop_hit: `
    trailing stop of a long was hit; close under the chandelier; exit a long by atr trailing stop from the highest
    high`,
  chandelier_short_stop_hit: `trailing stop of a short was hit; close over the short chandelier`,
  dema_cross_down: `double ema cross bearish`,
  dema_cross_up: `double ema cross bullish`,
  dpo_negative: `price below its detrended cycle; low phase of the cycle`,
  dpo_positive: `price above its detrended cycle; high phase of the cycle`,
  ema_cross_down: `
    fast ema drops under slow ema; 12 crosses below 26; exponential death cross; sell on a moving average cross; fast
    line under slow line; moving averages cross down`,
  ema_cross_up: `
    fast ema rises over slow ema; 9 crosses above 21; exponential golden cross; buy on a moving average cross; fast
    line over slow line; moving averages cross up`,
  ema_crossover: `two exponential averages cross; choose the direction of an ema cross`,
  epma_cross_down: `regression averages cross bearish`,
  epma_cross_up: `regression averages cross bullish`,
  heikin_ashi_bearish: `red heikin ashi candle; smoothed candle falls`,
  heikin_ashi_bullish: `green heikin ashi candle; smoothed candle rises`,
  hma_cross_down: `hull averages cross bearish`,
  hma_cross_up: `hull averages cross bullish`,
  ichimoku_bearish: `price below the cloud; under the kumo`,
  ichimoku_bullish: `price above the cloud; over the kumo; breakout of the cloud; cloud breakout`,
  ichimoku_tk_cross: `tenkan crosses kijun; conversion line over base line`,
  is_above_alma: `price over the arnaud legoux average`,
  is_above_dema: `price over the double ema`,
  is_above_epma: `price over the regression average`,
  is_above_hma: `price over the hull average`,
  is_above_mama: `price over the adaptive mesa average`,
  is_above_sma: `
    price above the 200 day moving average; above a simple average; long term uptrend filter; only buy in an uptrend;
    bull market filter; trade with the trend`,
  is_above_smma: `price over the smoothed average`,
  is_above_t3: `price over the tillson average`,
  is_above_tema: `price over the triple ema`,
  is_above_trima: `price over the triangular average`,
  kst_bearish_cross: `know sure thing drops under its signal`,
  kst_bullish_cross: `know sure thing rises over its signal`,
  ma_ribbon_bearish: `all averages in falling order; fan points down`,
  ma_ribbon_bullish: `
    all averages in rising order; averages stacked; fan points up; every average above the slower one`,
  ma_ribbon_tangled: `
    averages entangled; sideways, choppy market; no trend; averages cross each other all the time; lines of averages
    are a mess; averages tangled up`,
  macd_bearish_cross: `macd crosses under its signal line; macd sell; histogram turns red`,
  macd_bullish_cross: `macd crosses over its signal line; macd buy; histogram turns green`,
  macd_positive: `macd histogram above zero; macd above its signal`,
  mama_cross_down: `mesa average drops under fama`,
  mama_cross_up: `mesa average rises over fama`,
  mass_reversal_signal: `reversal bulge of the mass index; range widens then narrows; trend about to turn`,
  multi_tf_trend_bearish: `
    daily trend down while trading hours; higher timeframe falls; bigger picture bearish; weekly downtrend`,
  multi_tf_trend_bullish: `
    daily trend up while trading hours; higher timeframe rises; bigger picture bullish; weekly uptrend filter; lines
    up with the daily trend; agree with the higher chart`,
  price_above_ema: `price above its exponential average; close over ema 200; uptrend filter; trade with the trend`,
  psar_bearish: `parabolic dots above the price; sar says down`,
  psar_bullish: `parabolic dots below the price; sar says up`,
  psar_reversal: `
    parabolic dots switch sides; sar flips; stop and reverse; parabolic flips; dots jump to the other side`,
  rsi_bearish_divergence: `
    price makes a higher high but rsi does not; momentum weakens at the top; warning of a top; rsi disagrees with
    price`,
  rsi_bullish_divergence: `
    price makes a lower low but rsi does not; momentum improves at the bottom; sign of a bottom; rsi disagrees with
    price`,
  rsi_hidden_bearish_divergence: `lower high in price and higher high in rsi; downtrend continues`,
  rsi_hidden_bullish_divergence: `higher low in price and lower low in rsi; uptrend continues`,
  sma_cross_down: `death cross; 50 day average falls under the 200 day average; simple averages cross bearish`,
  sma_cross_up: `
    golden cross; 50 day average rises over the 200 day average; simple averages cross bullish; 50 over 200; short
    average over long average`,
  sma_crossover: `two simple averages cross; choose the direction of an sma cross`,
  smma_cross_down: `smoothed wilder averages cross bearish`,
  smma_cross_up: `smoothed wilder averages cross bullish`,
  stc_overbought: `schaff trend cycle above 75`,
  stc_oversold: `schaff trend cycle below 25`,
  supertrend_flip_down: `supertrend turns red; supertrend sell signal; trend changes to down`,
  supertrend_flip_up: `supertrend turns green; supertrend buy signal; trend changes to up`,
  supertrend_long: `supertrend is green; price above the supertrend line`,
  supertrend_short: `supertrend is red; price below the supertrend line`,
  t3_cross_down: `tillson averages cross bearish`,
  t3_cross_up: `tillson averages cross bullish`,
  tema_cross_down: `triple ema cross bearish`,
  tema_cross_up: `triple ema cross bullish`,
  trima_cross_down: `triangular averages cross bearish`,
  trima_cross_up: `triangular averages cross bullish`,
  trix_bearish: `trix negative; triple smoothed momentum down`,
  trix_bullish: `trix positive; triple smoothed momentum up`,
  ttm_squeeze_active: `
    volatility compressed; market coils; squeeze is on; energy builds up; bollinger bands inside keltner channel; calm
    before the storm`,
  ttm_squeeze_fired_bearish: `
    squeeze fires down; squeeze released to the downside; volatility expands downwards; breakout from compression down`,
  ttm_squeeze_fired_bullish: `
    squeeze fires up; squeeze released to the upside; volatility expands upwards; breakout from compression up`,
  vortex_bearish: `negative vortex line leads; vi minus above vi plus`,
  vortex_bullish: `positive vortex line leads; vi plus above vi minus`,
  vortex_crossover: `vortex lines cross; vi plus crosses vi minus`,
  wma_cross_down: `weighted averages cross bearish`,
  wma_cross_up: `weighted averages cross bullish`,
  atr_high_volatility: `
    market moves a lot; only trade in volatile times; wide ranges; big candles; atr high; wild market; hectic market;
    big swings`,
  atr_trailing_stop_flip_down: `
    atr trailing stop is broken; trailing stop turns to sell; exit when the trailing stop is hit`,
  atr_trailing_stop_flip_up: `atr trailing stop turns to buy; trailing line flips up`,
  atr_trailing_stop_long: `price above the trailing stop; stay in while the trailing stop holds`,
  atr_trailing_stop_short: `price below the trailing stop`,
  bb_above_upper: `
    price outside the upper band; two deviations above average; stretched above the bands; riding the upper band;
    price hugging the upper band; far above its average; price far away from its mean`,
  bb_below_lower: `
    price outside the lower band; two deviations below average; stretched below the bands; mean reversion buy; far
    below its average; price far away from its mean; cheap compared with the average`,
  bb_lower_breakout: `price breaks the lower bollinger band; touches the lower band; falls out of the band`,
  bb_squeeze: `bollinger bands are tight; narrow bands; low volatility; quiet market; bandwidth small; consolidation`,
  bb_upper_breakout: `price breaks the upper bollinger band; touches the upper band; bursts out of the band`,
  cl_high_offset_break: `price falls through the chandelier exit; drops three atr from its high`,
  cl_low_offset_break: `price rises through the chandelier exit of shorts; rises three atr from its low`,
  dc_lower_breakout: `new low of 20 days; lowest price for weeks; breaks support; turtle exit; falls out of the range`,
  dc_upper_breakout: `
    new high of 20 days; highest price for weeks; breaks resistance; turtle entry; breaks out of the range; 52 week
    high; all time high; higher than the last weeks`,
  kc_above_upper: `price above the keltner channel`,
  kc_below_lower: `price below the keltner channel`,
  kc_lower_breakout: `price breaks the lower keltner line`,
  kc_upper_breakout: `price breaks the upper keltner line`,
  natr_high_volatility: `range in percent is high; volatile coin; wild market; avoid or seek volatility`,
  natr_low_volatility: `
    range in percent is low; calm market; quiet; only trade in calm times; low volatility regime; sleepy market;
    nothing moves`,
  starc_lower_breakout: `price under the stoller channel`,
  starc_upper_breakout: `price over the stoller channel`,
  ulcer_high_risk: `price far below its recent high for long; deep drawdown of the asset; risky phase`,
  ulcer_low_risk: `price close to its high; shallow drawdown of the asset; calm phase`,
  volatility_stop_lower: `unusually large drop in one bar; sudden crash; big down move`,
  volatility_stop_upper: `unusually large jump in one bar; sudden pump; big up move`,
  adi_bearish: `distribution; volume flows out; sellers dominate by volume`,
  adi_bullish: `accumulation; volume flows in; buyers dominate by volume`,
  adosc_bearish: `chaikin oscillator under zero; distribution speeds up`,
  adosc_bullish: `chaikin oscillator over zero; accumulation speeds up`,
  adosc_cross_down: `chaikin oscillator turns negative`,
  adosc_cross_up: `chaikin oscillator turns positive`,
  cmf_bearish: `money flows out; selling pressure by volume`,
  cmf_bullish: `money flows in; buying pressure by volume; confirm with volume`,
  cumulative_return_positive: `price higher than at the beginning; up since the start`,
  cumulative_return_target: `price has doubled since the start; total gain reaches a goal`,
  daily_return_negative: `fell more than some percent in one bar; red day; down day; big drop today`,
  daily_return_positive: `rose more than some percent in one bar; green day; up day; pump today`,
  eom_bearish: `falls easily on little volume`,
  eom_bullish: `rises easily on little volume`,
  force_bearish: `strong selling; force of sellers`,
  force_bullish: `strong buying; force of buyers`,
  is_above_vwma: `price over the volume weighted moving average`,
  kvo_bearish: `klinger under its signal; volume force down`,
  kvo_bearish_cross: `klinger crosses under its signal`,
  kvo_bullish: `klinger over its signal; volume force up`,
  kvo_bullish_cross: `klinger crosses over its signal`,
  mfi_overbought: `money flow index over 80; overbought with volume`,
  mfi_oversold: `money flow index under 20; oversold with volume`,
  nvi_bearish: `quiet money sells; falls on low volume days`,
  nvi_bullish: `quiet money buys; rises on low volume days`,
  obv_bearish: `volume on falling days dominates; obv falls`,
  obv_bullish: `volume on rising days dominates; volume confirms the rise; obv rises; volume agrees with the rise`,
  vpt_bearish: `volume price trend falls`,
  vpt_bullish: `volume price trend rises`,
  vwap_above: `price above the average price paid; over vwap; buyers in profit`,
  vwap_below: `price below the average price paid; under vwap; bargain compared with vwap`,
  vwma_cross_down: `volume weighted averages cross bearish`,
  vwma_cross_up: `volume weighted averages cross bullish`,
};
