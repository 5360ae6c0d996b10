import type { english } from './english.js';

/** A thing that has a definition. */
export type Term = keyof typeof english;

/** What basic words mean, in one language. */
export type DefinitionTable = Readonly<Record<Term, { readonly called: string; readonly means: string }>>;
