import MiniSearch from 'minisearch';
import { indicatorCatalogue } from '../../engine/indicators/index.js';
import { type Signal, signals } from '../../engine/signals/index.js';
import { nameParts, type QueryTerm, splitWords, wordTerm } from '../words/index.js';

/** Searched parts of a signal: the weight of a word in each, and its name in answers. */
export const indexedParts = {
  name: { boost: 4, title: 'the name' },
  meaning: { boost: 3, title: 'what the name stands for' },
  description: { boost: 2, title: 'the description' },
  bias: { boost: 1, title: 'the direction' },
  indicators: { boost: 0.7, title: 'an indicator it uses' },
  category: { boost: 0.5, title: 'the category' },
  family: { boost: 0.5, title: 'the family' },
  params: { boost: 0.2, title: 'a parameter' },
} as const;

type IndexedPart = keyof typeof indexedParts;
const parts = Object.keys(indexedParts) as IndexedPart[];

/** The searchable texts of a signal, by part. */
export function searchTexts(signal: Signal): Record<IndexedPart, string> {
  const ownParts = splitWords([signal.name, ...signal.aliases].join(' '));
  return {
    name: ownParts.join(' '),
    meaning: ownParts.map((part) => (Object.hasOwn(nameParts, part) ? nameParts[part] : '')).join(' '),
    description: signal.description,
    bias: signal.bias === 'by_direction' ? 'bullish bearish' : signal.bias,
    indicators: signal.indicators.map((name) => indicatorCatalogue[name].title).join(' '),
    category: signal.category,
    family: signal.family.replaceAll('_', ' '),
    params: Object.keys(signal.params).join(' '),
  };
}

/** Share of the letters that a misspelled word may have wrong: one in five, two in ten. */
const MISSPELLING = 0.2;
const MISSPELLED_LENGTH_MIN = 5;

interface TermIndex {
  readonly index: MiniSearch<Record<IndexedPart | 'id', string>>;
  /** Terms that occur in any record. */
  readonly known: ReadonlySet<string>;
}

let built: TermIndex | null = null;

/** Builds the index on the first search, so that no start waits for it. */
function termIndex(): TermIndex {
  if (built !== null) return built;
  const known = new Set<string>();
  const index = new MiniSearch<Record<IndexedPart | 'id', string>>({
    fields: parts,
    tokenize: splitWords,
    processTerm: (word) => {
      const term = wordTerm(word);
      if (term !== null) known.add(term);
      return term;
    },
  });
  index.addAll(signals.map((signal) => ({ id: signal.name, ...searchTexts(signal) })));
  built = { index, known };
  return built;
}

/**
 * Relevance grows with the number of words in a description: faster than linearly, because the
 * library multiplies it by the number of words found, and slower than quadratically, because no
 * signal has them all.
 */
const LENGTH_POWER = 1.5;

export interface TextMatch {
  readonly name: string;
  /**
   * BM25+ relevance relative to what a description of this many words could reach; from 0,
   * unbounded, 12 is medium.
   */
  readonly relevance: number;
  /** Matching terms of the records, and the parts that have them. */
  readonly found: ReadonlyMap<string, readonly IndexedPart[]>;
}

/**
 * Signals that have any of the terms, in no particular order. A term that occurs in no record also
 * matches terms a few letters away.
 */
export function findByTerms(terms: readonly QueryTerm[]): TextMatch[] {
  if (terms.length === 0) return [];
  const { index, known } = termIndex();
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const results = index.search([...weights.keys()].join(' '), {
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
    boost: Object.fromEntries(parts.map((part) => [part, indexedParts[part].boost])),
    boostTerm: (term) => weights.get(term) ?? 1,
    fuzzy: (term) => !known.has(term) && term.length >= MISSPELLED_LENGTH_MIN && MISSPELLING,
  });
  const asked = terms.reduce((sum, { term, weight }) => sum + (known.has(term) ? weight : 0), 0);
  const attainable = Math.max(1, asked) ** LENGTH_POWER;
  return results.map(({ id, score, match }) => ({
    name: id,
    relevance: score / attainable,
    found: new Map(Object.entries(match) as [string, IndexedPart[]][]),
  }));
}

interface Words {
  readonly text: string;
  /** The words of the text as terms, which are compared instead of words. */
  readonly terms: ReadonlySet<string | null>;
}

const known = new Map<Signal, readonly Words[]>();

/**
 * Texts by which keyword search finds a signal, in two rings: its own, then also the texts of its
 * indicators. Built on the first search, so that no start waits for them.
 */
function wordRings(signal: Signal): readonly Words[] {
  const rings = known.get(signal) ?? readRings(signal);
  known.set(signal, rings);
  return rings;
}

function readRings(signal: Signal): readonly Words[] {
  const { indicators, family, bias, ...own } = searchTexts(signal);
  const ownText = [signal.name, ...signal.aliases, ...Object.values(own)].join(' ');
  return [ownText, [ownText, ...signal.indicators, indicators, family, bias].join(' ')].map((text) => ({
    text: text.toLowerCase(),
    terms: new Set(splitWords(text).map(wordTerm)),
  }));
}

/**
 * How closely a signal matches every word of a lower-case query, synonyms included: 0 and 1 by its
 * names, their meaning, description, category and parameters; 2 and 3 if its indicators, family and
 * direction count too; -1 not at all. Of each pair the first has whole words only, the second also
 * parts of words.
 */
export function keywordRing(signal: Signal, query: string): number {
  const asked = query.split(/\s+/);
  const ring = wordRings(signal).findIndex((words) => asked.every((word) => isAmong(word, words)));
  if (ring < 0) return -1;
  const { terms } = wordRings(signal)[ring] ?? { terms: new Set() };
  const isWhole = asked.every((word) => splitWords(word).every((part) => terms.has(wordTerm(part) ?? part)));
  return 2 * ring + (isWhole ? 0 : 1);
}

/** A compound word, such as average-true-range, matches as a whole or part by part. */
const isAmong = (word: string, { text, terms }: Words): boolean =>
  text.includes(word) || splitWords(word).every((part) => text.includes(part) || terms.has(wordTerm(part) ?? part));
