import { type Frame, withFrame } from '../indicators/frame.js';
import type { BarSeries } from '../series/bars.js';
import { clearBefore, createMask, getBit, type Mask, setBit } from '../series/bits.js';
import { evaluateCondition } from './masks.js';
import type { ParamValues } from './params.js';
import { observedColumn, type Signal } from './signal.js';

/**
 * The signal's answer on every bar: bit t is its answer for bars 0..t, false while there is too
 * little data.
 * @param params complete, as resolveParams returns them
 */
export function signalMask(signal: Signal, params: ParamValues, frame: Frame): Mask {
  const column = observedColumn(signal, params);
  if (column !== undefined) return observationMask(signal, params, column, frame);
  const mask = evaluateCondition(signal.condition(params), frame);
  clearBefore(mask, Math.min(signal.minBars(params) - 1, frame.barCount));
  return mask;
}

/**
 * For columns beside the bars: the condition runs over observations, and each bar repeats the
 * answer of the newest observation known at its close.
 */
function observationMask(signal: Signal, params: ParamValues, column: string, frame: Frame): Mask {
  const { frame: observations, observed } = frame.observations(column);
  const answers = evaluateCondition(signal.condition(params), observations);
  const minimum = signal.minBars(params);
  const mask = createMask(frame.barCount);
  for (let bar = 0; bar < observed.length; bar++) {
    const count = observed[bar];
    if (count >= minimum && getBit(answers, count - 1)) setBit(mask, bar);
  }
  return mask;
}

/** The signal's answer for the last bar of the series; false for an empty series. */
export function evaluateSignal(signal: Signal, params: ParamValues, bars: BarSeries): boolean {
  const last = bars.barCount - 1;
  return last >= 0 && withFrame(bars, (frame) => getBit(signalMask(signal, params, frame), last));
}
