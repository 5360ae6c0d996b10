import { reuseColumns } from '../indicators/column-pool.js';
import { Frame } from '../indicators/frame.js';
import { aggregateBars, type CoarseBars } from '../series/aggregate.js';
import type { BarSeries } from '../series/bars.js';
import { andInto, createMask, getBit, type Mask, setAll, setBit } from '../series/bits.js';
import { signalMask } from '../signals/evaluate.js';
import type { PlannedRule, StrategyPlan } from './plan.js';

export interface RuleMasks {
  /** Bit i: the entry rule holds at the close of bar i. */
  readonly entry: Mask;
  readonly exit: Mask;
  /** The two halves of the entry rule: its triggers, and all of its filters (true everywhere where there are none). */
  readonly entryTrigger: Mask;
  readonly entryFilter: Mask;
}

/**
 * Both rules of a plan at the close of every bar: TRIGGER and every FILTER true. Coarse rules read bars aggregated from
 * the same series, each visible only from its close on.
 */
export function evaluateRules(plan: StrategyPlan, bars: BarSeries): RuleMasks {
  return reuseColumns(() => masksOf(plan, bars)); // masks are all that is left of the columns
}

function masksOf(plan: StrategyPlan, bars: BarSeries): RuleMasks {
  const { barCount } = bars;
  const maskOf = ruleEvaluator(bars);
  const entryTrigger = createMask(barCount);
  const entryFilter = createMask(barCount);
  const exit = createMask(barCount);
  if (plan.entry !== null && plan.entry.length > 0) {
    conjoin(entryTrigger, plan.entry.filter(isTrigger).map(maskOf), barCount);
    conjoin(entryFilter, plan.entry.filter((rule) => !isTrigger(rule)).map(maskOf), barCount);
  }
  if (plan.exit !== null && plan.exit.length > 0) conjoin(exit, plan.exit.map(maskOf), barCount);
  const entry = entryTrigger.slice();
  andInto(entry, entryFilter);
  return { entry, exit, entryTrigger, entryFilter };
}

const isTrigger = ({ role }: PlannedRule): boolean => role === 'TRIGGER';

/** Sets in `out` the bars on which all masks are true. */
function conjoin(out: Mask, masks: readonly Mask[], barCount: number): void {
  setAll(out, barCount);
  for (const mask of masks) andInto(out, mask);
}

/** Evaluates single rules over one series; coarse bars and columns are made once and shared between the rules. */
export function ruleEvaluator(bars: BarSeries): (rule: PlannedRule) => Mask {
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
  return (rule) => ruleMask(rule, frameOf(rule.timeframeMs), bars.barCount);
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
