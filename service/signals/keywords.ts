import type { Signal } from '../../engine/signals/index.js';
import { splitWords, wordTerm } from '../words/index.js';
import { searchTexts } from './signal-index.js';

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
