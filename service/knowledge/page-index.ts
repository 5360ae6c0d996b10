import MiniSearch from 'minisearch';
import { questionTerm, type SearchTerm, splitWords } from '../words/index.js';
import type { Backlink, Term } from './links.js';
import { GLOSSARY, isEntry, type Page, type Passage } from './page.js';

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

/** Shorter words have too many neighbours. */
const CORRECTED_LENGTH_MIN = 5;
/** From this length on, two letters may be wrong. */
const TWO_FAULTS_LENGTH_MIN = 8;
const PART_LENGTH_MIN = 3;

/** Reads words as the pages spell them. */
class Spelling {
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
