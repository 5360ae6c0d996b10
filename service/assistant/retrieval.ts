import MiniSearch from 'minisearch';
import type { SqlPassageStore } from '../../data/state/index.js';
import { DIMENSIONS, embed } from './embed.js';

/** A piece of the documentation. */
export interface Passage {
  /** File or registry that it is from. */
  readonly source: string;
  readonly title: string;
  readonly text: string;
}

export interface Passages {
  /** The passages nearest to a question, best first; none where nothing is near. */
  find(question: string, max: number): Promise<readonly Passage[]>;
}

interface RetrievalParts {
  readonly store: SqlPassageStore;
  /** Reads the passages anew. */
  readonly read: () => Promise<readonly Passage[]>;
  readonly newId: () => string;
}

/** What the ranking needs of one seeding. */
interface Index {
  readonly id: string | null;
  readonly passages: readonly Passage[];
  readonly vectors: readonly Float32Array[];
  readonly words: MiniSearch<{ readonly id: number; readonly title: string; readonly text: string }>;
  readonly rarity: (word: string) => number;
}

/** Ranks of the two orders are joined as 1 / (RANK + place), after Cormack et al. 2009. */
const RANK = 60;
/** Places of each order that count. */
const PLACES = 50;
const TITLE_BOOST = 3;

/**
 * Looks passages up in the state database. A vector index and a word index rank them; both orders
 * count alike. Passages are seeded at the first question, and again by `refresh`.
 */
export class Retrieval implements Passages {
  #index: Index | null = null;

  constructor(private readonly parts: RetrievalParts) {}

  /** Clears the passages and seeds them again. @returns their number */
  async refresh(): Promise<number> {
    return this.#seed(false);
  }

  async find(question: string, max: number): Promise<readonly Passage[]> {
    const { passages, vectors, words, rarity } = await this.#current();
    const byWords = words.search(question).slice(0, PLACES);
    if (byWords.length === 0) return []; // a vector is near to something always
    const asked = embed(wordsOf(question), rarity);
    const nearness = vectors.map((vector, place) => ({ place, value: dot(vector, asked) }));
    const byVector = nearness.sort((a, b) => b.value - a.value || a.place - b.place).slice(0, PLACES);
    const scores = new Map<number, number>();
    for (const order of [byWords.map(({ id }) => id as number), byVector.map(({ place }) => place)]) {
      for (const [rank, place] of order.entries()) scores.set(place, (scores.get(place) ?? 0) + 1 / (RANK + rank));
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, max);
    return best.flatMap(([place]) => passages[place] ?? []);
  }

  async #seed(unlessSeeded: boolean): Promise<number> {
    const { store, read, newId } = this.parts;
    const passages = await read();
    const rarity = rarityIn(passages);
    const rows = passages.map((passage) => ({
      ...passage,
      vector: new Uint8Array(embed(wordsOf(`${passage.title} ${passage.text}`), rarity).buffer),
    }));
    await store.seed(newId(), rows, unlessSeeded);
    return passages.length;
  }

  async #current(): Promise<Index> {
    const { store } = this.parts;
    let id = await store.seeding();
    if (id === null) {
      await this.#seed(true);
      id = await store.seeding();
    }
    if (this.#index?.id !== id) {
      const stored = await store.all();
      this.#index = indexOf(stored.id, stored.passages);
    }
    return this.#index;
  }
}

function indexOf(id: string | null, stored: readonly (Passage & { readonly vector: Uint8Array })[]): Index {
  const passages = stored.map(({ source, title, text }) => ({ source, title, text }));
  const words: Index['words'] = new MiniSearch({
    fields: ['title', 'text'],
    tokenize: wordsOf,
    searchOptions: { boost: { title: TITLE_BOOST }, prefix: (term) => term.length > 4, fuzzy: false },
  });
  words.addAll(passages.map(({ title, text }, place) => ({ id: place, title, text })));
  // A copy, because a view of 32-bit floats must begin at a multiple of 4.
  const vectors = stored.map(({ vector }) => new Float32Array(Uint8Array.from(vector).buffer, 0, DIMENSIONS));
  return { id, passages, vectors, words, rarity: rarityIn(passages) };
}

/** Words of a text in lower case, without those that most sentences have. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !common.has(word));

const common = new Set(
  'the and for with that this are was what how does which from its not you your can has have into when where than then them they there will would should could about tell mean means please explain'.split(
    ' ',
  ),
);

/** Inverse document frequency: a word of one passage weighs most. */
function rarityIn(passages: readonly Passage[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { title, text } of passages) {
    for (const word of new Set(wordsOf(`${title} ${text}`))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return (word) => Math.log(1 + passages.length / (1 + (counts.get(word) ?? 0)));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
