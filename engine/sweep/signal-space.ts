import { EngineError } from '../errors.js';
import type { ParamValue, ParamValues } from '../indicators/params.js';
import type { Signal, SignalType } from '../signals/signal.js';
import type { RuleReach } from '../strategy/index.js';
import type { AxisValue } from './axis.js';

export type SweepOperator = '<' | '<=' | '>' | '>=' | '!=';

/** Compares parameter `left` with `right`, a parameter or a number. */
export type SweepConstraint = readonly [left: string, operator: SweepOperator, right: string | number];

/** One signal of a sweep, with the values that its parameters take. */
export interface SweepSignal {
  readonly signal: Signal;
  readonly role: SignalType;
  /** Null means the timeframe of the dataset. */
  readonly timeframe: string | null;
  /** What of the bars the rule reads; absent in a rule that only names its signal. */
  readonly reach?: RuleReach;
  /** Complete; swept parameters have an arbitrary value. */
  readonly params: ParamValues;
  /** Parameters that the sweep's author fixed; the others have their defaults. */
  readonly fixed: ReadonlySet<string>;
  /** Swept parameters, sorted by name. */
  readonly axes: readonly { readonly name: string; readonly values: readonly AxisValue[] }[];
  /** Constraints of the registry and of the sweep, each about parameters of this signal only. */
  readonly constraints: readonly SweepConstraint[];
}

/** Beyond this a constrained space would take seconds to count. */
const CONSTRAINED_MAX = 20_000_000;
/** Combinations between two noted places of a constrained space. */
const STRIDE = 1_024;

/**
 * The parameter combinations of one signal: the product of its axes, the last name varying fastest,
 * without combinations that violate a constraint. There is no list of them: an unconstrained space
 * is decoded by arithmetic, a constrained one by a walk from the nearest place, one of which is
 * noted every 1,024 combinations.
 */
export class SignalSpace {
  readonly size: number;
  /**
   * Product places of the combinations 0, 1024, 2048, ...; null where every product place is a
   * combination.
   */
  readonly #places: readonly number[] | null;
  readonly #sorted: ParamValues;
  #latest = { at: -1, place: -1 };
  /** One test per constraint: whether a product place meets it. */
  readonly #tests: readonly ((place: number) => boolean)[];

  /** @throws INVALID_FIELD when a constrained product has more than 20,000,000 places */
  constructor(readonly definition: SweepSignal) {
    const { axes, constraints, signal, params } = definition;
    this.#sorted = sortedByName(params);
    const product = axes.reduce((size, { values }) => size * values.length, 1);
    this.#tests = constraints.map(([left, operator, right]) => {
      const a = this.#valueOf(left);
      const b = typeof right === 'number' ? () => right : this.#valueOf(right);
      return (place) => compare(a(place), operator, b(place));
    });
    if (constraints.length === 0) {
      this.size = product;
      this.#places = null;
      return;
    }
    if (product > CONSTRAINED_MAX) {
      throw new EngineError(
        'INVALID_FIELD',
        `${signal.name}: a signal with constraints may have at most ${CONSTRAINED_MAX} combinations without them, has ${product}`,
      );
    }
    const places: number[] = [];
    let count = 0;
    for (let place = 0; place < product; place++) {
      if (!this.#holds(place)) continue;
      if (count % STRIDE === 0) places.push(place);
      count++;
    }
    this.size = count;
    this.#places = places;
  }

  /** Complete parameters of combination `index`, sorted by name. */
  params(index: number): ParamValues {
    return this.#at(this.#placeOf(index));
  }

  /** Position of combination `index` on each axis. */
  positions(index: number): number[] {
    const positions: number[] = [];
    let rest = this.#placeOf(index);
    for (const { values } of this.definition.axes.toReversed()) {
      positions.unshift(rest % values.length);
      rest = Math.floor(rest / values.length);
    }
    return positions;
  }

  /** Whether the values at these positions meet the constraints. */
  isCombination(positions: readonly number[]): boolean {
    return this.#places === null || this.#holds(this.#placeAt(positions));
  }

  /** Index of the combination at these positions, which must be one. */
  combinationAt(positions: readonly number[]): number {
    return this.#indexOf(this.#placeAt(positions));
  }

  /** Combinations one step away along one axis. */
  neighbours(index: number): number[] {
    const { axes } = this.definition;
    const place = this.#placeOf(index);
    const found: number[] = [];
    let stride = 1;
    for (let a = axes.length - 1; a >= 0; a--) {
      const { length } = axes[a].values;
      const digit = Math.floor(place / stride) % length;
      for (const step of [-1, 1]) {
        const isInside = digit + step >= 0 && digit + step < length;
        if (isInside && this.#holds(place + step * stride)) found.push(this.#indexOf(place + step * stride));
      }
      stride *= length;
    }
    return found;
  }

  #placeAt(positions: readonly number[]): number {
    return this.definition.axes.reduce((place, { values }, a) => place * values.length + positions[a], 0);
  }

  /** Index of the combination at a place that meets the constraints. */
  #indexOf(place: number): number {
    if (this.#places === null) return place;
    const noted = this.#places.findLastIndex((one) => one <= place);
    let index = noted * STRIDE;
    for (let at = this.#places[noted]; at < place; at++) if (this.#holds(at)) index++;
    return index;
  }

  /**
   * Continues from the combination asked for last when that is nearer, because plans ask in order.
   */
  #placeOf(index: number): number {
    if (this.#places === null) return index;
    const noted = index - (index % STRIDE);
    let { at, place } = this.#latest;
    if (at > index || at < noted) [at, place] = [noted, this.#places[noted / STRIDE]];
    for (; at < index; at++)
      do place++;
      while (!this.#holds(place));
    this.#latest = { at, place };
    return place;
  }

  #at(place: number): ParamValues {
    const { axes } = this.definition;
    if (axes.length === 0) return this.#sorted;
    const values: Record<string, ParamValue> = { ...this.#sorted };
    let rest = place;
    for (let a = axes.length - 1; a >= 0; a--) {
      const { name, values: choices } = axes[a];
      values[name] = choices[rest % choices.length];
      rest = Math.floor(rest / choices.length);
    }
    return values;
  }

  /**
   * Reads one parameter at a product place without the others, because constraints are tested at
   * every place.
   */
  #valueOf(name: string): (place: number) => ParamValue {
    const { axes } = this.definition;
    const a = axes.findIndex((axis) => axis.name === name);
    const fixed = this.#sorted[name];
    if (a === -1) return () => fixed;
    const { values } = axes[a];
    const stride = axes.slice(a + 1).reduce((size, axis) => size * axis.values.length, 1);
    return (place) => values[Math.floor(place / stride) % values.length];
  }

  #holds(place: number): boolean {
    for (const isMetAt of this.#tests) if (!isMetAt(place)) return false;
    return true;
  }
}

/** Returns the same object when its names are in order already, as in a random sample. */
function sortedByName(params: ParamValues): ParamValues {
  const names = Object.keys(params);
  if (names.every((name, i) => i === 0 || names[i - 1] < name)) return params;
  return Object.fromEntries(names.sort().map((name) => [name, params[name]]));
}

export const isMet = ([left, operator, right]: SweepConstraint, values: ParamValues): boolean =>
  compare(values[left], operator, typeof right === 'number' ? right : values[right]);

function compare(a: ParamValue, operator: SweepOperator, b: ParamValue): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '!=':
      return a !== b;
  }
}
