import {
  type ChoiceSpace,
  groupsOf,
  joinGroups,
  type RuleChoice,
  type RuleSpaces,
  type RunRules,
} from './choice-space.js';
import type { SignalSpace } from './signal-space.js';
import type { Variants } from './variants.js';

/** One question that a configuration answers with a digit. */
export interface Dimension {
  /** Digits are 0..size-1. */
  readonly size: number;
  /** True when nearby digits mean nearby values; otherwise digits are mere names. */
  readonly isOrdinal: boolean;
}

/** The answer of a configuration in one dimension. */
export interface Decision {
  readonly dimension: number;
  readonly digit: number;
}

/** Answers the questions while a configuration is drawn. */
export interface Picker {
  /** A digit of the dimension that is not among those taken. */
  pick(dimension: number, taken: readonly number[]): number;
  /** A whole number 0..n-1, all equally likely. */
  below(n: number): number;
}

interface DrawnConfiguration {
  readonly decisions: readonly Decision[];
  /**
   * Its place in the space. For a constrained signal this is a search, so callers ask for it only
   * when they need it.
   */
  place(): number;
}

type AddDimension = (size: number, isOrdinal: boolean) => number;

/** Redraws of one signal's parameters before one of its combinations is drawn by number. */
const REDRAWS_MAX = 50;
const NONE: readonly number[] = [];

/**
 * The space of a grid as a tree of decisions (Bergstra et al. 2011, section 2): the trigger of a
 * side is chosen first, then how many filters and which, then the parameters of only these signals,
 * and the execution settings. Places number the configurations as a grid does: entry, exit,
 * variant, the last fastest.
 */
export class ConfigurationTree {
  readonly dimensions: readonly Dimension[];
  /** Number of configurations. */
  readonly size: number;
  /** Entry and exit, then the short side's if there is one; each as its groups. */
  readonly #sides: readonly (readonly GroupBranch[])[];
  readonly #settings: readonly AxisBranch[];

  constructor(
    readonly spaces: RuleSpaces,
    readonly variants: Variants,
  ) {
    const dimensions: Dimension[] = [];
    const add: AddDimension = (size, isOrdinal) => dimensions.push({ size, isOrdinal }) - 1;
    const { entry, exit, short } = spaces;
    const sides = short === null ? [entry, exit] : [entry, exit, short.entry, short.exit];
    this.#sides = sides.map(({ groups }) => groups.map((space) => new GroupBranch(space, add)));
    this.#settings = variants.axes.map(({ values }) => new AxisBranch(values, add));
    this.dimensions = dimensions;
    this.size = spaces.size * variants.count;
  }

  draw(picker: Picker): DrawnConfiguration {
    const decisions: Decision[] = [];
    const sides = this.#sides.map((groups) => groups.map((group) => group.draw(picker, decisions)));
    const positions = this.#settings.map((axis) => axis.draw(picker, decisions));
    const place = () => {
      const variant = positions.reduce((index, position, a) => index * this.#settings[a].size + position, 0);
      return (
        this.spaces.indexOf(rulesOfSides(sides.map((groups) => joinGroups(groups.map(rulesOf))))) *
          this.variants.count +
        variant
      );
    };
    return { decisions, place };
  }

  /** Rules and variant of configuration `place`. */
  at(place: number): RunRules & { readonly variant: number } {
    const variant = place % this.variants.count;
    return { ...this.spaces.at(Math.floor(place / this.variants.count)), variant };
  }

  /** The decisions of a draw that gives configuration `place`. */
  decisionsAt(place: number): Decision[] {
    const { entry, exit, short, variant } = this.at(place);
    const settings: Decision[] = [];
    let rest = variant;
    for (const axis of this.#settings.toReversed()) {
      settings.unshift(axis.decisionAt(rest % axis.size));
      rest = Math.floor(rest / axis.size);
    }
    const rules = short === undefined ? [entry, exit] : [entry, exit, short.entry, short.exit];
    const ofRules = this.#sides.flatMap((groups, k) => {
      const held = groupsOf(rules[k]);
      return groups.flatMap((group, g) => group.decisionsOf(held[g] ?? []));
    });
    return [...ofRules, ...settings];
  }
}

/** A signal that was drawn, with the positions of its parameters on their axes. */
interface DrawnSignal {
  readonly space: SignalSpace;
  readonly positions: readonly number[];
}

const rulesOf = (drawn: readonly DrawnSignal[]): RuleChoice[] =>
  drawn.map(({ space, positions }) => ({ space, combination: space.combinationAt(positions) }));

const rulesOfSides = ([entry, exit, ...short]: readonly (readonly RuleChoice[])[]): RunRules =>
  short.length === 0 ? { entry, exit } : { entry, exit, short: { entry: short[0], exit: short[1] } };

