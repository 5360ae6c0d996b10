import { andInto, type BarSeries, createMask, type Mask, orInto, parseInterval, setAll } from '../series/index.js';
import { type OtherBars, RuleFrames } from '../strategy/rules.js';
import { groupsOf, type RuleChoice } from './choice-space.js';
import type { SignalSpace } from './signal-space.js';

/**
 * Gives the mask of the bars on which the rules of a side hold: all rules of one of its groups.
 * Null when they never do. The mask may be shared, so callers must not write to it.
 */
export interface RuleMaskSource {
  holding(choices: readonly RuleChoice[]): Mask | null;
}

/** A mask takes a 64th of a column, and most masks of a random plan are read once. */
const MASK_SHARE = 1 / 4;

/**
 * The masks of rules over one series, each computed once. The cache keeps the latest used masks and
 * columns within a limit of bytes: masks take at most a quarter of it, columns the rest.
 */
export class MaskCache implements RuleMaskSource {
  /** Least recently used first. */
  readonly #masks = new Map<string, Mask>();
  /** Only of spaces in use, because a random search makes new ones for every run. */
  readonly #numbers = new WeakMap<SignalSpace, number>();
  #numbered = 0;
  readonly #frames: RuleFrames;
  readonly #maskBytes: number;

  readonly #bytesMax: () => number;

  constructor(
    private readonly bars: BarSeries,
    bytesMax: number | (() => number),
    others: OtherBars = {},
  ) {
    this.#bytesMax = typeof bytesMax === 'number' ? () => bytesMax : bytesMax;
    this.#frames = new RuleFrames(bars, others);
    this.#maskBytes = 4 * ((bars.barCount + 31) >>> 5);
  }

  /** A source for the first `barCount` bars alone, which cuts the masks of all bars. */
  upTo(barCount: number): RuleMaskSource {
    const inside = createMask(barCount);
    setAll(inside, barCount);
    return {
      holding: (choices) => {
        const cut = this.holding(choices)?.slice(0, inside.length);
        if (cut === undefined) return null;
        andInto(cut, inside);
        return isEmpty(cut) ? null : cut;
      },
    };
  }

  holding(choices: readonly RuleChoice[]): Mask | null {
    if (choices.length === 0 || choices[0].group === undefined) return this.#conjunction(choices);
    const held = groupsOf(choices).flatMap((group) => this.#conjunction(group) ?? []);
    if (held.length < 2) return held[0] ?? null;
    const any: Mask = held[0].slice();
    for (const mask of held.slice(1)) orInto(any, mask);
    return any;
  }

  #conjunction(choices: readonly RuleChoice[]): Mask | null {
    let key = '';
    let all: Mask | null = null;
    for (const choice of choices) {
      key += `${this.#number(choice.space)}:${choice.combination} `;
      const known = this.#use(key);
      if (known !== undefined) {
        all = known;
        continue;
      }
      const mask = this.#mask(choice);
      if (all === null) all = mask;
      else {
        const both: Mask = all.slice();
        andInto(both, mask);
        all = both;
        this.#keep(key, all);
      }
      if (isEmpty(all)) return null;
    }
    return all;
  }

  /** Gives back the columns that masks were computed from; the masks stay. */
  release(): void {
    this.#frames.release();
  }

  #mask({ space, combination }: RuleChoice): Mask {
    const key = `${this.#number(space)}:${combination} `;
    const known = this.#use(key);
    if (known !== undefined) return known;
    const { signal, role, timeframe, reach } = space.definition;
    const timeframeMs = timeframe === null ? this.bars.intervalMs : parseInterval(timeframe);
    const mask = this.#frames.mask({ signal, role, timeframeMs, params: space.params(combination), ...reach });
    this.#keep(key, mask);
    this.#frames.keepColumns(this.#bytesMax() - this.#masks.size * this.#maskBytes);
    return mask;
  }

  #use(key: string): Mask | undefined {
    const mask = this.#masks.get(key);
    if (mask === undefined) return undefined;
    this.#masks.delete(key);
    this.#masks.set(key, mask);
    return mask;
  }

  #keep(key: string, mask: Mask): void {
    this.#masks.set(key, mask);
    for (const oldest of this.#masks.keys()) {
      if (this.#masks.size * this.#maskBytes <= MASK_SHARE * this.#bytesMax()) break;
      this.#masks.delete(oldest);
    }
  }

  #number(space: SignalSpace): number {
    let number = this.#numbers.get(space);
    if (number === undefined) {
      number = this.#numbered++;
      this.#numbers.set(space, number);
    }
    return number;
  }
}

/**
 * Remembers the latest answer, because the variants of a combination ask for the same rules one
 * after the other.
 */
export class LatestMask {
  #choices: readonly RuleChoice[] | null = null;
  #mask: Mask | null = null;

  constructor(private readonly masks: RuleMaskSource) {}

  of(choices: readonly RuleChoice[]): Mask | null {
    if (choices !== this.#choices) this.#mask = this.masks.holding(choices);
    this.#choices = choices;
    return this.#mask;
  }
}

function isEmpty(mask: Mask): boolean {
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) return false;
  return true;
}
