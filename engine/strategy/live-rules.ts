import { CLOSE_TIME } from '../indicators/clock.js';
import type { Column } from '../indicators/column.js';
import { ColumnStreams, isStreamed, Recent } from '../indicators/index.js';
import { type BarSeries, getBit, type PriceColumn, priceColumns } from '../series/index.js';
import { type Condition, columnsOfCondition, negated, type Operand } from '../signals/condition.js';
import type { PlannedRule, StrategyPlan } from './plan.js';
import { type OtherBars, ruleMasks } from './rules.js';

/** Whether a rule holds at the close of the newest bar. */
type Holds = (bars: BarSeries, others: OtherBars) => boolean;

interface LiveRule {
  /** One of them must hold. */
  readonly group: number;
  readonly holds: Holds;
}

/** Whether each list of rules holds; one that is missing or refused does not. */
interface LiveAnswers {
  readonly entry: boolean;
  readonly exit: boolean;
  readonly shortEntry: boolean;
  readonly shortExit: boolean;
}

/**
 * The rules of a plan at the close of one bar after the other, equal to `evaluateRules` over all
 * bars so far. A rule whose columns run one bar at a time costs the new bar only. The others, such
 * as rules on a coarser timeframe, over columns beside the bars, or in code, are evaluated over all
 * bars so far, once a bar.
 */
export class LiveRules {
  readonly #streams = new ColumnStreams();
  /** Each condition reads its values after every bar, whether or not its side needs the answer. */
  readonly #lists: Readonly<Record<keyof LiveAnswers, readonly LiveRule[]>>;
  #barCount = 0;

  constructor({ intervalMs, entry, exit, shortEntry, shortExit }: StrategyPlan) {
    const open = (rules: readonly PlannedRule[] | null | undefined): LiveRule[] =>
      rules?.map((rule) => ({ group: rule.group ?? 0, holds: this.#rule(rule, intervalMs) })) ?? [];
    this.#lists = { entry: open(entry), exit: open(exit), shortEntry: open(shortEntry), shortExit: open(shortExit) };
  }

  /**
   * Takes the next bar.
   * @param bars all bars so far; the new one is the last
   * @param others bars of the assets that rules name, as far as they have closed
   */
  push(bars: BarSeries, others: OtherBars = {}): LiveAnswers {
    const last = bars.barCount - 1;
    this.#barCount++;
    if (bars.barCount !== this.#barCount) {
      throw new RangeError(`bar ${this.#barCount} was expected, got bar ${bars.barCount}`);
    }
    this.#streams.push((name) => {
      if (name === CLOSE_TIME) return bars.time[last] + bars.intervalMs;
      return (name === 'time' ? bars.time : columnNamed(bars, name))[last];
    });
    const { entry, exit, shortEntry, shortExit } = this.#lists;
    return {
      entry: holds(entry, bars, others),
      exit: holds(exit, bars, others),
      shortEntry: holds(shortEntry, bars, others),
      shortExit: holds(shortExit, bars, others),
    };
  }

  #rule(rule: PlannedRule, intervalMs: number): Holds {
    const { signal, params, timeframeMs, asset, negate, withinBars = 1 } = rule;
    const condition = signal.condition(params);
    const isLive =
      asset === undefined &&
      timeframeMs === intervalMs &&
      signal.observes === undefined &&
      columnsOfCondition(negate === true ? negated(condition) : condition).every(isStreamed);
    if (!isLive) return (bars, others) => getBit(ruleMasks([rule], bars, others)[0], bars.barCount - 1);
    const minBars = signal.minBars(params);
    const warm = (of: Condition) => {
      const next = this.#condition(of);
      return () => {
        const isTrue = next(); // also while there are too few bars: a crossing looks back
        return isTrue && this.#barCount >= minBars;
      };
    };
    const isTrue = warm(condition);
    if (negate !== true) return recent(isTrue, withinBars);
    // Where the signal has a value, it is true or its negation is.
    let wasTrue = false;
    const opposite = warm(negated(condition));
    const widened = recent(() => {
      wasTrue = isTrue();
      return wasTrue;
    }, withinBars);
    return () => {
      const isHeld = widened();
      const isFalse = opposite();
      return (wasTrue || isFalse) && !isHeld;
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
        return recent(this.#condition(condition.part), condition.bars);
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

/** True for `bars` calls from one at which `part` is true on. */
function recent(part: () => boolean, bars: number): () => boolean {
  let since = Number.POSITIVE_INFINITY;
  return () => {
    since = part() ? 0 : since + 1;
    return since < bars;
  };
}

/** Whether all rules of one of the groups hold. */
function holds(rules: readonly LiveRule[], bars: BarSeries, others: OtherBars): boolean {
  const groups = new Map<number, boolean>();
  for (const { group, holds: rule } of rules) groups.set(group, rule(bars, others) && (groups.get(group) ?? true));
  return [...groups.values()].includes(true);
}

const isPriceColumn = (name: string): name is PriceColumn => (priceColumns as readonly string[]).includes(name);

const columnNamed = (bars: BarSeries, name: string): Float64Array =>
  isPriceColumn(name) ? bars[name] : bars.columns[name];
