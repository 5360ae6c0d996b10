import { distance } from 'fastest-levenshtein';
import * as ohm from 'ohm-js';
import { indicatorFunctions } from '../../../engine/indicators/index.js';
import { nearestName } from '../../../engine/nearest.js';
import { signals } from '../../../engine/signals/index.js';
import type { World } from '../plan/apply.js';
import { type Change, isNothing, joined, mergeChanges, noChange, type Plan, settingNames } from '../plan/plan.js';
import { ruleWords } from '../plan/say.js';
import { recipe } from './compiled-grammar.js';
import { grammar, nameRules } from './grammar.js';
import { type Asked, type Context, defineSemantics, otherNames, type Part, type Talk } from './meaning.js';
import { type Topic, topicPhrases } from './topics.js';

/** What a message says. */
export interface Reading {
  /** What acts. */
  readonly change: Change;
  readonly talk: ReadonlySet<Talk>;
  readonly topics: readonly Topic[];
  /** Words that a question asks the meaning of. */
  readonly terms: readonly string[];
  /** Clauses that were not understood, as they stand, each with a reason where there is one. */
  readonly unread: readonly Unread[];
  /** What stands in the sentences of these clauses and does not act; null where there is none. */
  readonly rest: Change | null;
  /** Whether a clause that was not understood may turn the others, so that none acts. */
  readonly isTurned: boolean;
}

interface Unread {
  readonly quote: string;
  readonly reason: string | null;
  /** A question changes nothing, so nothing waits for it. */
  readonly isQuestion: boolean;
}

