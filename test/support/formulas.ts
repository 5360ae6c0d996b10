/** Built-in signals spelled out as formulas over the same parameters. */
export const formulasOfSignals: Readonly<Record<string, string>> = {
  is_above_sma: 'close > sma(close, window)',
  sma_cross_up: 'crosses_above(sma(close, window_fast), sma(close, window_slow))',
  sma_cross_down: 'crosses_below(sma(close, window_fast), sma(close, window_slow))',
  ema_cross_up: 'crosses_above(ema(close, window_fast), ema(close, window_slow))',
  price_above_ema: 'not close <= ema(close, window)',
  wma_cross_down: 'crosses_below(wma(close, window_fast), wma(close, window_slow))',
  rsi_oversold: 'rsi(close, window) < threshold',
  rsi_overbought: 'threshold < rsi(close, window)',
  williams_r_oversold: 'williams_r(window) < threshold',
  cmo_overbought: 'cmo(window) >= threshold',
  cmo_cross_up: 'crosses_above(cmo(window), threshold)',
  uo_oversold: 'uo(window_short, window_medium, window_long) < threshold',
  tsi_bullish: 'tsi(window_slow, window_fast) > threshold',
  roc_positive: 'roc(close, window) > threshold',
  mom_cross_up: 'crosses_above(change(close, window), 0)',
  bop_cross_down: 'crosses_below(bop(), 0)',
  macd_bullish_cross:
    'crosses_above(macd_line(window_fast, window_slow, window_sign), macd_signal(window_fast, window_slow, window_sign))',
  macd_positive: 'macd_histogram(window_fast, window_slow, window_sign) > 0',
  cci_overbought: 'cci(window, constant) > threshold',
  adx_strong_trend: 'adx(window) > threshold',
  aroon_up_trend: 'aroon_up(window) > threshold',
  vortex_bullish: 'vortex_plus(window) > vortex_minus(window)',
  psar_bullish: 'psar(step, max_step) < close',
  heikin_ashi_bullish: 'heikin_ashi_close() > heikin_ashi_open()',
  ichimoku_bullish: 'close > max(span_a(window_tenkan, window_kijun), midpoint(window_senkou))',
  supertrend_flip_up: 'supertrend(window, multiplier) > 0 and supertrend(window, multiplier)[1] < 0',
  bb_upper_breakout: 'crosses_above(close, bollinger_upper(window, window_dev))',
  bb_squeeze: 'crosses_below(bollinger_width(window, window_dev), threshold)',
  dc_upper_breakout: 'crosses_above(close, highest(high, window)[1])',
  starc_lower_breakout: 'close < starc_lower(window, window_atr, multiplier)',
  natr_high_volatility: 'natr(window) > threshold',
  cl_low_offset_break: 'crosses_above(close, chandelier_short(window, multiplier))',
  volatility_stop_upper: 'close >= volatility_stop_upper(window, multiplier)',
  obv_bearish: 'obv() < obv()[k]',
  cmf_bullish: 'cmf(window) > threshold',
  mfi_oversold: 'mfi(window) < threshold',
  adosc_cross_up: 'crosses_above(adosc(fast, slow), 0)',
  force_bullish: 'force(window) > threshold',
  vwap_above: 'close > vwap(window)',
  daily_return_negative: 'daily_return() < threshold',
  kvo_bullish: 'kvo(fast, slow) > kvo_signal(fast, slow, signal_window)',
  inside_bar_trigger: 'high < high[1] and low > low[1]',
};

/** The formula with those parameters of the signal that it names; k is one less than its window. */
export function formulaParams(when: string, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = new Set(when.match(/[a-z_0-9]+/g));
  const own = Object.entries(params).filter(([name]) => named.has(name));
  return { ...Object.fromEntries(own), ...(named.has('k') ? { k: Number(params.window) - 1 } : {}), when };
}
