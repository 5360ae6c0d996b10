import { type Column, close } from '../../indicators/column.js';
import { VWAP, VWMA } from '../../indicators/moving-averages.js';
import { CUMULATIVE_RETURN, RETURN } from '../../indicators/returns.js';
import { ADI, ADOSC, CMF, EASE_OF_MOVEMENT, FORCE, KLINGER, MFI, NVI, OBV, VPT } from '../../indicators/volume.js';
import { above, ago, atLeast, below, type Condition, crossesAbove, crossesBelow } from '../condition.js';
import type { Rules } from '../signal.js';

/** Compares a running total with its value at the other end of the window, window - 1 bars back. */
const over = (total: Column, window: number, relation: typeof above): Condition =>
  relation(total, ago(total, window - 1));

export const volume = {
  adi_bullish: ({ window }) => over(ADI, window, above),
  adi_bearish: ({ window }) => over(ADI, window, below),
  obv_bullish: ({ window }) => over(OBV, window, above),
  obv_bearish: ({ window }) => over(OBV, window, below),
  cmf_bullish: ({ window, threshold }) => above(CMF(window), threshold),
  cmf_bearish: ({ window, threshold }) => below(CMF(window), threshold),
  vpt_bullish: ({ window }) => over(VPT, window, above),
  vpt_bearish: ({ window }) => over(VPT, window, below),
  adosc_bullish: ({ fast, slow }) => above(ADOSC(fast, slow), 0),
  adosc_bearish: ({ fast, slow }) => below(ADOSC(fast, slow), 0),
  adosc_cross_up: ({ fast, slow }) => crossesAbove(ADOSC(fast, slow), 0),
  adosc_cross_down: ({ fast, slow }) => crossesBelow(ADOSC(fast, slow), 0),
  force_bullish: ({ window, threshold }) => above(FORCE(window), threshold),
  force_bearish: ({ window, threshold }) => below(FORCE(window), threshold),
  eom_bullish: ({ threshold }) => above(EASE_OF_MOVEMENT, threshold),
  eom_bearish: ({ threshold }) => below(EASE_OF_MOVEMENT, threshold),
  nvi_bullish: ({ window }) => above(...NVI(window)),
  nvi_bearish: ({ window }) => below(...NVI(window)),
  mfi_overbought: ({ window, threshold }) => above(MFI(window), threshold),
  mfi_oversold: ({ window, threshold }) => below(MFI(window), threshold),
  kvo_bullish: ({ fast, slow, signal_window }) => above(...KLINGER(fast, slow, signal_window)),
  kvo_bearish: ({ fast, slow, signal_window }) => below(...KLINGER(fast, slow, signal_window)),
  kvo_bullish_cross: ({ fast, slow, signal_window }) => crossesAbove(...KLINGER(fast, slow, signal_window)),
  kvo_bearish_cross: ({ fast, slow, signal_window }) => crossesBelow(...KLINGER(fast, slow, signal_window)),
  daily_return_positive: ({ threshold }) => above(RETURN, threshold),
  daily_return_negative: ({ threshold }) => below(RETURN, threshold),
  cumulative_return_positive: ({ threshold }) => above(CUMULATIVE_RETURN, threshold),
  cumulative_return_target: ({ target }) => atLeast(CUMULATIVE_RETURN, target),
  vwap_above: ({ window }) => above(close, VWAP(window)),
  vwap_below: ({ window }) => below(close, VWAP(window)),
  is_above_vwma: ({ window }) => above(close, VWMA(window)),
  vwma_cross_up: ({ window_fast, window_slow }) => crossesAbove(VWMA(window_fast), VWMA(window_slow)),
  vwma_cross_down: ({ window_fast, window_slow }) => crossesBelow(VWMA(window_fast), VWMA(window_slow)),
} satisfies Partial<Rules>;
