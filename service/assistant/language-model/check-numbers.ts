import type { Figure } from '../mind.js';
import type { Evidence } from './evidence.js';
import {
  COUNTED_AFTER,
  LOSS_WORDS,
  metricWords,
  PARAMETER_BEFORE,
  RESULT_WORDS,
  STATED,
  STATED_SHARE,
  SWEEP_WORDS,
  shares,
  UNIT_AFTER,
  USER_WORDS,
} from './metric-words.js';
import { type NumberInText, numbersIn, spelledIn } from './read-numbers.js';

/** A rounded figure may be off by this share of it, so that 1 cannot stand for 0.6. */
const ROUNDED_MAX = 0.05;
const DUST = 1e-9;
/** Characters around a number that say what it is; few, so that no text makes the search slow. */
const NEAR = 80;

const SENTENCE = /(?<=[.!?;])\s+|\n+/;
/** Parts of a sentence that speak of different figures. */
const PART = /,\s|\s(?:and|but|with|while|whereas|against|versus|vs)\s/gi;
const LIST_MARKER = /^\s*(?:[-*•]\s*)?\(?\d{1,2}[.)]\s/;
const PLACE =
  /\b(?:candidates?|runs?|options?|number|no\.|variants?)\s+#?(\d{1,2})(?:\s*(?:,|and|to|or|-)\s*(\d{1,2}))?|#(\d{1,2})\b/gi;
const ALL_OF = /\b(?:all|best of|of)\s+(?:the\s+)?$/i;
const DAY = /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?/g;
const YEARS = { min: 1990, max: 2100 };

/** What is wrong with the numbers of a text in plain signs whose names hold no digits. */
export function checkNumbers(text: string, evidence: Evidence): string[] {
  const problems = new Set<string>();
  for (const sentence of text.split(SENTENCE)) {
    if (evidence.isVerdict(sentence)) continue;
    for (const problem of checkSentence(sentence, evidence)) problems.add(problem);
  }
  return [...problems];
}

function* checkSentence(sentence: string, evidence: Evidence): Iterable<string> {
  for (const [day] of sentence.matchAll(DAY)) {
    if (!isKnownText(day.slice(0, 10), evidence)) yield `No tool returned the date ${day}.`;
  }
  const most = Math.max(0, ...evidence.counts);
  const text = sentence
    .replace(DAY, blank)
    .replace(LIST_MARKER, blank)
    .replace(PLACE, (all, ...places) =>
      places.slice(0, 3).every((n) => n === undefined || Number(n) <= most) ? blank(all) : all,
    );
  const isResult = RESULT_WORDS.test(text);
  for (const number of numbersIn(text)) {
    if (!isBacked(number, text, isResult, evidence)) yield `No tool returned ${number.text}: ${quoted(sentence)}`;
  }
  if (!isResult) return;
  for (const { text: word, value, start, end } of spelledIn(text)) {
    const place = { text: word, value: value ?? Number.NaN, isPercent: /^\s*per ?cent/i.test(text.slice(end)) };
    const isBackedWord =
      value !== null &&
      (isCount({ ...place, start, end }, text, evidence) ||
        isFigure({ ...place, hasMinus: false, places: 0, start, end }, text, evidence));
    if (!isBackedWord) yield `No tool returned ${word}: ${quoted(sentence)}`;
  }
}

const blank = (text: string): string => ' '.repeat(text.length);
const quoted = (sentence: string): string => `"${sentence.trim().slice(0, 120)}"`;
const isKnownText = (text: string, evidence: Evidence): boolean => evidence.hasReturned(text) || evidence.hasSaid(text);

function isBacked(number: NumberInText, sentence: string, isResult: boolean, evidence: Evidence): boolean {
  if (isFigure(number, sentence, evidence) || isCount(number, sentence, evidence)) return true;
  const { value, isPercent, start, end } = number;
  const size = Math.abs(value);
  const isSaid = evidence.said.has(size);
  const after = sentence.slice(end, end + NEAR);
  if (isPercent) {
    if (isResult) return false;
    const isShare = evidence.settings.has(size / 100) || isSaid;
    return (isShare && USER_WORDS.test(sentence)) || isQuoted(number, evidence);
  }
  const isSetting = evidence.settings.has(size);
  const isYear = Number.isInteger(size) && size >= YEARS.min && size <= YEARS.max;
  if ((isYear || UNIT_AFTER.test(after)) && (isSetting || isSaid)) return true;
  if (PARAMETER_BEFORE.test(sentence.slice(Math.max(0, start - NEAR), start)) && isSetting) return true;
  return !isResult && (isSetting || (isSaid && USER_WORDS.test(sentence)));
}

/** Whether a document has the percentage. */
const isQuoted = ({ text }: NumberInText, evidence: Evidence): boolean =>
  ['', ' '].some((space) => evidence.hasReturned(text.replace(/\s*(%|per ?cent.*)$/i, `${space}%`)));

/** Whether a number counts what was made, such as the candidates. */
function isCount(
  { value, isPercent, start, end }: Pick<NumberInText, 'value' | 'isPercent' | 'start' | 'end'>,
  sentence: string,
  { counts }: Evidence,
): boolean {
  if (isPercent || !counts.has(value)) return false;
  return (
    COUNTED_AFTER.test(sentence.slice(end, end + NEAR)) || ALL_OF.test(sentence.slice(Math.max(0, start - NEAR), start))
  );
}

/** Whether a number is a figure of a run, of the metric that its part of the sentence names. */
function isFigure(number: NumberInText, sentence: string, { figures }: Evidence): boolean {
  const part = partAround(sentence, number.start, number.end);
  const named = Object.keys(metricWords).filter((metric) => metricWords[metric]?.test(part));
  const isOfSweep = SWEEP_WORDS.test(part);
  const isNamed = ({ metric }: Figure) =>
    named.includes(metric) || (isOfSweep && [STATED, STATED_SHARE].includes(metric));
  const eligible = named.length === 0 ? figures : figures.filter(isNamed);
  const saysLoss = LOSS_WORDS.test(part);
  return eligible.some((figure) => says(number, figure, saysLoss));
}

function says(
  { value, isPercent, hasMinus, places }: NumberInText,
  { metric, value: figure }: Figure,
  saysLoss: boolean,
): boolean {
  const isShare = shares.has(metric);
  if (isPercent && !isShare) return false;
  const exact = isPercent ? 100 * figure : figure;
  const off = Math.abs(Math.abs(value) - Math.abs(exact));
  const isNear = off <= 0.5 * 10 ** -places + DUST && (off <= ROUNDED_MAX * Math.abs(exact) + DUST || value === 0);
  if (!isNear) return false;
  if (exact < 0) return hasMinus || saysLoss || value === 0;
  return !hasMinus || metric === 'max_drawdown' || value === 0;
}

/** The part of a sentence, between commas and conjunctions, that has a number. */
function partAround(sentence: string, start: number, end: number): string {
  let from = 0;
  let to = sentence.length;
  for (const { index, 0: split } of sentence.matchAll(PART)) {
    if (index + split.length <= start) from = index + split.length;
    else if (index >= end) {
      to = index;
      break;
    }
  }
  return sentence.slice(from, to);
}
