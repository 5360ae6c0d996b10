import MiniSearch from 'minisearch';
import { questionTerm, type SearchTerm, splitWords } from '../words/index.js';
import type { Backlink, Term } from './links.js';
import { GLOSSARY, isEntry, type Page } from './page.js';
import type { Passage } from './passages.js';
import { Spelling } from './spelling.js';

/** Weights of a word in each part of a passage. `asked` holds all questions that it answers. */
const boosts = { title: 3, words: 2, said: 2, asked: 2, heading: 2, summary: 2, text: 1 } as const;
type Part = keyof typeof boosts;

/**
 * Okapi BM25. A question is short, so its length says little about it, and a word that it has twice
 * is no accident.
 */
const passageWeights = { k: 1.2, b: 0.7, d: 0 } as const;
const questionWeights = { k: 2, b: 0.1, d: 0 } as const;
/** What the most similar question of a passage counts, beside its words. */
const SIMILAR = 4;
/** Power of the share of a question that a page covers: pages that have all of it come first. */
const COVERAGE = 1.5;
/** What a question counts that has the whole name of an entry. */
const CALLED = 1.5;
/** Parts of names that no one says. */
const unsaid = new Set(['trigger', 'barline', 'signal'].map(questionTerm));

/** An unknown word stands for the words that it begins. */
const PREFIX_LENGTH_MIN = 3;

/** A passage that has terms of a question. */
export interface Hit {
  readonly passage: Passage;
  readonly score: number;
  /** Terms that were found, with the parts that have them. */
  readonly match: Readonly<Record<string, readonly string[]>>;
}

/** Passages and the questions that they answer, by words. */
export class PageIndex {
  readonly spelling: Spelling;
  /** Terms of the words of the pages: words repeat, so each is read once. */
  readonly #roots = new Map<string, string | null>();
  readonly #terms: ReadonlySet<string | null>;
  readonly #passages: readonly Passage[];
  readonly #parts = this.#indexOf<Record<Part, string>>(Object.keys(boosts) as Part[]);
  readonly #questions = this.#indexOf<{ text: string }>(['text']);
  /** Names of the entries as terms, by slug. */
  readonly #names = new Map<string, readonly string[]>();
  /** Numbers of the passages that answer the questions. */
  readonly #answers: number[] = [];

  constructor(passages: readonly Passage[], terms: readonly Term[], backlinks: readonly Backlink[]) {
    this.#passages = passages;
    const saidOf = wordsOfTerms(terms, backlinks);
    for (const [id, { page, section, text, questions }] of passages.entries()) {
      const isFirst = section === page.sections[0];
      const place = `${page.slug}#${section.anchor}`;
      this.#parts.add({
        id,
        title: `${page.title} ${page.slug.replaceAll('-', ' ')}`,
        words: page.words,
        said: saidOf.get(page.slug === GLOSSARY ? place : page.slug) ?? '',
        asked: questions.join(' '),
        heading: section.title,
        summary: isFirst ? page.summary : '',
        text,
      });
      if (isEntry(page)) this.#names.set(page.slug, name(page));
      for (const question of questions) {
        this.#questions.add({ id: this.#answers.length, text: question });
        this.#answers.push(id);
      }
    }
    this.spelling = new Spelling(this.#roots.keys());
    this.#terms = new Set(this.#roots.values());
  }

  /** Passages that have any of the terms, in no order. */
  find(terms: readonly SearchTerm[]): readonly Hit[] {
    const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
    const query = [...weights.keys()].join(' ');
    const options = {
      tokenize: (text: string) => text.split(' '),
      processTerm: (term: string) => term,
      boostTerm: (term: string) => weights.get(term) ?? 1,
      prefix: (term: string) => !this.#terms.has(term) && term.length >= PREFIX_LENGTH_MIN,
    };
    const found = this.#parts.search(query, { ...options, boost: boosts, bm25: passageWeights });
    const similar = new Map<number, number>();
    for (const { id, score } of this.#questions.search(query, { ...options, bm25: questionWeights })) {
      const answer = this.#answers[id as number] ?? 0;
      similar.set(answer, Math.max(similar.get(answer) ?? 0, score));
    }
    const hits = found.flatMap(({ id, score, match, queryTerms }) => {
      const passage = this.#passages[id as number];
      if (passage === undefined) return [];
      return [{ passage, match, queryTerms, score: score + SIMILAR * (similar.get(id as number) ?? 0) }];
    });
    const coverage = measureCoverage(hits, weights, this.#passages.length);
    return hits.map(({ passage, match, score }) => {
      const { page } = passage;
      const isCalled = this.#names.get(page.slug)?.every((term) => weights.has(term)) ?? false;
      const weight = page.importance * (isCalled ? CALLED : 1);
      return { passage, match, score: score * weight * (coverage.get(page.slug) ?? 0) ** COVERAGE };
    });
  }

  /** Words that begin as the query does. */
  suggest(query: string): readonly string[] {
    return this.#parts.autoSuggest(query, { combineWith: 'AND' }).map(({ suggestion }) => suggestion);
  }

  #indexOf<T extends object>(fields: (keyof T & string)[]): MiniSearch<T & { id: number }> {
    return new MiniSearch<T & { id: number }>({
      fields,
      tokenize: splitWords,
      processTerm: (word) => {
        const seen = this.#roots.get(word);
        if (seen !== undefined) return seen;
        const root = questionTerm(word);
        this.#roots.set(word, root);
        return root;
      },
    });
  }
}

/** The terms of the name of an entry: doji of `signal-doji_trigger`. */
const name = ({ slug }: Page): readonly string[] =>
  slug
    .replace(/^\w+?-/, '')
    .split('_')
    .flatMap((word) => questionTerm(word) ?? [])
    .filter((term) => !unsaid.has(term));

interface Covering {
  readonly passage: Passage;
  readonly queryTerms: readonly string[];
}

/** The share of the terms that each page has, by slug. A rare term says more (Robertson's idf). */
function measureCoverage(
  hits: readonly Covering[],
  weights: ReadonlyMap<string, number>,
  count: number,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const covered = new Map<string, Set<string>>();
  for (const { passage, queryTerms } of hits) {
    const { slug } = passage.page;
    const terms = covered.get(slug) ?? new Set();
    covered.set(slug, terms);
    for (const term of queryTerms) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      terms.add(term);
    }
  }
  const sumOf = (terms: Iterable<string>): number => {
    let sum = 0;
    for (const term of terms) {
      const have = counts.get(term) ?? 0;
      sum += (weights.get(term) ?? 1) * Math.log(1 + (count - have + 0.5) / (have + 0.5));
    }
    return sum;
  };
  const total = sumOf(counts.keys());
  return new Map([...covered].map(([slug, terms]) => [slug, sumOf(terms) / total]));
}

/** What the glossary calls a page that it links to, by slug; and each of its own words. */
function wordsOfTerms(terms: readonly Term[], backlinks: readonly Backlink[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { term, abbreviation, also, anchor } of terms) {
    const said = [term, abbreviation ?? '', also].join(' ');
    const linked = backlinks.filter((link) => link.source_document === GLOSSARY && link.source_anchor === anchor);
    const targets = new Set(linked.map(({ target_document: slug }) => slug).filter((slug) => slug !== GLOSSARY));
    for (const slug of [...targets, `${GLOSSARY}#${anchor}`]) words.set(slug, `${words.get(slug) ?? ''} ${said}`);
  }
  return words;
}