/** One group of a side: trigger, number of filters, filters, and a branch for the parameters of each. */
class GroupBranch {
  readonly #triggers: readonly SignalBranch[];
  readonly #filters: readonly SignalBranch[];
  readonly #trigger: number;
  readonly #count: number;
  readonly #filter: number;
  readonly #filterMin: number;

  constructor({ triggers, filters, filterMin, filterMax }: ChoiceSpace, add: AddDimension) {
    // A signal whose constraints exclude every combination is in no configuration.
    const usable = (spaces: readonly SignalSpace[]) => spaces.filter(({ size }) => size > 0);
    const branch = (space: SignalSpace) => new SignalBranch(space, add);
    this.#triggers = usable(triggers).map(branch);
    this.#filters = triggers.length === 0 ? [] : usable(filters).map(branch);
    this.#filterMin = filterMin;
    this.#trigger = add(this.#triggers.length, false);
    this.#count = add(Math.max(0, Math.min(filterMax, this.#filters.length) - filterMin) + 1, true);
    this.#filter = add(this.#filters.length, false);
  }

  /** The trigger first, then the filters in listed order. */
  draw(picker: Picker, decisions: Decision[]): DrawnSignal[] {
    if (this.#triggers.length === 0) return [];
    const decide = (dimension: number, taken = NONE): number => {
      const digit = picker.pick(dimension, taken);
      decisions.push({ dimension, digit });
      return digit;
    };
    const trigger = this.#triggers[decide(this.#trigger)];
    const count = this.#filterMin + decide(this.#count);
    const chosen: number[] = [];
    while (chosen.length < count) chosen.push(decide(this.#filter, chosen));
    const filters = chosen.sort((a, b) => a - b).map((number) => this.#filters[number]);
    return [trigger, ...filters].map((signal) => signal.draw(picker, decisions));
  }

  decisionsOf(rules: readonly RuleChoice[]): Decision[] {
    if (rules.length === 0) return [];
    const numberOf = (branches: readonly SignalBranch[], { space }: RuleChoice) =>
      branches.findIndex((branch) => branch.space === space);
    const [trigger, ...filters] = rules;
    const t = numberOf(this.#triggers, trigger);
    const numbers = filters.map((rule) => numberOf(this.#filters, rule));
    const signals = [this.#triggers[t], ...numbers.map((number) => this.#filters[number])];
    return [
      { dimension: this.#trigger, digit: t },
      { dimension: this.#count, digit: filters.length - this.#filterMin },
      ...numbers.map((digit) => ({ dimension: this.#filter, digit })),
      ...signals.flatMap((signal, i) => signal.decisionsAt(signal.space.positions(rules[i].combination))),
    ];
  }
}

/** The swept parameters of one signal. */
class SignalBranch {
  readonly #axes: readonly AxisBranch[];

  constructor(
    readonly space: SignalSpace,
    add: AddDimension,
  ) {
    this.#axes = space.definition.axes.map(({ values }) => new AxisBranch(values, add));
  }

  draw(picker: Picker, decisions: Decision[]): DrawnSignal {
    const { space } = this;
    for (let attempt = 0; attempt <= REDRAWS_MAX; attempt++) {
      const drawn: Decision[] = [];
      const positions = this.#axes.map((axis) => axis.draw(picker, drawn));
      if (!space.isCombination(positions)) continue;
      decisions.push(...drawn);
      return { space, positions };
    }
    const positions = space.positions(picker.below(space.size));
    decisions.push(...this.decisionsAt(positions));
    return { space, positions };
  }

  decisionsAt(positions: readonly number[]): Decision[] {
    return this.#axes.map((axis, a) => axis.decisionAt(positions[a]));
  }
}

/**
 * One list of values as a dimension: numbers are ordinal and ranked by size, regardless of their
 * order in the list.
 */
class AxisBranch {
  readonly size: number;
  readonly #dimension: number;
  /** By digit: position of its value in the list. */
  readonly #positions: readonly number[];
  readonly #digits: readonly number[];

  constructor(values: readonly unknown[], add: AddDimension) {
    const isOrdinal = values.every((value) => typeof value === 'number');
    this.size = values.length;
    this.#dimension = add(values.length, isOrdinal);
    this.#positions = values.map((_, i) => i);
    if (isOrdinal) this.#positions = this.#positions.toSorted((a, b) => values[a] - values[b]);
    const digits = new Array<number>(values.length);
    for (const [digit, position] of this.#positions.entries()) digits[position] = digit;
    this.#digits = digits;
  }

  /** A position in the list. */
  draw(picker: Picker, decisions: Decision[]): number {
    const digit = picker.pick(this.#dimension, NONE);
    decisions.push({ dimension: this.#dimension, digit });
    return this.#positions[digit];
  }

  decisionAt(position: number): Decision {
    return { dimension: this.#dimension, digit: this.#digits[position] };
  }
}
