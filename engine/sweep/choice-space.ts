import { EngineError } from '../errors.js';
import type { Selection, SideSelection, SweepDefinition } from './definition.js';
import { SignalSpace } from './signal-space.js';

/** One signal with one of its combinations. */
export interface RuleChoice {
  readonly space: SignalSpace;
  readonly combination: number;
  /** Set in a random sample: no other run shares the space, so its text is not worth caching. */
  readonly isDrawn?: true;
  /** Number of its group where the side has several (`any`), else absent. */
  readonly group?: number;
}

/** The rules of a side, group by group. */
export function groupsOf(rules: readonly RuleChoice[]): RuleChoice[][] {
  const groups: RuleChoice[][] = [];
  for (const rule of rules) {
    const { group = 0 } = rule;
    groups[group] ??= [];
    groups[group].push(rule);
  }
  return groups;
}

/** Numbers the rules of groups; rules of a single group stay as they are. */
export const joinGroups = (groups: readonly (readonly RuleChoice[])[]): readonly RuleChoice[] =>
  groups.length === 1 ? groups[0] : groups.flatMap((rules, group) => rules.map((rule) => ({ ...rule, group })));

/** Entry and exit rules of one side; no entry rule is none at all. */
export interface SideRules {
  readonly entry: readonly RuleChoice[];
  readonly exit: readonly RuleChoice[];
}

/** The rules of a run: of the long side, and of the short side if there is one. */
export interface RunRules extends SideRules {
  readonly short?: SideRules;
}

/**
 * The rule sets of one side: for each trigger in order, for each set of filters (small sets first,
 * then in listed order), the product of their combinations, the trigger outermost. A side without
 * triggers has one choice: no rules.
 */
export class ChoiceSpace {
  /** Not exact beyond 2^53, but then still beyond it. */
  readonly size: number;
  readonly #triggerEnds: readonly number[];
  /** [count][from]: combinations of `count` of the filters from number `from` on. */
  readonly #filterSums: readonly (readonly number[])[];

  constructor(
    readonly triggers: readonly SignalSpace[],
    readonly filters: readonly SignalSpace[],
    readonly filterMin: number,
    readonly filterMax: number,
  ) {
    this.#filterSums = filterSums(filters, filterMax);
    let perTrigger = 0;
    for (let count = filterMin; count <= filterMax; count++) perTrigger += this.#filterSums[count][0];
    let end = 0;
    this.#triggerEnds = triggers.map(({ size }) => (end += size * perTrigger));
    this.size = triggers.length === 0 ? 1 : end;
  }

