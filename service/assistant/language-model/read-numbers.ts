import { apiTimeframes } from '../../../engine/index.js';

/** A number as a text has it. */
export interface NumberInText {
  readonly text: string;
  /** With its sign; a percentage as it is written, so 12 for `12 %`. */
  readonly value: number;
  readonly isPercent: boolean;
  readonly hasMinus: boolean;
  /** Places after the point. */
  readonly places: number;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
}

const FORM =
  /([-\u2212\u2013+]\s?)?(\d{1,3}(?:,\d{3})+(?!\d)|\d+)(\.\d+)?(e[+-]?\d{1,3})?(\s*(?:%|per ?cent\b|percentage))?/giu;

/**
 * One spelling for digits of all scripts, full-width signs and the like. White space is one sign
 * wide, so that no pattern reads a run of it again from each place.
 */
export const plainSigns = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/\s+/g, (space) => (space.includes('\n') ? '\n' : ' '));

/** Every number of a text in plain signs, those within words included. */
export function numbersIn(text: string): NumberInText[] {
  return [...text.matchAll(FORM)].map((match) => {
    const [all, sign = '', whole = '', fraction = '', exponent = '', percent = ''] = match;
    const before = text[match.index - 1] ?? ' ';
    // After a letter, digit or bracket the sign is a dash or a range.
    const hasMinus = /[-\u2212\u2013]/.test(sign) && !/[\p{L}\d)%]/u.test(before);
    const value = Number(`${whole.replaceAll(',', '')}${fraction}${exponent}`);
    return {
      text: all.trim(),
      value: hasMinus ? -value : value,
      isPercent: percent !== '',
      hasMinus,
      places: Math.max(0, fraction.length - 1),
      start: match.index,
      end: match.index + all.length,
    };
  });
}

/** A decimal digit of any script; ten of each stand in a row, from 0. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) as number;
  if (code < 128) return digit;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

const units = 'two three four five six seven eight nine ten eleven twelve'.split(' ');
const teens = 'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const spelled: ReadonlyMap<string, number> = new Map([
  ...units.map((word, i) => [word, i + 2] as const),
  ...teens.map((word, i) => [word, i + 13] as const),
  ...tens.map((word, i) => [word, (i + 2) * 10] as const),
]);
const amounts =
  /\b(?:hundreds?|thousands?|millions?|billions?|dozens?|half|halved|doubl\w+|tripl\w+|quadrupl\w+|\w+fold|twice|thrice)\b/gi;

/** A number in words; its value is null for words such as `doubled`. */
interface SpelledNumber {
  readonly text: string;
  readonly value: number | null;
  readonly start: number;
  readonly end: number;
}

/** Numbers that a text spells out in English, from two on. */
export function spelledIn(text: string): SpelledNumber[] {
  const words = [...text.matchAll(/\b[a-z]+\b/gi)].flatMap(({ 0: word, index }) => {
    const value = spelled.get(word.toLowerCase());
    return value === undefined ? [] : [{ text: word, value, start: index, end: index + word.length }];
  });
  const others = [...text.matchAll(amounts)].map(({ 0: word, index }) => ({
    ...{ text: word, value: null, start: index, end: index + word.length },
  }));
  return [...words, ...others];
}

/** Names with an underscore, as signals and parameters have them. */
export const NAME = /\b[a-z0-9]+(?:_[a-z0-9]+)+\b/gi;
/** UUIDs and long hashes. */
export const ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{16,}\b/gi;

/** Names, ids and timeframes may hold digits, which are no numbers. Each becomes a word as long. */
export function withoutNames(text: string): string {
  const timeframe = new RegExp(`(?<![$€£\\d.])\\b(?:${apiTimeframes.join('|')})\\b`, 'g');
  return text
    .replace(ID, (id) => '_'.repeat(id.length))
    .replace(NAME, (name) => `_${name.replace(/\d/g, 'x')}`.slice(0, name.length))
    .replace(timeframe, (name) => 'x'.repeat(name.length));
}
