import { Frame } from '../indicators/frame.js';
import { aggregateBars, type CoarseBars } from '../series/aggregate.js';
import type { BarSeries } from '../series/bars.js';
import { andInto, createMask, getBit, type Mask, setBit } from '../series/bits.js';
import { signalMask } from '../signals/evaluate.js';
import type { PlannedRule, StrategyPlan } from './plan.js';

export interface RuleMasks {
  /** Bit i: the entry rule holds at the close of bar i. */
  readonly entry: Mask;
  readonly exit: Mask;
}

/**
 * Both rules of a plan at the close of every bar: TRIGGER and every FILTER true. Coarse rules read bars aggregated from
 * the same series, each visible only from its close on.
 */
export function evaluateRules(plan: StrategyPlan, bars: BarSeries): RuleMasks {
  const frames = new Map<number, RuleFrame>();
  const frameOf = (timeframeMs: number): RuleFrame => {
    let frame = frames.get(timeframeMs);
    if (frame === undefined) {
      const coarse = timeframeMs === bars.intervalMs ? null : aggregateBars(bars, timeframeMs);
      frame = { coarse, frame: Frame.of(coarse?.bars ?? bars) };
      frames.set(timeframeMs, frame);
    }
    return frame;
  };
  const sideMask = (rules: readonly PlannedRule[] | null): Mask => {
    if (rules === null || rules.length === 0) return createMask(bars.barCount);
    const [first, ...others] = rules.map((rule) => ruleMask(rule, frameOf(rule.timeframeMs), bars.barCount));
    for (const other of others) andInto(first, other);
    return first;
  };
  return { entry: sideMask(plan.entry), exit: sideMask(plan.exit) };
}

interface RuleFrame {
  readonly frame: Frame;
  /** Null on the interval of the run. */
  readonly coarse: CoarseBars | null;
}

function ruleMask({ signal, params, role }: PlannedRule, { frame, coarse }: RuleFrame, barCount: number): Mask {
  const mask = signalMask(signal, params, frame);
  return coarse === null ? mask : alignMask(mask, coarse.newest, role === 'TRIGGER', barCount);
}

/**
 * Answers of coarse bars at the closes of base bars. A FILTER keeps the value of the newest visible coarse bar; a TRIGGER
 * counts only on the base bar at whose close that coarse bar became visible.
 */
function alignMask(coarse: Mask, newest: Int32Array, isEvent: boolean, barCount: number): Mask {
  const mask = createMask(barCount);
  let previous = -1;
  for (let i = 0; i < barCount; i++) {
    const k = newest[i];
    if (k >= 0 && (!isEvent || k !== previous) && getBit(coarse, k)) setBit(mask, i);
    previous = k;
  }
  return mask;
}
