/**
 * What the grammar reads, with the phrases of one language for it. Phrases are written in lower
 * case without accents and separated by `|`; the longest one that fits counts.
 */
export type PhraseTable = Readonly<Record<string, string>>;
