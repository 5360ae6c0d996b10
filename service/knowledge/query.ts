import { readDescription, rootOf } from '../signals/index.js';

/** A term of a question with its weight. */
export interface AskedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Words of questions that say nothing about what is asked for. */
const silent = new Set(
  (
    'a an the i me my we us our you your it its this that these those is are be was were been being am if while as ' +
    'so to of in on at by and or for with than then there has have had do does did will would should can could ' +
    'just what which who whose how why when where whether please want need like get got make makes made use ' +
    'using used way about from into any some much many too very not no isn t don doesn s many let able'
  ).split(' '),
);

/** Synonyms of the words of accounts and settings; those of signals are in their thesaurus. */
const synonyms: Readonly<Record<string, string>> = {
  min: 'minimum minimal smallest least',
  max: 'maximum maximal largest biggest longest',
  mean: 'average avg',
  consecutive: 'streak row',
  loss: 'losing loser losers',
  win: 'winning winner winners',
  skewness: 'skew',
  kurtosis: 'kurtotic',
  percent: 'pct percentage',
  delete: 'remove erase',
  setting: 'option configuration config configure',
};
const headOf = new Map(
  Object.entries(synonyms).flatMap(([head, others]) => others.split(' ').map((word) => [word, head] as const)),
);

/** The term that is compared for a word; null for a word without meaning of its own. */
export const askedRoot = (word: string): string | null =>
  word === '' || silent.has(word) ? null : rootOf(headOf.get(word) ?? word);

/** What the idioms of traders add counts this much of a word that was said. */
const IDIOM = 0.5;

/** The terms of a question: its own words, and with `expand` what its idioms mean. */
export function readQuestion(words: readonly string[], expand: boolean): readonly AskedTerm[] {
  const terms = new Map<string, number>();
  for (const word of words) {
    const term = askedRoot(word);
    if (term !== null) terms.set(term, 1);
  }
  if (expand) {
    for (const { term, weight, isOwnWord } of readDescription(words.join(' '))) {
      if (!isOwnWord && !terms.has(term)) terms.set(term, weight * IDIOM);
    }
  }
  return [...terms].map(([term, weight]) => ({ term, weight }));
}
