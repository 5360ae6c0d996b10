import { requireFields, wrongValue } from '../api-error.js';
import { questionTerm, readQuestion, type SearchTerm, splitWords } from '../words/index.js';
import type { Backlink, Term } from './links.js';
import { isEntry, type Passage, passageTitle } from './page.js';
import { type Hit, PageIndex } from './page-index.js';

/** A page whose name is exactly what was asked stands first. */
const EXACT = 4;
const SNIPPET_CHARACTERS = 200;

interface Wanted {
  readonly query: string;
  readonly expand: boolean;
  readonly tags: readonly string[];
  readonly limit: number;
}

export interface Found {
  readonly title: string;
  readonly document_slug: string;
  readonly document_title: string;
  readonly section_anchor: string;
  readonly section_title: string;
  readonly snippet: string;
  readonly relevance_score: number;
  /** exact: the name was asked; title, section, content: where a word occurs; fuzzy: misspelled. */
  readonly match_type: 'exact' | 'title' | 'section' | 'content' | 'fuzzy';
  readonly tags: readonly string[];
}

/** Finds pages by words. The best passage of a page stands for it. */
export class PageSearch {
  readonly #passages: readonly Passage[];
  readonly #index: PageIndex;

  constructor(passages: readonly Passage[], terms: readonly Term[], backlinks: readonly Backlink[]) {
    this.#passages = passages;
    this.#index = new PageIndex(passages, terms, backlinks);
  }

  /** The best pages, and the number of all that match. */
  find({ query, expand, tags, limit }: Wanted): {
    found: readonly Found[];
    total: number;
    terms: readonly SearchTerm[];
  } {
    const terms = this.#read(query, expand);
    const best = new Map<string, Hit>();
    for (const hit of this.#hits(query, terms)) {
      const { page } = hit.passage;
      if (!tags.every((tag) => page.tags.includes(tag)) || best.has(page.slug)) continue;
      best.set(page.slug, hit);
    }
    const said = new Set(readQuestion(splitWords(query), expand).map(({ term }) => term));
    const found = [...best.values()].slice(0, limit).map((hit) => toFound(hit, query, said));
    return { terms, total: best.size, found };
  }

  /** The passages that answer a question, best first. */
  rank(question: string): readonly Passage[] {
    return this.#hits(question, this.#read(question, true)).map(({ passage }) => passage);
  }

  /**
   * Names of pages that have the query: as whole words, then at the begin of a word, then inside of
   * one; and words that begin as it does.
   */
  suggest(query: string): readonly string[] {
    const asked = query.trim().toLowerCase();
    const titles = this.#passages.map(({ page }) => page.title);
    const having = titles.filter((title) => titleRank(title.toLowerCase(), asked) < UNLIKE);
    return [...new Set([...having, ...this.#index.suggest(query)])]
      .sort((a, b) => titleRank(a.toLowerCase(), asked) - titleRank(b.toLowerCase(), asked)) // stable: equal ones keep their order
      .slice(0, 5);
  }

  /** The terms of a question; for misspelled words, the terms that they may mean. */
  #read(question: string, expand: boolean): readonly SearchTerm[] {
    return readQuestion(this.#index.spelling.correct(splitWords(question)), expand);
  }

  /** Passages that have any of the terms, best first. */
  #hits(query: string, terms: readonly SearchTerm[]): readonly Hit[] {
    if (terms.length === 0) return [];
    const asked = plain(query);
    const hits = this.#index
      .find(terms)
      .map((hit) => (isNamed(hit.passage, asked) ? { ...hit, score: hit.score * EXACT } : hit));
    return hits.sort((a, b) => b.score - a.score || compareSlugs(a.passage.page.slug, b.passage.page.slug));
  }
}

const UNLIKE = 3;

/** How a title has a text: 0 as whole words, 1 from the begin of a word, 2 inside of one, 3 not. */
function titleRank(title: string, asked: string): number {
  const isLetter = (at: number) => /[\p{L}\p{N}]/u.test(title[at] ?? '');
  let rank = UNLIKE;
  for (let at = title.indexOf(asked); asked !== '' && at >= 0; at = title.indexOf(asked, at + 1)) {
    const found = isLetter(at - 1) ? 2 : isLetter(at + asked.length) ? 1 : 0;
    rank = Math.min(rank, found);
  }
  return rank;
}

const compareSlugs = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const plain = (text: string): string => splitWords(text.trim()).join(' ');

/** @param asked the question as `plain` makes it */
function isNamed({ page, section }: Passage, asked: string): boolean {
  const { slug, title } = page;
  const names = isEntry(page) ? [slug, slug.replace(/^\w+-/, ''), title] : [slug, title, section.title];
  return names.some((name) => plain(name) === asked);
}

/** @param said the terms of the question as it was spelled */
function toFound({ passage, score, match }: Hit, query: string, said: ReadonlySet<string>): Found {
  const { page, section, text } = passage;
  const fields = new Set(Object.values(match).flat());
  const isAsked = Object.keys(match).some((term) => said.has(term));
  return {
    title: passageTitle(passage),
    ...{ document_slug: page.slug, document_title: page.title, tags: page.tags },
    ...{ section_anchor: section.anchor, section_title: section.title },
    snippet: makeSnippet(text || page.summary, new Set(Object.keys(match))),
    relevance_score: Math.round(score * 1000) / 1000,
    match_type: isNamed(passage, plain(query))
      ? 'exact'
      : !isAsked
        ? 'fuzzy'
        : fields.has('title')
          ? 'title'
          : fields.has('heading')
            ? 'section'
            : 'content',
  };
}

/** The text around the first word that was found. */
function makeSnippet(text: string, found: ReadonlySet<string>): string {
  if (text.length <= SNIPPET_CHARACTERS) return text;
  const words = text.split(' ');
  const hit = words.findIndex((word) => splitWords(word).some((part) => found.has(questionTerm(part) ?? '')));
  let from = Math.max(0, hit - 8);
  let snippet = '';
  const first = from;
  while (from < words.length && snippet.length + (words[from]?.length ?? 0) < SNIPPET_CHARACTERS)
    snippet += `${words[from++]} `;
  return `${first > 0 ? '… ' : ''}${snippet.trim()}${from < words.length ? ' …' : ''}`;
}

export interface SearchRequest {
  readonly q?: string | null | undefined;
  /** Separated by commas. */
  readonly tags?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly expand?: boolean | null | undefined;
}

export const QUERY_CHARACTERS_MAX = 300;
const TAGS_MAX = 20;
const LIMIT_MAX = 100;
const LIMIT_USUAL = 10;

/** @throws MISSING_FIELD without a query, VALIDATION_ERROR */
export function readSearch(request: SearchRequest) {
  requireFields({ q: request.q }, ['q']);
  const query = (request.q ?? '').trim();
  if (query === '') throw wrongValue('q', 'a text that is not blank', request.q);
  if (query.length > QUERY_CHARACTERS_MAX) {
    throw wrongValue('q', `at most ${QUERY_CHARACTERS_MAX} characters`, `${query.length} characters`);
  }
  const limit = request.limit ?? LIMIT_USUAL;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw wrongValue('limit', `a whole number 1..${LIMIT_MAX}`, limit);
  }
  const given = (request.tags ?? '').split(',').map((tag) => tag.trim().toLowerCase());
  const tags = [...new Set(given)].filter((tag) => tag !== '');
  if (tags.length > TAGS_MAX) throw wrongValue('tags', `at most ${TAGS_MAX} tags`, `${tags.length} tags`);
  return { query, tags, limit, expand: request.expand ?? true };
}
