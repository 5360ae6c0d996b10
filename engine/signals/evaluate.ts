import { type Frame, withFrame } from '../indicators/frame.js';
import type { ParamValues } from '../indicators/params.js';
import type { BarSeries } from '../series/bars.js';
import { clearBefore, createMask, getBit, type Mask, nextBit, setBit } from '../series/bits.js';
import { always, type Condition, undefinedFor } from './condition.js';
import { evaluateCondition } from './masks.js';
import { observedColumn, type Signal } from './signal.js';

/**
 * The signal's answer on every bar: bit t is its answer for bars 0..t, false while there is too
 * little data.
 * @param params complete, as resolveParams returns them
 */
export const signalMask = (signal: Signal, params: ParamValues, frame: Frame): Mask =>
  warmMask(signal, params, signal.condition(params), frame);

/** Recursions over recursions, such as TEMA, have values after up to three times `minBars`. */
const WARM_UP_FACTOR_MAX = 3;

/** The bars after the warm-up of the signal, and the bars among them that leave it undefined. */
export function undefinedMasks(signal: Signal, params: ParamValues, frame: Frame): { warm: Mask; missing: Mask } {
  const warm = warmMask(signal, params, always, frame);
  const missing = warmMask(signal, params, undefinedFor(signal.condition(params)), frame);
  const defined = warm.map((word, i) => word & ~missing[i]);
  const first = nextBit(defined, 0);
  if (first !== -1 && first < WARM_UP_FACTOR_MAX * signal.minBars(params)) {
    clearBefore(warm, first);
    clearBefore(missing, first);
  }
  return { warm, missing };
}

/** A condition over the bars, or observations, of the signal; false during its warm-up. */
function warmMask(signal: Signal, params: ParamValues, condition: Condition, frame: Frame): Mask {
  const column = observedColumn(signal, params);
  if (column !== undefined) return observationMask(signal, params, condition, column, frame);
  const mask = evaluateCondition(condition, frame);
  clearBefore(mask, Math.min(signal.minBars(params) - 1, frame.barCount));
  return mask;
}

/**
 * For columns beside the bars: the condition runs over observations, and each bar repeats the
 * answer of the newest observation known at its close.
 */
function observationMask(
  signal: Signal,
  params: ParamValues,
  condition: Condition,
  column: string,
  frame: Frame,
): Mask {
  const { frame: observations, observed } = frame.observations(column);
  const answers = evaluateCondition(condition, observations);
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
