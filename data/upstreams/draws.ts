import { inverseNormalCdf, SplitMix64 } from '../../engine/statistics/index.js';
import { sha256 } from '../hashes/index.js';

/** Half a step of a uniform draw: keeps the draw above 0. */
const HALF_STEP = 2 ** -54;

/**
 * Random numbers for generated data. The seed is the hash of what the numbers are for, so the same
 * thing gets the same numbers on every draw.
 */
export class Draws {
  readonly #random: SplitMix64;

  constructor(...what: readonly (string | number)[]) {
    this.#random = new SplitMix64(BigInt(`0x${sha256(what.join('\n')).slice(0, 16)}`));
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.#random.uniform();
  }

  /** A whole number of 0..n-1. */
  below(n: number): number {
    return this.#random.below(n);
  }

  /** One of the items of a list that is not empty. */
  pick<T>(items: readonly T[]): T {
    // biome-ignore lint/style/noNonNullAssertion: the index is below the length
    return items[this.below(items.length)]!;
  }

  /** Standard normal. */
  normal(): number {
    return inverseNormalCdf(this.uniform() + HALF_STEP);
  }

  /** Log-normal: half of the values lie below the median; `spread` is the deviation of the log. */
  around(median: number, spread: number): number {
    return median * Math.exp(spread * this.normal());
  }
}

/**
 * Mixes up to four whole numbers into 32 bits that look random: a round of MurmurHash3 for each,
 * with the finaliser of the same.
 */
export function hash32(a: number, b = 0, c = 0, d = 0): number {
  return mixed(mixed(mixed(mixed(0x9e3779b9, a), b), c), d) >>> 0;
}

function mixed(state: number, part: number): number {
  let bits = state ^ part;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** The hash of a text, FNV-1a over its UTF-16 units. */
export function textHash(text: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193);
  return hash32(bits);
}

/** Uniform in [0, 1), decided by the parts. */
export const uniform = (a: number, b = 0, c = 0, d = 0): number => hash32(a, b, c, d) / 2 ** 32;

/**
 * Smooth noise in [-1, 1]: a random value at every whole `at`, with an eased curve between them.
 */
export function smoothNoise(seed: number, at: number): number {
  const left = Math.floor(at);
  const part = at - left;
  const eased = part * part * (3 - 2 * part);
  const from = uniform(seed, left);
  return 2 * (from + (uniform(seed, left + 1) - from) * eased) - 1;
}

/** `length` characters of an alphabet, decided by a seed and a number. */
export function noiseText(alphabet: string, length: number, seed: number, number: number): string {
  const base = alphabet.length;
  const perDraw = Math.floor(32 / Math.log2(base)); // digits to this base that 32 bits decide
  let text = '';
  for (let i = 0; i < length; i += perDraw) {
    let bits = hash32(seed, number, i);
    for (let left = Math.min(perDraw, length - i); left > 0; left--) {
      text += alphabet[bits % base];
      bits = Math.floor(bits / base);
    }
  }
  return text;
}
