import type { english } from './english.js';

export type SentenceName = keyof typeof english;

/** What the assistant says, in one language. */
export type SentenceTable = Readonly<Record<SentenceName, string>>;
