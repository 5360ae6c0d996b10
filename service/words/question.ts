import { questionGroups, silentWords } from './search-synonyms.js';
import { readDescription, wordRoot } from './terms.js';

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
