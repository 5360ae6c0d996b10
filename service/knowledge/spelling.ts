/** Shorter words have too many neighbours. */
const CORRECTED_LENGTH_MIN = 5;
/** From this length on, two letters may be wrong. */
const TWO_FAULTS_LENGTH_MIN = 8;
const PART_LENGTH_MIN = 3;

/** Reads words as the pages spell them. */
export class Spelling {
  readonly #known = new Set<string>();
  /** Known words by their first letter, which is seldom wrong. */
  readonly #byLetter = new Map<string, string[]>();

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (this.#known.has(word)) continue;
      this.#known.add(word);
      const others = this.#byLetter.get(word.charAt(0));
      if (others === undefined) this.#byLetter.set(word.charAt(0), [word]);
      else others.push(word);
    }
  }

  /**
   * The words of a text, with the known ones nearest to each that is not known: `stoploss` is stop
   * and loss. Two words that the pages write as one come as that one too: `draw down` adds
   * drawdown.
   */
  correct(words: readonly string[]): readonly string[] {
    return words.flatMap((word, i) => {
      const next = words[i + 1] ?? '';
      const isSplit = Math.min(word.length, next.length) >= PART_LENGTH_MIN && this.#known.has(word + next);
      const near = this.#known.has(word) ? [word] : this.#near(word);
      return [...(near.length > 0 ? near : [word]), ...(isSplit ? [word + next] : [])];
    });
  }

  /** The two words that were written as one, or those with the fewest faults. */
  #near(word: string): readonly string[] {
    const parts = this.#partsOf(word);
    if (parts.length > 0 || word.length < CORRECTED_LENGTH_MIN || /\d/.test(word)) return parts;
    let fewest = word.length < TWO_FAULTS_LENGTH_MIN ? 1 : 2;
    let found: string[] = [];
    for (const known of this.#byLetter.get(word.charAt(0)) ?? []) {
      const faults = faultsBetween(word, known, fewest);
      if (faults > fewest) continue;
      if (faults < fewest) found = [];
      fewest = faults;
      found.push(known);
    }
    return found;
  }

  #partsOf(word: string): readonly string[] {
    for (let at = PART_LENGTH_MIN; at <= word.length - PART_LENGTH_MIN; at++) {
      const parts = [word.slice(0, at), word.slice(at)];
      if (parts.every((part) => this.#known.has(part))) return parts;
    }
    return [];
  }
}

/**
 * Letters that are missing, added or wrong, and neighbours that are swapped (the distance of
 * Damerau, as optimal string alignment). @returns more than `max` where there are more
 */
function faultsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + Number(!isSame),
          isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : max + 1,
        ),
      );
    }
    if (Math.min(...row) > max) return max + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? max + 1;
}