  /** Rules of choice `index`, the trigger first. */
  at(index: number): RuleChoice[] {
    if (this.triggers.length === 0) return [];
    const t = this.#triggerEnds.findIndex((end) => index < end);
    const trigger = this.triggers[t];
    let rest = index - (t === 0 ? 0 : this.#triggerEnds[t - 1]);
    let count = this.filterMin;
    while (rest >= trigger.size * this.#filterSums[count][0]) rest -= trigger.size * this.#filterSums[count++][0];
    // For each filter in order: how many choices have it as the next filter of the set?
    const chosen: SignalSpace[] = [];
    let weight = trigger.size;
    for (let from = 0; chosen.length < count; from++) {
      const later = this.#filterSums[count - chosen.length - 1][from + 1];
      const choices = weight * this.filters[from].size * later;
      if (rest < choices) {
        weight *= this.filters[from].size;
        chosen.push(this.filters[from]);
      } else {
        rest -= choices;
      }
    }
    const spaces = [trigger, ...chosen];
    const rules: RuleChoice[] = [];
    for (let i = spaces.length - 1; i >= 0; i--) {
      rules.unshift({ space: spaces[i], combination: rest % spaces[i].size });
      rest = Math.floor(rest / spaces[i].size);
    }
    return rules;
  }

  /**
   * Index of the choice with these rules, the inverse of `at`.
   * @param rules the trigger first, then filters in listed order, all of this space
   */
  indexOf(rules: readonly RuleChoice[]): number {
    if (this.triggers.length === 0) return 0;
    const [{ space: trigger }, ...filters] = rules;
    const t = this.triggers.indexOf(trigger);
    let index = t === 0 ? 0 : this.#triggerEnds[t - 1];
    for (let count = this.filterMin; count < filters.length; count++) {
      index += trigger.size * this.#filterSums[count][0];
    }
    let weight = trigger.size;
    for (let from = 0, found = 0; found < filters.length; from++) {
      const { size } = this.filters[from];
      if (this.filters[from] === filters[found].space) {
        weight *= size;
        found++;
      } else {
        index += weight * size * this.#filterSums[filters.length - found - 1][from + 1];
      }
    }
    return index + rules.reduce((rest, { space, combination }) => rest * space.size + combination, 0);
  }
}

/** The most combinations that a number counts exactly. */
export const COMBINATIONS_MAX = 2 ** 53;

/** The rule sets of one side: the product over its groups, the last fastest. */
class SideSpace {
  readonly size: number;

  constructor(readonly groups: readonly ChoiceSpace[]) {
    this.size = groups.reduce((size, group) => size * group.size, 1);
  }

  at(index: number): readonly RuleChoice[] {
    let rest = index;
    const rules = this.groups.toReversed().map((group) => {
      const choice = group.at(rest % group.size);
      rest = Math.floor(rest / group.size);
      return choice;
    });
    return joinGroups(rules.reverse());
  }

  /** The inverse of `at`. */
  indexOf(rules: readonly RuleChoice[]): number {
    const held = groupsOf(rules);
    return this.groups.reduce((index, group, k) => index * group.size + group.indexOf(held[k] ?? []), 0);
  }
}

/** The rule sets of a run, numbered as a whole: entry, exit, short entry, short exit, the last fastest. */
export class RuleSpaces {
  readonly #all: readonly SideSpace[];
  /** Not exact beyond 2^53, but then still beyond it. */
  readonly size: number;

  constructor(
    readonly entry: SideSpace,
    readonly exit: SideSpace,
    readonly short: { readonly entry: SideSpace; readonly exit: SideSpace } | null,
  ) {
    this.#all = short === null ? [entry, exit] : [entry, exit, short.entry, short.exit];
    this.size = this.#all.reduce((size, space) => size * space.size, 1);
  }

  at(index: number): RunRules {
    let rest = index;
    const rules = this.#all.toReversed().map((space) => {
      const choice = space.at(rest % space.size);
      rest = Math.floor(rest / space.size);
      return choice;
    });
    const [entry, exit, shortEntry, shortExit] = rules.reverse();
    return { entry, exit, ...(this.short === null ? {} : { short: { entry: shortEntry, exit: shortExit } }) };
  }

  /** The inverse of `at`. */
  indexOf({ entry, exit, short }: RunRules): number {
    const rules = short === undefined ? [entry, exit] : [entry, exit, short.entry, short.exit];
    return rules.reduce((index, choices, k) => index * this.#all[k].size + this.#all[k].indexOf(choices), 0);
  }
}

/**
 * The rule sets of all sides.
 * @throws INVALID_FIELD when there is no combination, or more than 2^53
 */
export function spacesOf({ entry, exit, short }: SweepDefinition): RuleSpaces {
  const spaceOf = (side: SideSelection) => new SideSpace(side.map(choicesOf));
  const shortSpaces = short === null ? null : { entry: spaceOf(short.entry), exit: spaceOf(short.exit) };
  const spaces = new RuleSpaces(spaceOf(entry), spaceOf(exit), shortSpaces);
  const { size } = spaces;
  if (size === 0) {
    throw new EngineError('INVALID_FIELD', 'the parameter space has no valid combination: its constraints exclude all');
  }
  if (size > COMBINATIONS_MAX) {
    throw new EngineError('INVALID_FIELD', 'the parameter space must have at most 2^53 combinations');
  }
  return spaces;
}

function choicesOf({ triggers, filters, filterMin, filterMax }: Selection): ChoiceSpace {
  const spaces = (signals: Selection['triggers']) => signals.map((signal) => new SignalSpace(signal));
  return new ChoiceSpace(spaces(triggers), spaces(filters), filterMin, filterMax);
}

/**
 * Sums of products over sets of filters, by the size of the set and the first filter that may be in
 * it.
 */
function filterSums(filters: readonly SignalSpace[], filterMax: number): number[][] {
  const sums = Array.from({ length: filterMax + 1 }, (_, count) =>
    new Array<number>(filters.length + 2).fill(count === 0 ? 1 : 0),
  );
  for (let count = 1; count <= filterMax; count++) {
    for (let from = filters.length - 1; from >= 0; from--) {
      sums[count][from] = sums[count][from + 1] + filters[from].size * sums[count - 1][from + 1];
    }
  }
  return sums;
}