/** Words that turn or mean other clauses: where they are not understood, nothing of the message acts. */
const HINGES =
  /\b(?:that|this|those|these|it|them|same|not|no|never|none|nor|neither|either|or|unless|except|but|without|less|more|fewer|half|double|twice|before|after|until|back|instead|rather|maybe|perhaps|might|could|would|should|only|almost|about|around|if|than|though|although|however|actually|wait|sorry|forget|ignore|opposite|reverse|inverse|other|else)\b|n['’]t\b/i;

/** Characters that are read; what stands behind them is named. */
const READ_MAX = 4_000;

/**
 * Reads a message in the documented form. A sentence with a clause that is not understood does not
 * act.
 */
export function readMessage(message: string, plan: Plan, world: World): Reading {
  const text = message.slice(0, READ_MAX).replace(/[ \t\u00a0]+/g, ' ');
  const names = namesIn(world);
  const context: Context = { plan, world, subject: null, first: null };
  if (/\bit\b/i.test(text)) readSubject(context, names);
  let change = noChange;
  let rest = noChange;
  const talk = new Set<Talk>();
  const topics: Topic[] = [];
  const terms: string[] = [];
  const unread: Unread[] = [];
  for (const sentence of splitSentences(text)) {
    const asked = askedIn(sentence, names);
    if (asked !== null) {
      if (asked.topic !== null) topics.push(asked.topic);
      if (asked.term !== null) terms.push(asked.term);
      continue;
    }
    if (sentence.endsWith('?')) {
      unread.push({ quote: sentence, reason: null, isQuestion: true });
      continue;
    }
    const read = saidIn(sentence, names, context);
    unread.push(...read.unread);
    if (read.unread.length > 0) {
      rest = mergeChanges(rest, read.change);
      continue;
    }
    for (const each of read.talk) talk.add(each);
    const both = joined(change, read.change);
    if ('twice' in both) unread.push({ quote: sentence, reason: twiceWords(both.twice), isQuestion: false });
    else change = both;
  }
  if (message.length > READ_MAX)
    unread.push({
      quote: `… ${message.slice(READ_MAX, READ_MAX + 40)}`,
      reason: `a message is read to its first ${READ_MAX} characters`,
      isQuestion: false,
    });
  const wishes = unread.filter(({ isQuestion }) => !isQuestion);
  // A word that turns a sentence may be meant of its neighbours too.
  const isTurned = wishes.some(({ quote }) => HINGES.test(quote));
  if (isTurned) return { change: noChange, talk: new Set(), topics, terms, unread, rest: null, isTurned };
  return {
    ...{ change, talk: wishes.length > 0 ? new Set<Talk>() : talk, topics, terms, unread },
    rest: isNothing(rest) ? null : rest,
    isTurned,
  };
}

const twiceWords = (place: string): string => `the message says ${place.replaceAll('_', ' ')} twice, and differently`;

/**
 * Sentences end with a dot, an exclamation mark, a question mark, a semicolon or a line. Bounded
 * because a message is read to 4,000 characters.
 */
const splitSentences = (text: string): string[] =>
  text
    .split(/(?<=[^.\s]\?)\s+|(?:[.;!]+(?=\s|$)|[\n\r]+)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** The grammar without names, and what its parts mean; made with the first message. */
let whole: { readonly barline: ohm.Grammar; readonly semantics: ohm.Semantics } | null = null;

type Names = Readonly<Record<(typeof nameRules)[number], readonly string[]>>;

/** Which the declarations of Ohm leave out. */
declare module 'ohm-js' {
  function makeRecipe(recipe: unknown): Grammar;
}

function wholeGrammar() {
  if (whole === null) {
    const barline = ohm.makeRecipe(recipe);
    whole = { barline, semantics: defineSemantics(barline) };
  }
  return whole;
}

interface Made {
  readonly here: ohm.Grammar;
  readonly semantics: ohm.Semantics;
}

/** Grammars of the newest messages: clauses of one conversation name the same things. */
const made = new Map<string, Made>();
const MADE_MAX = 100;

/** The grammar with those names that a text has, the longest first. */
function grammarFor(text: string, names: Names): Made {
  const { barline, semantics } = wholeGrammar();
  const rules = nameRules.flatMap((rule) => {
    const own = names[rule].filter((name) => text.includes(name)).sort((a, b) => b.length - a.length);
    return own.length === 0 ? [] : [`${rule} := (${own.map((name) => JSON.stringify(name)).join(' | ')}) ~wordish`];
  });
  if (rules.length === 0) return { here: barline, semantics };
  const source = `Here <: Barline {\n${rules.join('\n')}\n}`;
  const known = made.get(source);
  if (known !== undefined) return known;
  const here = ohm.grammar(source, { Barline: barline });
  const own = { here, semantics: here.extendSemantics(semantics) };
  if (made.size >= MADE_MAX) made.clear();
  made.set(source, own);
  return own;
}

/** Names, and the same with spaces between their words. */
const spacedToo = (names: Iterable<string>): readonly string[] => [
  ...new Set([...names].flatMap((name) => [name, name.replaceAll('_', ' ')])),
];

const signalNames = [...signals].map(({ name }) => name).filter((name) => name !== 'formula');
const functionNames = [...indicatorFunctions.keys(), ...Object.keys(otherNames)];
const ownNames: Omit<Names, 'asset'> = {
  indicator: spacedToo(functionNames),
  signal: spacedToo(signalNames),
  param: spacedToo([
    ...[...signals].flatMap((signal) => Object.keys(signal.params)),
    ...['period', 'length', 'level', 'fast', 'slow', 'signal', 'multiplier'],
  ]),
  setting: spacedToo(settingNames),
  topic: [...topicPhrases.keys()],
};

const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const namesIn = ({ held, names }: World): Names => ({
  ...ownNames,
  asset: [...new Set([...held, ...names.keys()].flatMap((symbol) => [symbol, ...(names.get(symbol) ?? [])]))].map(
    lowered,
  ),
});

/** What a sentence asks of the fixed list, or of the meaning of a word; null where it asks neither. */
function askedIn(sentence: string, names: Names): Asked | null {
  const text = lowered(sentence).replace(/\b(what|how|it|that)['’]s\b/g, '$1 is');
  const { here, semantics } = grammarFor(text, names);
  const match = here.match(text, 'Asked');
  return match.succeeded() ? semantics(match).asked() : null;
}

/** What the clauses of a sentence say; with names of the catalogue spelled right where that reads it whole. */
function saidIn(sentence: string, names: Names, context: Context) {
  const text = lowered(sentence).replace(/(?<=\d)-(?=bar|period)/g, ' ');
  const splitParts = (words: string): Part[] => {
    const { here, semantics } = grammarFor(words, names);
    return semantics(here.match(words, 'Sentence')).parts(context);
  };
  const parts = splitParts(text);
  const isRead = (all: readonly Part[]) => all.every((part) => 'said' in part);
  const corrected = isRead(parts) ? text : spelled(text, names);
  const again = corrected === text ? parts : splitParts(corrected);
  return gathered(isRead(again) ? again : parts, sentence);
}

const catalogueWords = new Set([...functionNames, ...signalNames].flatMap((name) => name.split(/[_ ]/)));
const grammarWords = new Set([...grammar.matchAll(/[a-z]{2,}/g)].map(([word]) => word));

const spelled = (text: string, { asset, setting, param }: Names): string => {
  const known = new Set([...asset, ...setting, ...param].flatMap((name) => name.split(/[_ ]/)));
  return text.replace(/(?<![a-z])[a-z]{5,}(?![a-z])/g, (word) =>
    known.has(word) || catalogueWords.has(word) || grammarWords.has(word) ? word : (nearWord(word) ?? word),
  );
};

/** What "it" means of the plan: the first value of the newest list of its rules. */
function readSubject(context: Context, names: Names): void {
  const { entry, short_entry } = context.plan;
  const [rule] = short_entry.length > 0 ? short_entry : entry;
  if (rule === undefined) return;
  const text = lowered(ruleWords(rule));
  const { here, semantics } = grammarFor(text, names);
  const match = here.match(text, 'Rules');
  if (match.succeeded()) semantics(match).rules(context);
}

/** The one word of the catalogue that is a letter away, or two of a long word. */
function nearWord(word: string): string | null {
  const near = nearestName(
    word,
    [...catalogueWords].filter((each) => each.length >= 4 && each[0] === word[0]),
  );
  return near !== null && distance(word, near) <= (word.length >= 9 ? 2 : 1) ? near : null;
}

function gathered(parts: readonly Part[], text: string) {
  let change = noChange;
  const talk: Talk[] = [];
  const unread: Unread[] = [];
  for (const part of parts) {
    if (!('said' in part)) {
      const quote = text.slice(part.from, part.to).trim();
      if (quote !== '') unread.push({ quote, reason: part.reason, isQuestion: false });
      continue;
    }
    for (const said of part.said) {
      if ('talk' in said) {
        talk.push(said.talk);
        continue;
      }
      const both = joined(change, said.change);
      if ('twice' in both) unread.push({ quote: text, reason: twiceWords(both.twice), isQuestion: false });
      else change = both;
    }
  }
  return { change, talk, unread };
}
