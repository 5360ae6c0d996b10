import { downwards, phrases, questionGroups, silentWords, stopWords, upwards, wordGroups } from './search-synonyms.js';

/** A word of a text and the term that is compared. */
interface Word {
  readonly text: string;
  readonly term: string;
}

const SHORTEST_STEM = 3;

/**
 * Strips endings of number and tense: crosses, crossed and crossing become one term. The rules are
 * rough, but both sides use the same ones.
 */
function stem(word: string): string {
  if (word.length <= SHORTEST_STEM || /\d/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const singular = /(x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.replace(/([^su])s$/, '$1');
  const base = singular.replace(/(ing|ed)$/, '');
  const isVerb = base !== singular && base.length >= SHORTEST_STEM && /[aeiouy]/.test(base);
  const root = isVerb ? base.replace(/([^aeiousl])\1$/, '$1') : singular;
  return root.length > SHORTEST_STEM ? root.replace(/e$/, '') : root;
}

const groupOf = new Map<string, string>();
for (const [head, others] of Object.entries(wordGroups)) {
  for (const word of [head, ...others.split(' ')]) if (!groupOf.has(stem(word))) groupOf.set(stem(word), stem(head));
}
const stopped = new Set(stopWords.flatMap((words) => words.split(' ')));

/** The stem of a word, or of the word that stands for its synonyms. */
function wordRoot(word: string): string {
  const root = stem(word);
  return groupOf.get(root) ?? root;
}

/** The term of a word; null for a word without meaning of its own. */
export const wordTerm = (word: string): string | null => (word === '' || stopped.has(word) ? null : wordRoot(word));

export const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('%', ' percent ')
    .split(/[^\p{L}\p{N}]+/u);

function readWords(text: string): Word[] {
  const words: Word[] = [];
  for (const word of splitWords(text)) {
    const term = wordTerm(word);
    if (term !== null) words.push({ text: word, term });
  }
  return words;
}

/** A term that a description asks for, its certainty (0..1), and the words that it came from. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  readonly said: string;
  /** False if the thesaurus added the term. */
  readonly isOwnWord: boolean;
}

const textTerms = (text: string): string[] => readWords(text).map(({ term }) => term);

const spoken = Object.entries(phrases).map(([phrase, meaning]) => ({
  pattern: textTerms(phrase),
  meaning: [...new Set(textTerms(meaning))],
}));

/** Most other words between two of a phrase. */
const GAP_MAX = 2;
const isNumber = (word: string): boolean => /^\d+$/.test(word);

/**
 * Weighted terms of a description: its own words, the meanings of its phrases, and levels of an
 * oscillator.
 */
export function readDescription(text: string): QueryTerm[] {
  const words = readWords(text);
  const terms = new Map<string, QueryTerm>();
  const add = (term: string, weight: number, said: string, isOwnWord: boolean): void => {
    if ((terms.get(term)?.weight ?? 0) < weight) terms.set(term, { term, weight, said, isOwnWord });
  };
  for (const { term, text: said } of words) if (!isNumber(said)) add(term, 1, said, true);
  for (const { pattern, meaning } of spoken) {
    const said = findPhrase(pattern, words);
    if (said === null) continue;
    const sureness = pattern.length === 1 ? 0.6 : 0.9;
    for (const term of meaning) add(term, sureness / Math.sqrt(meaning.length), said, false);
  }
  for (const { term, said } of boundsIn(words)) add(term, 0.8, said, false);
  return [...terms.values()];
}

/** The words of the text that make up this phrase; null if it does not occur. */
function findPhrase(pattern: readonly string[], words: readonly Word[]): string | null {
  for (let start = 0; start < words.length; start++) {
    // biome-ignore lint/style/noNonNullAssertion: an index within the words, and a match begins with one
    if (words[start]!.term !== pattern[0]) continue;
    const found = [start];
    for (const wanted of pattern.slice(1)) {
      // biome-ignore lint/style/noNonNullAssertion: an index within the words, and a match begins with one
      const from = found.at(-1)! + 1;
      const next = words.slice(from, from + GAP_MAX + 1).findIndex(({ term }) => term === wanted);
      if (next < 0) break;
      found.push(from + next);
    }
    // biome-ignore lint/style/noNonNullAssertion: an index within the words, and a match begins with one
    if (found.length === pattern.length) return found.map((i) => words[i]!.text).join(' ');
  }
  return null;
}

/**
 * A number followed by one of these is a length or a percentage, not the level of an oscillator.
 */
const units = new Set(
  ['day', 'period', 'bar', 'hour', 'minute', 'week', 'month', 'percent', 'average', 'ema', 'sma', 'ma', 'moving'].map(
    wordTerm,
  ),
);
const [above, below] = [wordTerm('above'), wordTerm('below')];

/** "Below 30" and "above 70" refer to oscillators that run from 0 to about 100. */
function boundsIn(words: readonly Word[]): { term: string; said: string }[] {
  return words.flatMap(({ term, text }, i) => {
    const level = words[i + 1]?.text ?? '';
    if (!isNumber(level) || units.has(words[i + 2]?.term ?? '')) return [];
    const said = `${text} ${level}`;
    // biome-ignore lint/style/noNonNullAssertion: the word has a term
    if (term === below && Number(level) <= 40) return [{ term: wordTerm('oversold')!, said }];
    // biome-ignore lint/style/noNonNullAssertion: the word has a term
    if (term === above && Number(level) >= 60 && Number(level) <= 200) return [{ term: wordTerm('overbought')!, said }];
    return [];
  });
}

const [up, down] = [new Set(textTerms(upwards)), new Set(textTerms(downwards))];

/** The direction of a description: above 0 upwards, below 0 downwards. */
export function queryDirection(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { term, weight }) => sum + weight * (Number(up.has(term)) - Number(down.has(term))), 0);
}

/** A term of a question with its weight. */
export interface SearchTerm {
  readonly term: string;
  readonly weight: number;
}

const silent = new Set(silentWords);
const headOf = new Map(
  Object.entries(questionGroups).flatMap(([head, others]) =>
    others.split(' ').map((word) => [wordRoot(word), wordRoot(head)] as const),
  ),
);

/** The term that is compared for a word; null for a word without meaning of its own. */
export function questionTerm(word: string): string | null {
  if (word === '' || silent.has(word)) return null;
  const root = wordRoot(word);
  return headOf.get(root) ?? root;
}

/** What the idioms of traders add counts this much of a word that was said. */
const IDIOM = 0.5;

/** The terms of a question: its own words, and with `expand` what its idioms mean. */
export function readQuestion(words: readonly string[], expand: boolean): readonly SearchTerm[] {
  const terms = new Map<string, number>();
  for (const word of words) {
    const term = questionTerm(word);
    if (term !== null) terms.set(term, 1);
  }
  if (expand) {
    for (const { term, weight, isOwnWord } of readDescription(words.join(' '))) {
      if (!isOwnWord && !terms.has(term)) terms.set(term, weight * IDIOM);
    }
  }
  return [...terms].map(([term, weight]) => ({ term, weight }));
}
