import { clip } from '../../../engine/text.js';
import { isFigure, type Speech } from './bind-figures.js';
import type { Evidence } from './evidence.js';
import { isObject, metricsIn, type SubjectMention, subjectsIn, withoutPlaces } from './mentions.js';
import { COUNTED_AFTER, PARAMETER_BEFORE, RESULT_WORDS, UNIT_AFTER, USER_WORDS } from './metric-words.js';
import { type NumberInText, numbersIn, spelledIn, withoutNames } from './read-numbers.js';

/** Characters around a number that say what it is; few, so that no text makes the search slow. */
const NEAR = 80;

const SENTENCE = /(?<=[.!?;])\s+|\n+/;
const LIST_MARKER = /^\s*(?:[-*•]\s*)?\(?(\d{1,2})[.)]\s/;
const ALL_OF = /\b(?:all|best of|of|ran|run|these|the)\s+(?:the\s+)?$/i;
const DAY = /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?/g;
const MONTHS = 12;
const YEARS = { min: 1990, max: 2100 };

/** The runs that the sentence before has listed. */
const BOTH = /^(?:they|their|both)$/i;

/** Whom the sentences before have spoken of. */
interface Thread {
  readonly subject: SubjectMention | null;
  /** Whether the numbers of a list name candidates, because nothing before it does. */
  readonly isListOfCandidates: boolean;
}

/** What is wrong with the numbers of a text in plain signs. */
export function checkNumbers(text: string, evidence: Evidence): string[] {
  const problems = new Set<string>();
  let thread: Thread = { subject: null, isListOfCandidates: false };
  for (const sentence of text.split(SENTENCE)) {
    if (evidence.isVerdict(withoutNames(sentence))) continue;
    const subjects = subjectsOf(sentence, thread, evidence);
    for (const problem of checkSentence(sentence, subjects, thread.subject, evidence)) problems.add(problem);
    thread = after(sentence, subjects, thread);
  }
  return [...problems];
}

/** The subjects of a sentence, the candidate that a list numbers among them. */
function subjectsOf(sentence: string, { subject, isListOfCandidates }: Thread, evidence: Evidence): SubjectMention[] {
  const found = subjectsIn(sentence, evidence).map((each) =>
    subject?.isList && BOTH.test(sentence.slice(each.start, each.end))
      ? { ...subject, start: each.start, end: each.end }
      : each,
  );
  const place = Number(LIST_MARKER.exec(sentence)?.[1]);
  const isNumbered = place === 1 ? subject === null : isListOfCandidates;
  const runs = evidence.runs.filter(({ candidate }) => candidate === place);
  if (!isNumbered || runs.length === 0 || found.some(({ isTrait }) => !isTrait)) return found;
  return [{ start: 0, end: 0, runs, isMarket: false, isList: false, isTrait: false }, ...found];
}

function after(sentence: string, subjects: readonly SubjectMention[], thread: Thread): Thread {
  const place = Number(LIST_MARKER.exec(sentence)?.[1]);
  const isListOfCandidates = place === 1 ? thread.subject === null : !Number.isNaN(place) && thread.isListOfCandidates;
  if (isListOfCandidates) return { subject: null, isListOfCandidates };
  const named = subjects.filter(({ isMarket, isTrait }) => !isMarket && !isTrait);
  const main = named.find((each) => !isObject(sentence, each)) ?? named[0];
  return { subject: main === undefined ? thread.subject : main.runs === null ? null : main, isListOfCandidates };
}

