import { setImmediate as breathe } from 'node:timers/promises';
import type { VectorModel } from '../../data/upstreams/model/index.js';
import { questionTerm, splitWords } from '../words/index.js';

/** Makes vectors of texts: texts of like meaning get vectors of like direction. */
export interface Embedder {
  /** The method, and the model if there is one: only vectors of one name can be compared. */
  readonly name: string;
  /** How much nearness counts in lookups, relative to the order of the search. */
  readonly weight: number;
  /** A vector for each text, all of one length. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** A vector of this length stays in its row; PostgreSQL would move one above 500 elsewhere. */
const DIMENSIONS = 384;
const WORD_WEIGHT = 1;
/** Parts of words count less than words: they find words that are spelled or bent otherwise. */
const PART_WEIGHT = 0.35;
const PART_LENGTH = 4;
/** Texts between two moments in which other work of the process may run. */
const TEXTS_AT_ONCE = 50;

/**
 * Makes vectors without a model: words and their parts of four letters, each added with a sign at a
 * place that its hash gives (the hashing trick, Weinberger et al. 2009). Rare words weigh more.
 */
export class HashedWords implements Embedder {
  readonly name = `hashed-words-${DIMENSIONS}`;
  /** Low: the search knows names, synonyms and idioms, these vectors only spellings. */
  readonly weight = 0.25;
  readonly #counts = new Map<string, number>();
  readonly #size: number;

  /** @param corpus the texts that say which words are rare */
  constructor(corpus: readonly string[]) {
    this.#size = corpus.length;
    for (const text of corpus) {
      for (const word of new Set(words(text))) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
    }
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      if (vectors.length > 0 && vectors.length % TEXTS_AT_ONCE === 0) await breathe();
      vectors.push(this.#vectorOf(text));
    }
    return vectors;
  }

  #vectorOf(text: string): Float32Array {
    const vector = new Float32Array(DIMENSIONS);
    const add = (part: string, weight: number): void => {
      const hash = fnv1a(part);
      vector[hash % DIMENSIONS] = (vector[hash % DIMENSIONS] ?? 0) + ((hash >>> 16) & 1 ? weight : -weight);
    };
    for (const word of words(text)) {
      const weight = this.#rarityOf(word);
      add(word, WORD_WEIGHT * weight);
      const padded = `<${word}>`;
      for (let i = 0; i + PART_LENGTH <= padded.length; i++)
        add(padded.slice(i, i + PART_LENGTH), PART_WEIGHT * weight);
    }
    return vector;
  }

  /** Inverse document frequency: a word of one text weighs most. */
  #rarityOf(word: string): number {
    return Math.log(1 + this.#size / (1 + (this.#counts.get(word) ?? 0)));
  }
}

/** Vectors of a model server. */
export class ModelVectors implements Embedder {
  readonly name: string;
  /** A model knows meanings that the search does not; the search knows names. */
  readonly weight = 1;

  constructor(private readonly model: VectorModel) {
    this.name = `model ${model.name}`;
  }

  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return this.model.embed(texts);
  }
}

/** The roots of the words that have a meaning of their own. */
const words = (text: string): readonly string[] => splitWords(text).flatMap((word) => questionTerm(word) ?? []);

/** Fowler, Noll and Vo's hash, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
