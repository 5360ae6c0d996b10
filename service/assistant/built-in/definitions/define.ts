import { edits, folded, type Language, languageOf } from '../canonical.js';
import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { OPENERS, type QuestionForms, questionForms } from './questions.js';
import { spanish } from './spanish.js';
import type { DefinitionTable, Term } from './table.js';

const tables: Readonly<Record<Language, DefinitionTable>> = { en: english, de: german, es: spanish, fr: french };
const languages = Object.keys(tables) as readonly Language[];

/** What a message asks the meaning of. */
interface Asked {
  readonly language: Language;
  /** At least one. */
  readonly terms: readonly Term[];
  /** What else the message says; empty where it does nothing but ask. */
  readonly rest: string;
}

export const definitionOf = (term: Term, language: Language): string => tables[language][term].means;

interface Patterns {
  /** A question with the word after it, and with the word before it. */
  readonly headed: RegExp;
  readonly ended: RegExp;
  /** A word alone. */
  readonly bare: RegExp;
  /** What may stand after the word. */
  readonly tail: RegExp;
  readonly terms: ReadonlyMap<string, Term>;
}

const known = new Map<Language, Patterns>();

function patternsOf(language: Language): Patterns {
  const before = known.get(language);
  if (before !== undefined) return before;
  const { heads, tails, ends, articles } = questionForms[language];
  const article = articlesOf(articles);
  const terms = new Map<string, Term>();
  for (const each of language === 'en' ? [english] : [tables[language], english]) {
    for (const [term, { called }] of Object.entries(each)) {
      for (const word of called.split('|')) if (!terms.has(word)) terms.set(word, term as Term);
    }
  }
  // Bounded because a sentence that asks for a word has at most 160 characters.
  const headed = new RegExp(`^${OPENERS}(?:${heads.join('|')}) *,? *${article}(.+)$`);
  // Bounded because a sentence that asks for a word has at most 160 characters.
  const ended = new RegExp(`^${OPENERS}${article}(.+?)[ ,:]+(?:${ends.join('|')})$`);
  const bare = new RegExp(`^${OPENERS}${article}(.+)$`);
  // Bounded because a sentence that asks for a word has at most 160 characters.
  const tail = new RegExp(`[ ,]+(?:${tails.join('|')})$`);
  const patterns = { headed, ended, bare, tail, terms };
  known.set(language, patterns);
  return patterns;
}

const articlesOf = (articles: QuestionForms['articles']): string =>
  `(?:(?:${articles.map((each) => (each.endsWith("'") ? each : `${each} `)).join('|')}))*`;

const JOINED = /(?: (?:and|or|vs|versus|und|oder|y|o|e|et|ou) |, ?|\/)/;
/** Lengths from which a word may have one typing error, or two. */
const [ONE_ERROR, TWO_ERRORS] = [5, 10] as const;

/** The terms that a part of a question names, with or without its last words; null where it names none. */
function termsIn(body: string, language: Language): Term[] | null {
  const terms = termsOf(body, language);
  if (terms !== null) return terms;
  const shorter = body.replace(patternsOf(language).tail, '');
  return shorter === body ? null : termsIn(shorter, language);
}

/** The terms that are all of a text; null where some part of it names none. */
function termsOf(body: string, language: Language): Term[] | null {
  const whole = termOf(body, language);
  if (whole !== null) return [whole];
  const article = new RegExp(`^${articlesOf(questionForms[language].articles)}`);
  const parts = body.split(JOINED).map((part) => termOf(part.trim().replace(article, ''), language));
  return parts.includes(null) ? null : (parts as Term[]);
}

function termOf(words: string, language: Language): Term | null {
  const { terms } = patternsOf(language);
  const exact = terms.get(words);
  if (exact !== undefined) return exact;
  if (words.length < ONE_ERROR || words.length > 40) return null;
  const allowed = words.length < TWO_ERRORS ? 1 : 2;
  const near = [...terms.keys()].find(
    (each) => each[0] === words[0] && Math.abs(each.length - words.length) <= allowed && edits(each, words) <= allowed,
  );
  return near === undefined ? null : (terms.get(near) ?? null);
}

