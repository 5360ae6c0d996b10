import type { Document } from '../../data/docs/index.js';
import { indicatorNames, signals } from '../../engine/signals/index.js';
import { clip } from '../../engine/text.js';
import { notFound } from '../api-error.js';
import { signalNamed } from '../signals/index.js';
import {
  type CatalogueRequest,
  filterIndicators,
  filterSignals,
  indicatorNamed,
  indicatorRecord,
  toSignalRecord,
} from './compute.js';
import { buildLibrary, type Library, type Registries } from './library.js';
import { flatten } from './markdown.js';
import { GLOSSARY, type Page } from './page.js';
import { type Found, QUERY_CHARACTERS_MAX, readSearch, type SearchRequest } from './search.js';

/** What a reader of the command line gets. */
export interface Topic {
  readonly slug: string;
  readonly title: string;
  /** Markdown; the first line is the title. */
  readonly content: string;
  /** Where the repository has it, with its anchor. */
  readonly filename: string;
  /** Whether it is a word of the glossary. */
  readonly isWord: boolean;
}

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
/** The name of an entry, without what it is. */
const entryName = (slug: string): string => slug.replace(/^(?:signal|indicator|metric|setting|error)-/, '');

interface Named {
  readonly name: string;
}

/** Answers about the documentation and the registries, the same to all callers. */
export class KnowledgeBase {
  #built: Promise<Library> | null = null;

  /** @param read called for the first request; what it answers is kept */
  constructor(
    private readonly read: () => Promise<readonly Document[]>,
    private readonly registries: () => Registries,
  ) {}

  /** The pages themselves, for readers in the same process. */
  library(): Promise<Library> {
    this.#built ??= this.read().then((documents) => buildLibrary(documents, this.registries()));
    return this.#built;
  }

  async listDocuments() {
    const { pages } = await this.library();
    const documents = [...pages.values()].map(({ slug, title, summary, tags, sections }) => ({
      ...{ slug, title, summary, tags: [...tags] },
      section_count: flatten(sections).length,
    }));
    return { total: documents.length, documents };
  }

  /** @throws RESOURCE_NOT_FOUND, as all reads of one thing do */
  async getDocument({ slug }: { readonly slug: string }) {
    const { words: _, ...page } = await this.#page(slug);
    return page;
  }

  async listSections({ slug }: { readonly slug: string }) {
    const { title, sections } = await this.#page(slug);
    return { document_slug: slug, document_title: title, sections };
  }

  /** @throws MISSING_FIELD, VALIDATION_ERROR */
  async search(request: SearchRequest) {
    const { query, tags, limit, expand } = readSearch(request);
    const { search, pages } = await this.library();
    const { found, total, terms } = search.find({ query, expand, tags, limit });
    const known = new Set([...pages.values()].flatMap((page) => page.tags));
    const asked = query.toLowerCase().split(/\s+/);
    return {
      query,
      expanded_query: terms.map(({ term }) => term).join(' '),
      ...{ total, total_results: total },
      results: [...found] as Found[],
      tags_matched: [...new Set([...tags, ...asked])].filter((tag) => known.has(tag)),
      suggestions: search.suggest(query),
    };
  }

  async listTags() {
    const { pages } = await this.library();
    const counts = new Map<string, number>();
    for (const { tags } of pages.values()) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    const tags = [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1));
    return { total: tags.length, tags };
  }

  async getTag({ tag }: { readonly tag: string }) {
    const { pages } = await this.library();
    const tagged = [...pages.values()].filter(({ tags }) => tags.includes(tag.toLowerCase()));
    if (tagged.length === 0) throw notFound('tag', tag);
    const documents = tagged.map(({ slug, title, tags }) => ({ slug, title, tags: [...tags] }));
    return { tag: tag.toLowerCase(), total: documents.length, documents };
  }

  async listTerms() {
    const { terms } = await this.library();
    const entries = terms.map(({ also: _, ...entry }) => entry);
    return { total: entries.length, entries };
  }

  /** By the word, its abbreviation or its anchor, in any case. */
  async getTerm({ term: asked }: { readonly term: string }) {
    const { terms } = await this.library();
    const wanted = asked.toLowerCase();
    const found = terms.find(({ term, abbreviation, anchor }) =>
      [term, abbreviation, anchor].some((name) => name?.toLowerCase() === wanted),
    );
    if (found === undefined) throw notFound('term', asked);
    const { also: _, ...entry } = found;
    return entry;
  }

  /** Links to an anchor, or to a page by its slug; none for an anchor that nothing links to. */
  async listBacklinks({ anchor }: { readonly anchor: string }) {
    const { backlinks } = await this.library();
    const found = backlinks.filter((link) => link.target_anchor === anchor || link.target_document === anchor);
    return { target_anchor: anchor, total: found.length, backlinks: found };
  }

  async listSignals(request: CatalogueRequest) {
    const found = filterSignals(signals, request);
    return { total: found.length, signals: found.map(toSignalRecord) };
  }

  async getSignal({ name }: Named) {
    return toSignalRecord(signalNamed(name));
  }

  async listIndicators(request: Pick<CatalogueRequest, 'category'>) {
    const found = filterIndicators(indicatorNames, request);
    return { total: found.length, indicators: found.map(indicatorRecord) };
  }

  async getIndicator({ name }: Named) {
    return indicatorRecord(indicatorNamed(name));
  }

  /**
   * Pages and words of the glossary that are called by exactly this name, and if there are none,
   * the names of the nearest pages. Blanks and underscores are the same, and so is case.
   */
  async topic(name: string): Promise<{ readonly exact: readonly Topic[]; readonly nearest: readonly string[] }> {
    const { pages, terms, search } = await this.library();
    const wanted = plain(name);
    const entries = [...pages.values()].filter(
      ({ slug }) => plain(slug) === wanted || plain(entryName(slug)) === wanted,
    );
    const named = terms.filter(({ term, abbreviation }) =>
      [term, abbreviation].some((word) => plain(word ?? '') === wanted),
    );
    const isOther = (also: string) => also.split(',').some((word) => plain(word) === wanted);
    const words = entries.length + named.length > 0 ? named : terms.filter(({ also }) => isOther(also));
    const exact = [
      ...entries.map(({ slug, title, content, filename }) => ({ slug, title, content, filename, isWord: false })),
      ...words.map(({ term, definition, anchor }) => ({
        ...{ slug: anchor, title: term },
        content: `# ${term}\n\n${definition}\n`,
        ...{ filename: `docs/${GLOSSARY}.md#${anchor}`, isWord: true },
      })),
    ];
    const found =
      exact.length > 0 || wanted === ''
        ? []
        : search.find({ query: clip(name, QUERY_CHARACTERS_MAX), expand: true, tags: [], limit: 10 }).found;
    return { exact, nearest: found.map(({ document_slug }) => document_slug) };
  }

  async #page(slug: string): Promise<Page> {
    const page = (await this.library()).pages.get(slug);
    if (page === undefined) throw notFound('document', slug);
    return page;
  }
}
