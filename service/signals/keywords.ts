import { type Signal, signals } from '../../engine/index.js';
import { textsOf } from './signal-index.js';
import { splitWords, termOf } from './words.js';

interface Words {
  readonly text: string;
  /** The same word by word, each as what it is compared by. */
  readonly terms: ReadonlySet<string | null>;
}

/**
 * Words that a signal is told by, in two rings: what it is itself, then also what it is made of.
 */
const ringsOf = new Map(signals.map((signal) => [signal.name, rings(signal)]));

function rings(signal: Signal): readonly Words[] {
  const { indicators, family, bias, ...own } = textsOf(signal);
  const ownText = [signal.name, ...signal.aliases, ...Object.values(own)].join(' ');
  return [ownText, [ownText, ...signal.indicators, indicators, family, bias].join(' ')].map((text) => ({
    text: text.toLowerCase(),
    terms: new Set(splitWords(text).map(termOf)),
  }));
}

/**
 * How closely a signal is told by every word of a query in lower case, or by others that mean the
 * same: 0 by its own name, what that stands for, description, category and parameters; 1 by the
 * indicators, too, that it uses; -1 not at all.
 */
export const keywordRing = ({ name }: Signal, query: string): number =>
  (ringsOf.get(name) ?? []).findIndex((words) => query.split(/\s+/).every((word) => isAmong(word, words)));

/** A word of several parts, such as average-true-range, is there as a whole or part by part. */
const isAmong = (word: string, { text, terms }: Words): boolean =>
  text.includes(word) || splitWords(word).every((part) => text.includes(part) || terms.has(termOf(part) ?? part));