/** A sentence without its marks. */
const plain = (sentence: string): string =>
  folded(sentence)
    .replace(/[¿¡"«»„“”()*_]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .replace(/(?<![ ?!.:;,])[ ?!.:;,]+$/, '');

/** Longer messages ask for more than a word. */
const MESSAGE_LENGTH_MAX = 2_000;
/** Longer sentences do not just ask for a word. */
const SENTENCE_LENGTH_MAX = 160;

function termsOfSentence(sentence: string, language: Language): Term[] | null {
  const text = plain(sentence);
  if (text.length > SENTENCE_LENGTH_MAX) return null;
  const { headed, ended } = patternsOf(language);
  for (const pattern of [headed, ended]) {
    const body = pattern.exec(text)?.[1];
    const terms = body === undefined ? null : termsIn(body, language);
    if (terms !== null) return terms;
  }
  return null;
}

/** A sentence that asks, with what stands before it: "I am new, what is a stop?" */
function askedIn(sentence: string, order: readonly Language[]): Asked | null {
  const starts = [
    0,
    ...[...sentence.matchAll(/[,:;-]\s+|\s(?:but|because|pero|porque|aber|weil|mais|car)\s+/g)].map(
      ({ index, 0: mark }) => index + mark.length,
    ),
  ];
  for (const language of order) {
    for (const start of starts.filter((each) => sentence.length - each <= SENTENCE_LENGTH_MAX)) {
      const terms = termsOfSentence(sentence.slice(start), language);
      if (terms !== null)
        return { language, terms, rest: sentence.slice(0, start).replace(/(?<![,:;\s-])[,:;\s-]+$/, '') };
    }
  }
  return null;
}

/** A word alone with a question mark: "and a candle?" */
function bareTerms(message: string, language: Language): Term[] | null {
  if (!message.trim().endsWith('?')) return null;
  const text = plain(message);
  if (text.length > SENTENCE_LENGTH_MAX) return null;
  const body = patternsOf(language).bare.exec(text)?.[1];
  return body === undefined ? null : termsIn(body, language);
}

/** Ideas: "momentum?" is an answer rather than a question. */
const ideas: ReadonlySet<Term> = new Set(['trend', 'mean_reversion', 'breakout', 'momentum', 'funding'] as const);

interface Before {
  readonly language: Language;
  /** What the user said before, newest last. */
  readonly said: readonly string[];
  /** Whether there are runs, of which a word alone asks. */
  readonly hasRun: boolean;
}

/** The words that a message asks the meaning of; null where it asks of none. */
export function asked(message: string, { language: before, said, hasRun }: Before): Asked | null {
  if (message.length > MESSAGE_LENGTH_MAX) return null;
  const order = [...new Set([before, languageOf(message, before), ...languages])];
  const sentences = message.split(/(?<=[.!?;\n])\s+/);
  const found = sentences.map((sentence) => askedIn(sentence, order));
  const asking = found.flatMap((each) => each ?? []);
  const [first] = asking;
  if (first !== undefined) {
    const rest = sentences.map((sentence, i) => found[i]?.rest ?? sentence).filter((text) => text.trim() !== '');
    return {
      language: first.language,
      terms: [...new Set(asking.flatMap(({ terms }) => terms))],
      rest: rest.join(' '),
    };
  }
  const language = languageOf(message, before);
  const terms = bareTerms(message, language);
  if (terms === null) return null;
  const goesOn = wasAsked(said, before);
  const isPlain = !hasRun && !terms.some((term) => ideas.has(term));
  return goesOn || isPlain ? { language, terms, rest: '' } : null;
}

/** Whether the messages before asked for a word, the last ones perhaps by the word alone. */
function wasAsked(said: readonly string[], language: Language): boolean {
  for (const message of said.slice(-4).reverse()) {
    if (message.split(/(?<=[.!?;\n])\s+/).some((sentence) => askedIn(sentence, languages) !== null)) return true;
    if (bareTerms(message, languageOf(message, language)) === null) return false;
  }
  return false;
}
