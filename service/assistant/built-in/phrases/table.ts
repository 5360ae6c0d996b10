/**
 * What the grammar reads, with the phrases of one language for it. Phrases are written in lower
 * case without accents and separated by `|`; the longest one that fits counts.
 */
export type PhraseTable = Readonly<Record<string, string>>;

/** Every word of one list before every word of another, as phrases: `opposite cross|reverse cross`. */
export const pairs = (firsts: string, seconds: string): string =>
  firsts
    .split('|')
    .flatMap((first) => seconds.split('|').map((second) => `${first} ${second}`))
    .join('|');
