import { derivedUuid, sha256 } from '../../data/hashes/index.js';
import { apart } from '../../data/state/index.js';
import { UpstreamFault } from '../../data/upstreams/index.js';
import { clip } from '../../engine/text.js';
import { type KnowledgeBase, type Library, passageTitle } from '../knowledge/index.js';
import type { Embedder } from './embed.js';
import type { VectorIndex } from './vector-index.js';

/** A piece of the documentation. */
export interface Passage {
  /** Where the repository has it: a file, or a file and the anchor of an entry. */
  readonly source: string;
  readonly title: string;
  /** Plain text of some paragraphs. */
  readonly text: string;
}

export interface Passages {
  /** The passage that says what a word means; null where none does. */
  define(term: string): Promise<Passage | null>;
}

interface RetrievalParts {
  readonly knowledge: Pick<KnowledgeBase, 'library'>;
  readonly vectors: VectorIndex;
  /** @param corpus the texts of all passages */
  readonly makeEmbedder: (corpus: readonly string[]) => Embedder;
  readonly onInternalError: (error: unknown) => void;
}

/** The passages of the knowledge base of this process. */
interface Corpus extends Pick<Library, 'search'> {
  readonly passages: readonly Passage[];
  /** Places of the passages, by what the search calls them. */
  readonly places: ReadonlyMap<Library['passages'][number], number>;
  readonly texts: readonly string[];
  readonly embedder: Embedder;
  /** Changes with any text and with the embedder, so a place always means the same passage. */
  readonly seeding: string;
}

const GLOSSARY = 'docs/glossary.md';
/** Passages among which a title is looked for. */
const FOUND_MAX = 5;
const TEXT_CHARACTERS_MAX = 1_200;
/** What stands behind them in a question does not change the answer. */
const QUESTION_CHARACTERS_MAX = 1_000;
/**
 * Ranks of the two orders are joined as weight / (RANK + rank), after Cormack et al. 2009. Theirs
 * is 60; the first ranks of the search are mostly right, so they count more here.
 */
const RANK = 5;
/** Ranks of each order that count. */
const RANKS_MAX = 50;

/**
 * Looks up passages of the knowledge base. Its search and the vectors in the state database each
 * rank them, and the two orders are joined. Vectors are made at the first question that needs them,
 * and again by `refresh`.
 */
export class Retrieval implements Passages {
  #corpus: Promise<Corpus> | null = null;

  constructor(private readonly parts: RetrievalParts) {}

  /** Clears the vectors and makes them again. @returns the number of passages */
  async refresh(): Promise<number> {
    const corpus = await this.#read();
    await this.#seed(corpus, true);
    return corpus.passages.length;
  }

  /** The files that have the passages. */
  async sources(): Promise<readonly string[]> {
    const { passages } = await this.#read();
    return [...new Set(passages.map(({ source }) => source.replace(/#.*/, '')))];
  }

  /** The entry of the glossary for a word or its other words, or else a passage that the word is the title of. */
  async define(asked: string): Promise<Passage | null> {
    const wanted = singular(asked.trim());
    const { terms } = await this.parts.knowledge.library();
    const isNamed = (names: readonly (string | null)[]) =>
      names.some((name) => name !== null && singular(name) === wanted);
    const entry =
      terms.find(({ term, abbreviation }) => isNamed([term.replace(/ \(.*\)$/, ''), abbreviation])) ??
      terms.find(({ also }) => isNamed((also ?? '').split(/, */)));
    if (entry !== undefined) return { source: GLOSSARY, title: entry.term, text: entry.definition };
    const words = wanted.split(/\W+/);
    const found = await this.find(`what is ${asked}`, FOUND_MAX);
    return (
      found.find(({ title }) => words.every((word) => title.toLowerCase().split(/\W+/).map(singular).includes(word))) ??
      null
    );
  }

  /** The passages nearest to a question, best first; none where nothing is near. */
  async find(message: string, max: number): Promise<readonly Passage[]> {
    const question = clip(message, QUESTION_CHARACTERS_MAX);
    const corpus = await this.#read();
    const bySearch = corpus.search.rank(question).flatMap((found) => corpus.places.get(found) ?? []);
    if (bySearch.length === 0) return []; // a vector is near to something always
    const byVector = await this.#nearest(corpus, question).catch((error: unknown) => {
      // A model server may be away; the search alone answers too.
      if (!(error instanceof UpstreamFault)) this.parts.onInternalError(error);
      return [];
    });
    const scores = new Map<number, number>();
    const add = (order: readonly number[], weight: number): void => {
      for (const [rank, place] of order.entries()) scores.set(place, (scores.get(place) ?? 0) + weight / (RANK + rank));
    };
    add(bySearch.slice(0, RANKS_MAX), 1);
    add(byVector, corpus.embedder.weight);
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, max);
    return best.flatMap(([place]) => corpus.passages[place] ?? []);
  }

  async #nearest(corpus: Corpus, question: string): Promise<readonly number[]> {
    const { vectors } = this.parts;
    const [asked] = await corpus.embedder.embed([question]);
    if (asked === undefined) throw new Error(`${corpus.embedder.name} made no vector of a question`);
    if (asked.every((value) => value === 0)) return []; // it points nowhere
    const places = await vectors.nearest(corpus.seeding, asked, RANKS_MAX);
    if (places.length > 0) return places;
    await this.#seed(corpus, false);
    return vectors.nearest(corpus.seeding, asked, RANKS_MAX);
  }

  async #seed({ texts, embedder, seeding }: Corpus, clears: boolean): Promise<void> {
    const made = await embedder.embed(texts);
    if (made.length !== texts.length)
      throw new Error(`${embedder.name} made ${made.length} of ${texts.length} vectors`);
    // All that it changes follows from the texts.
    await apart(() => this.parts.vectors.seed(seeding, made, clears));
  }

  #read(): Promise<Corpus> {
    this.#corpus ??= this.parts.knowledge.library().then((library) => this.#corpusOf(library));
    return this.#corpus;
  }

  #corpusOf({ passages: all, search }: Library): Corpus {
    const known = all.filter(({ text }) => text !== '');
    const passages = known.map((passage) => ({
      source: passage.page.filename,
      title: passageTitle(passage),
      text: shortened(passage.text),
    }));
    const texts = passages.map(({ title, text }) => `${title}\n${text}`);
    const embedder = this.parts.makeEmbedder(texts);
    return {
      ...{ passages, search, texts, embedder },
      places: new Map(known.map((passage, place) => [passage, place])),
      seeding: derivedUuid(embedder.name, ...texts.map(sha256)),
    };
  }
}

/** A word as the singular of it is written, in small letters. */
const singular = (word: string): string => word.toLowerCase().replace(/(?<=[^s])s$/, '');

/** The first sentences. */
function shortened(text: string): string {
  if (text.length <= TEXT_CHARACTERS_MAX) return text;
  const end = text.lastIndexOf('. ', TEXT_CHARACTERS_MAX);
  return clip(text, end > 0 ? end + 1 : TEXT_CHARACTERS_MAX);
}
