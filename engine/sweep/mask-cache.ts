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

/** Masks by space and combination. */
type MasksBySpace = Map<SignalSpace, Map<number, Mask>>;

/**
 * The masks of single rules over one series, each computed once; joining them costs less than finding
 * what was joined before. The cache keeps masks and columns within a limit of bytes: masks take at
 * most a quarter of it, columns the rest.
 */
export class MaskCache implements RuleMaskSource {
  /** Masks that were used since the cache was half full, and masks that were used before. */
  #recent: MasksBySpace = new Map();
  #earlier: MasksBySpace = new Map();
  #recentCount = 0;
  #earlierCount = 0;
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
    let all: Mask | null = null;
    let isOwn = false;
    for (const choice of choices) {
      const mask = this.#mask(choice);
      if (all === null) all = mask;
      else {
        if (!isOwn) all = all.slice();
        isOwn = true;
        andInto(all, mask);
      }
      if (isEmpty(all)) return null;
    }
    return all;
  }

  /** Gives back the columns that masks were computed from; the masks stay. */
  release(): void {
    this.#frames.release();
  }

  #mask(choice: RuleChoice): Mask {
    const { space, combination } = choice;
    const recent = this.#recent.get(space)?.get(combination);
    if (recent !== undefined) return recent;
    const mask = this.#earlier.get(space)?.get(combination) ?? this.#compute(choice);
    this.#keep(space, combination, mask);
    return mask;
  }

  #compute({ space, combination }: RuleChoice): Mask {
    const { signal, role, timeframe, reach } = space.definition;
    const timeframeMs = timeframe === null ? this.bars.intervalMs : parseInterval(timeframe);
    const mask = this.#frames.mask({ signal, role, timeframeMs, params: space.params(combination), ...reach });
    const held = (this.#recentCount + this.#earlierCount) * this.#maskBytes;
    this.#frames.keepColumns(this.#bytesMax() - held);
    return mask;
  }

  #keep(space: SignalSpace, combination: number, mask: Mask): void {
    if (2 * this.#recentCount * this.#maskBytes > MASK_SHARE * this.#bytesMax()) {
      [this.#earlier, this.#earlierCount] = [this.#recent, this.#recentCount];
      [this.#recent, this.#recentCount] = [new Map(), 0];
    }
    const ofSpace = this.#recent.get(space);
    if (ofSpace === undefined) this.#recent.set(space, new Map([[combination, mask]]));
    else ofSpace.set(combination, mask);
    this.#recentCount++;
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
