/** Length of a vector. */
export const DIMENSIONS = 512;

const WORD_WEIGHT = 1;
/** Parts of words count less than words: they find words that are spelled or bent otherwise. */
const PART_WEIGHT = 0.35;
const PART_LENGTH = 4;

/**
 * A vector of unit length for a text, without a model: words and their parts of four letters, each
 * added with a sign at a place that its hash gives (the hashing trick, Weinberger et al. 2009).
 * Rare words weigh more.
 * @param rarity weight of a word
 */
export function embed(words: readonly string[], rarity: (word: string) => number): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const add = (text: string, weight: number): void => {
    const hash = fnv1a(text);
    vector[hash % DIMENSIONS] = (vector[hash % DIMENSIONS] ?? 0) + ((hash >>> 16) & 1 ? weight : -weight);
  };
  for (const word of words) {
    const weight = rarity(word);
    add(word, WORD_WEIGHT * weight);
    const padded = `<${word}>`;
    for (let i = 0; i + PART_LENGTH <= padded.length; i++) add(padded.slice(i, i + PART_LENGTH), PART_WEIGHT * weight);
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Fowler, Noll and Vo's hash, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