function* checkSentence(
  sentence: string,
  subjects: readonly SubjectMention[],
  before: SubjectMention | null,
  evidence: Evidence,
): Iterable<string> {
  for (const [day] of sentence.matchAll(DAY)) {
    if (!isKnownText(day.slice(0, 10), evidence)) yield `No tool returned the date ${day}.`;
  }
  const marked = sentence.replace(DAY, blank).replace(LIST_MARKER, blank);
  const text = withoutNames(withoutPlaces(marked, Math.max(0, ...evidence.counts)));
  const numbers = numbersIn(text);
  const names = subjects.some(({ isTrait, runs }) => !isTrait && runs !== null);
  const isResult = RESULT_WORDS.test(text) || (names && numbers.some(({ isPercent }) => isPercent));
  const spelled = isResult ? spelledIn(text) : [];
  const speech: Speech = {
    text,
    before,
    subjects,
    metrics: metricsIn(text),
    evidence,
    numbers: figuresAmong(numbers, text, evidence),
  };
  for (const number of numbers) {
    if (!isBacked(number, speech, isResult)) yield problemOf(number.text, sentence, speech);
  }
  for (const { text: word, value, start, end } of spelled) {
    const number = {
      text: word,
      value: value ?? Number.NaN,
      isPercent: /^\s*per ?cent/i.test(text.slice(end)),
      start,
      end,
    };
    const read = { ...number, hasMinus: false, places: 0 };
    const isBackedWord =
      value !== null &&
      (isCount(read, text, evidence) ||
        isLength(read, text, evidence) ||
        isFigure(read, { ...speech, numbers: [...speech.numbers, read] }));
    if (!isBackedWord) yield problemOf(word, sentence, speech);
  }
}

const problemOf = (number: string, sentence: string, { evidence }: Speech): string =>
  `No tool returned ${number}${evidence.runs.length > 0 ? ' as this figure of this run' : ''}: "${clip(sentence.trim(), 120)}"`;

const blank = (text: string): string => ' '.repeat(text.length);
const isKnownText = (text: string, evidence: Evidence): boolean => evidence.hasReturned(text) || evidence.hasSaid(text);

/** The numbers that are no parameters, counts or lengths by the words around them. */
const figuresAmong = (numbers: readonly NumberInText[], text: string, evidence: Evidence): NumberInText[] =>
  numbers.filter(
    (number) =>
      !isParameter(number, text, evidence) && !isCount(number, text, evidence) && !isLength(number, text, evidence),
  );

function isBacked(number: NumberInText, speech: Speech, isResult: boolean): boolean {
  const { text, evidence } = speech;
  const { value, isPercent } = number;
  const size = Math.abs(value);
  if (isParameter(number, text, evidence) || isCount(number, text, evidence) || isLength(number, text, evidence))
    return true;
  if (isFigure(number, speech)) return true;
  if (isResult) return false;
  const isSaid = evidence.said.has(size);
  if (!isPercent) return evidence.settings.has(size) || (isSaid && USER_WORDS.test(text));
  const isShare = evidence.settings.has(size / 100) || isSaid;
  return (isShare && USER_WORDS.test(text)) || isQuoted(number, evidence);
}

const isParameter = ({ value, isPercent, start }: NumberInText, text: string, { settings }: Evidence): boolean =>
  !isPercent && settings.has(Math.abs(value)) && PARAMETER_BEFORE.test(text.slice(Math.max(0, start - NEAR), start));

/** Whether a number is a year or the length of a time that tools or the user have named. */
function isLength(
  { value, isPercent, end }: Pick<NumberInText, 'value' | 'isPercent' | 'end'>,
  text: string,
  { settings, said }: Evidence,
): boolean {
  const size = Math.abs(value);
  const isYear = Number.isInteger(size) && size >= YEARS.min && size <= YEARS.max;
  const after = text.slice(end, end + NEAR);
  const sizes = /^[\s-]*years?\b/i.test(after) ? [size, MONTHS * size] : [size];
  return !isPercent && (isYear || UNIT_AFTER.test(after)) && sizes.some((each) => settings.has(each) || said.has(each));
}

/** Whether a document has the percentage. */
const isQuoted = ({ text }: NumberInText, evidence: Evidence): boolean =>
  ['', ' '].some((space) => evidence.hasReturned(text.replace(/\s?(?:%|per ?cent.*)$/i, `${space}%`)));

/** Whether a number counts what was made, such as the candidates. */
function isCount(
  { value, isPercent, start, end }: Pick<NumberInText, 'value' | 'isPercent' | 'start' | 'end'>,
  sentence: string,
  { counts }: Evidence,
): boolean {
  if (isPercent || !counts.has(value)) return false;
  const before = sentence.slice(Math.max(0, start - NEAR), start);
  return COUNTED_AFTER.test(sentence.slice(end, end + NEAR)) || ALL_OF.test(before);
}
