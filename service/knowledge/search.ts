import MiniSearch from 'minisearch';
import { splitWords } from '../signals/index.js';
import type { Backlink, Term } from './links.js';
import { GLOSSARY, isEntry } from './page.js';
import { type Passage, titleOf } from './passages.js';
import { type AskedTerm, askedRoot, readQuestion } from './query.js';

/** What is searched: each passage, with the names of its page. */
interface Indexed {
  readonly id: number;
  readonly title: string;
  readonly words: string;
  readonly said: string;
  readonly heading: string;
  readonly summary: string;
  readonly text: string;
}

/** Weights of a word in each part. */
const boosts = { title: 4, words: 2.5, said: 2.5, heading: 2, summary: 2, text: 1 } as const;

/** Share of the letters that a misspelled word may have wrong. */
const MISSPELLING = 0.2;
const MISSPELLED_LENGTH_MIN = 5;
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

interface Hit {
  readonly passage: Passage;
  readonly score: number;
  /** Terms that were found, with the parts that have them. */
  readonly match: Readonly<Record<string, readonly string[]>>;
}

/** Finds pages by words. The best passage of a page stands for it. */
export class PageSearch {
  readonly #known = new Set<string>();
  readonly #passages: readonly Passage[];
  readonly #index: MiniSearch<Indexed>;

  constructor(passages: readonly Passage[], terms: readonly Term[], backlinks: readonly Backlink[]) {
    this.#passages = passages;
    this.#index = new MiniSearch<Indexed>({
      fields: Object.keys(boosts),
      tokenize: splitWords,
      processTerm: (word) => {
        const term = askedRoot(word);
        if (term !== null) this.#known.add(term);
        return term;
      },
    });
    const saidOf = wordsOfTerms(terms, backlinks);
    for (const [id, { page, section, text }] of passages.entries()) {
      this.#index.add({
        id,
        title: `${page.title} ${page.slug.replaceAll('-', ' ')}`,
        words: page.words,
        said: saidOf.get(page.slug === GLOSSARY ? `${GLOSSARY}#${section.anchor}` : page.slug) ?? '',
        heading: section.title,
        summary: section === page.sections[0] ? page.summary : '',
        text,
      });
    }
  }

  /** The best pages, and the number of all that match. */
  find({ query, expand, tags, limit }: Wanted): {
    found: readonly Found[];
    total: number;
    terms: readonly AskedTerm[];
  } {
    const terms = readQuestion(query, expand);
    const best = new Map<string, Hit>();
    for (const hit of this.#hits(query, terms)) {
      const { page } = hit.passage;
      if (!tags.every((tag) => page.tags.includes(tag)) || best.has(page.slug)) continue;
      best.set(page.slug, hit);
    }
    const found = [...best.values()].slice(0, limit).map((hit) => foundOf(hit, query, terms));
    return { terms, total: best.size, found };
  }

  /** The passages that answer a question, best first. */
  rank(question: string): readonly Passage[] {
    return this.#hits(question, readQuestion(question, true)).map(({ passage }) => passage);
  }

  /** Names of pages that begin as the query does or that are near to it. */
  suggest(query: string): readonly string[] {
    const asked = query.trim().toLowerCase();
    const starting = this.#passages
      .map(({ page }) => page.title)
      .filter((title) => title.toLowerCase().includes(asked));
    const near = this.#index.autoSuggest(query, { combineWith: 'AND' }).map(({ suggestion }) => suggestion);
    return [...new Set([...starting, ...near])].slice(0, 5);
  }

  /** Passages that have any of the terms, best first. */
  #hits(query: string, terms: readonly AskedTerm[]): readonly Hit[] {
    if (terms.length === 0) return [];
    const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
    const results = this.#index.search([...weights.keys()].join(' '), {
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
      boost: boosts,
      boostTerm: (term) => weights.get(term) ?? 1,
      fuzzy: (term) => !this.#known.has(term) && term.length >= MISSPELLED_LENGTH_MIN && MISSPELLING,
      prefix: (term) => !this.#known.has(term) && term.length >= 3,
    });
    const hits = results.flatMap(({ id, score, match }): Hit[] => {
      const passage = this.#passages[id as number];
      if (passage === undefined) return [];
      const { page } = passage;
      return [{ passage, match, score: score * page.importance * (isNamed(passage, query) ? EXACT : 1) }];
    });
    return hits.sort((a, b) => b.score - a.score || compareSlugs(a.passage.page.slug, b.passage.page.slug));
  }
}

const compareSlugs = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** What the glossary calls a page that it links to, by slug; and each of its own words. */
function wordsOfTerms(terms: readonly Term[], backlinks: readonly Backlink[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { term, abbreviation, also, anchor } of terms) {
    const said = [term, abbreviation ?? '', also].join(' ');
    const linked = backlinks.filter((link) => link.source_document === GLOSSARY && link.source_anchor === anchor);
    const targets = new Set(linked.map(({ target_document: slug }) => slug).filter((slug) => slug !== GLOSSARY));
    for (const slug of [...targets, `${GLOSSARY}#${anchor}`]) words.set(slug, `${words.get(slug) ?? ''} ${said}`);
  }
  return words;
}

function isNamed({ page, section }: Passage, query: string): boolean {
  const { slug, title } = page;
  const asked = splitWords(query.trim()).join(' ');
  const names = isEntry(page) ? [slug, slug.replace(/^\w+-/, ''), title] : [slug, title, section.title];
  return names.some((name) => splitWords(name).join(' ') === asked);
}

function foundOf({ passage, score, match }: Hit, query: string, terms: readonly AskedTerm[]): Found {
  const { page, section, text } = passage;
  const fields = new Set(Object.values(match).flat());
  const isAsked = Object.keys(match).some((term) => terms.some((asked) => asked.term === term));
  return {
    title: titleOf(passage),
    ...{ document_slug: page.slug, document_title: page.title, tags: page.tags },
    ...{ section_anchor: section.anchor, section_title: section.title },
    snippet: snippetOf(text || page.summary, new Set(Object.keys(match))),
    relevance_score: Math.round(score * 1000) / 1000,
    match_type: isNamed(passage, query)
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
function snippetOf(text: string, found: ReadonlySet<string>): string {
  if (text.length <= SNIPPET_CHARACTERS) return text;
  const words = text.split(' ');
  const hit = words.findIndex((word) => splitWords(word).some((part) => found.has(askedRoot(part) ?? '')));
  let from = Math.max(0, hit - 8);
  let snippet = '';
  const first = from;
  while (from < words.length && snippet.length + (words[from]?.length ?? 0) < SNIPPET_CHARACTERS)
    snippet += `${words[from++]} `;
  return `${first > 0 ? '… ' : ''}${snippet.trim()}${from < words.length ? ' …' : ''}`;
}
