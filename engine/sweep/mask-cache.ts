import { andInto, type BarSeries, createMask, type Mask, parseInterval, setAll } from '../series/index.js';
import { RuleFrames } from '../strategy/rules.js';
import type { RuleChoice } from './choice-space.js';
import type { SignalSpace } from './signal-space.js';

/**
 * Where all of some rules hold; null where they never do. The answer may be shared, do not write to
 * it.
 */
export interface RuleMaskSource {
  conjunction(choices: readonly RuleChoice[]): Mask | null;
}

/**
 * The masks of rules over one series, each made once and kept while there is room: of masks and
 * columns the latest used, within a limit of bytes.
 */
export class MaskCache implements RuleMaskSource {
  /** Least recently used first. */
  readonly #masks = new Map<string, Mask>();
  /** Of spaces that are in use: a random search has new ones for every run. */
  readonly #numbers = new WeakMap<SignalSpace, number>();
  #numbered = 0;
  readonly #frames: RuleFrames;
  readonly #maskBytes: number;

  constructor(
    private readonly bars: BarSeries,
    private readonly bytesMax: number,
  ) {
    this.#frames = new RuleFrames(bars);
    this.#maskBytes = 4 * ((bars.barCount + 31) >>> 5);
  }

  /** The same for the first `barCount` bars alone, from the masks of all of them. */
  upTo(barCount: number): RuleMaskSource {
    const inside = createMask(barCount);
    setAll(inside, barCount);
    return {
      conjunction: (choices) => {
        const cut = this.conjunction(choices)?.slice(0, inside.length);
        if (cut === undefined) return null;
        andInto(cut, inside);
        return isEmpty(cut) ? null : cut;
      },
    };
  }

  conjunction(choices: readonly RuleChoice[]): Mask | null {
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

  /** Hands the columns back that masks were made of; the masks stay. */
  release(): void {
    this.#frames.release();
  }

  #mask({ space, combination }: RuleChoice): Mask {
    const key = `${this.#number(space)}:${combination} `;
    const known = this.#use(key);
    if (known !== undefined) return known;
    const { signal, role, timeframe } = space.definition;
    const timeframeMs = timeframe === null ? this.bars.intervalMs : parseInterval(timeframe);
    const mask = this.#frames.mask({ signal, role, timeframeMs, params: space.params(combination) });
    if (this.#frames.bytes > this.bytesMax / 2) this.#frames.releaseColumns();
    this.#keep(key, mask);
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
      if (this.#masks.size * this.#maskBytes <= this.bytesMax / 2) break;
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
 * Remembers the latest answer, since the variants of a combination ask for the very same rules one
 * after the other.
 */
export class LatestConjunction {
  #choices: readonly RuleChoice[] | null = null;
  #mask: Mask | null = null;

  constructor(private readonly masks: RuleMaskSource) {}

  of(choices: readonly RuleChoice[]): Mask | null {
    if (choices !== this.#choices) this.#mask = this.masks.conjunction(choices);
    this.#choices = choices;
    return this.#mask;
  }
}

function isEmpty(mask: Mask): boolean {
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) return false;
  return true;
}
