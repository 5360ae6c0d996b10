import { CLOSE_TIME } from '../indicators/clock.js';
import type { Column } from '../indicators/column.js';
import { ColumnStreams, isStreamed, Recent } from '../indicators/index.js';
import { type BarSeries, getBit, type PriceColumn, priceColumns } from '../series/index.js';
import { type Condition, columnsOfCondition, type Operand } from '../signals/condition.js';
import type { PlannedRule, StrategyPlan } from './plan.js';
import { ruleMasks } from './rules.js';

/** Whether a rule holds at the close of the newest bar. */
type Holds = (bars: BarSeries) => boolean;

/**
 * The rules of a plan at the close of one bar after the other, equal to `evaluateRules` over all
 * bars so far. A rule whose columns run one bar at a time costs the new bar only. The others, such
 * as rules on a coarser timeframe, over columns beside the bars, or in code, are evaluated over all
 * bars so far, once a bar.
 */
export class LiveRules {
  readonly #streams = new ColumnStreams();
  /** Each condition reads its values after every bar, whether or not its side needs the answer. */
  readonly #entry: readonly Holds[] | null;
  readonly #exit: readonly Holds[] | null;
  #barCount = 0;

  constructor({ intervalMs, entry, exit }: StrategyPlan) {
    const open = (rules: readonly PlannedRule[] | null) => rules?.map((rule) => this.#rule(rule, intervalMs)) ?? null;
    this.#entry = open(entry);
    this.#exit = open(exit);
  }

  /**
   * Takes the next bar.
   * @param bars all bars so far; the new one is the last
   */
  push(bars: BarSeries): { readonly entry: boolean; readonly exit: boolean } {
    const last = bars.barCount - 1;
    this.#barCount++;
    if (bars.barCount !== this.#barCount) {
      throw new RangeError(`bar ${this.#barCount} was expected, got bar ${bars.barCount}`);
    }
    this.#streams.push((name) => {
      if (name === CLOSE_TIME) return bars.time[last] + bars.intervalMs;
      return (name === 'time' ? bars.time : columnNamed(bars, name))[last];
    });
    return { entry: holds(this.#entry, bars), exit: holds(this.#exit, bars) };
  }

  #rule(rule: PlannedRule, intervalMs: number): Holds {
    const { signal, params, timeframeMs } = rule;
    const condition = signal.condition(params);
    const isLive =
      timeframeMs === intervalMs && signal.observes === undefined && columnsOfCondition(condition).every(isStreamed);
    if (!isLive) return (bars) => getBit(ruleMasks([rule], bars)[0], bars.barCount - 1);
    const minBars = signal.minBars(params);
    const next = this.#condition(condition);
    return () => {
      const isTrue = next(); // also while there are too few bars: a crossing looks back
      return isTrue && this.#barCount >= minBars;
    };
  }

  /** A function that is called once after every bar. */
  #condition(condition: Condition): () => boolean {
    switch (condition.kind) {
      case 'compare': {
        const [left, right] = [this.#operand(condition.left), this.#operand(condition.right)];
        return condition.isStrict ? () => left() > right() : () => left() >= right();
      }
      case 'cross': {
        const [left, right] = [this.#operand(condition.left), this.#operand(condition.right)];
        let wasAtOrBelow = false;
        return () => {
          const [a, b] = [left(), right()];
          const crosses = wasAtOrBelow && a > b;
          wasAtOrBelow = a <= b;
          return crosses;
        };
      }
      case 'all': {
        const parts = condition.parts.map((part) => this.#condition(part));
        return () => countTrue(parts) === parts.length;
      }
      case 'any': {
        const parts = condition.parts.map((part) => this.#condition(part));
        return () => countTrue(parts) > 0;
      }
      case 'none': {
        const parts = condition.parts.map((part) => this.#condition(part));
        const defined = condition.defined.map((value) => this.#operand(value));
        return () => {
          const isDefined = defined.map((value) => value()).every((value) => !Number.isNaN(value));
          return countTrue(parts) === 0 && isDefined;
        };
      }
      case 'recent': {
        const part = this.#condition(condition.part);
        let since = Number.POSITIVE_INFINITY;
        return () => {
          since = part() ? 0 : since + 1;
          return since < condition.bars;
        };
      }
    }
  }

  #operand(operand: Operand): () => number {
    if (typeof operand === 'number') return () => operand;
    const { column, lag, scale } = operand;
    const now = this.#value(column);
    const recent = new Recent(lag + 1);
    return () => {
      recent.add(now());
      const value = recent.at(lag);
      return scale === 1 ? value : scale * value;
    };
  }

  #value(column: Column): () => number {
    return this.#streams.add(column);
  }
}

/** Calls every part, because each must see every bar. */
const countTrue = (parts: readonly (() => boolean)[]): number =>
  parts.reduce((count, part) => count + Number(part()), 0);

function holds(rules: readonly Holds[] | null, bars: BarSeries): boolean {
  if (rules === null || rules.length === 0) return false;
  let all = true;
  for (const rule of rules) all = rule(bars) && all;
  return all;
}

const isPriceColumn = (name: string): name is PriceColumn => (priceColumns as readonly string[]).includes(name);

const columnNamed = (bars: BarSeries, name: string): Float64Array =>
  isPriceColumn(name) ? bars[name] : bars.columns[name];
