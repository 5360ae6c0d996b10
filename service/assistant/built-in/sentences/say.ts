import type { Language } from '../canonical.js';
import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { spanish } from './spanish.js';
import type { SentenceName, SentenceTable } from './table.js';

/** Places of a sentence, as English has them. `{count|trade|trades}` is the first word for a count of 1. */
type Places<T extends string> = T extends `${string}{${infer Place}}${infer Rest}`
  ? (Place extends `${infer Name}|${string}` ? Name : Place) | Places<Rest>
  : never;
type Values<K extends SentenceName> = Readonly<Record<Places<(typeof english)[K]>, string | number>>;

export const sentences: Readonly<Record<Language, SentenceTable>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

/** Says sentences in one language. Figures are written alike in all. */
export type Say = <K extends SentenceName>(
  name: K,
  ...values: [Places<(typeof english)[K]>] extends [never] ? [] : [Values<K>]
) => string;

export const sayIn =
  (language: Language): Say =>
  (name, ...values) => {
    const given: Readonly<Record<string, string | number>> = values[0] ?? {};
    return sentences[language][name].replace(
      /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g,
      (_, place: string, one?: string, many?: string) =>
        one === undefined ? String(given[place]) : String(Number(given[place]) === 1 ? one : many),
    );
  };
