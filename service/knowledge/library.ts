import type { Document } from '../../data/docs/index.js';
import { type Entry, makeSlug } from './entry.js';
import { errorEntries, type HttpError } from './error-entries.js';
import { indicatorEntries } from './indicator-entries.js';
import { type Backlink, collectBacklinks, type Places, readGlossary, redirected, type Term } from './links.js';
import { headingAnchor } from './markdown.js';
import { metricEntries } from './metric-entries.js';
import { entryPage, GLOSSARY, guidePage, guideSlug, type Page, REFERENCE } from './page.js';
import { type Passage, readPassages } from './passages.js';
import { PageSearch } from './search.js';
import { type ServiceSetting, settingEntries } from './setting-entries.js';
import { signalEntries } from './signal-entries.js';

/** What the registries of the service add to the engine's registries. */
export interface Registries {
  readonly settings: readonly ServiceSetting[];
  /** Answers over REST by code. */
  readonly errors: Readonly<Record<string, HttpError>>;
}

/** Everything that the reference has a page about. */
export const referenceEntries = ({ settings, errors }: Registries): readonly Entry[] => [
  ...signalEntries(),
  ...indicatorEntries(),
  ...metricEntries(),
  ...settingEntries(settings),
  ...errorEntries(errors),
];

/** All pages with their links, the words of the glossary and the search. */
export interface Library {
  /** By slug: the guides, then the entries of the reference. */
  readonly pages: ReadonlyMap<string, Page>;
  /** All pages in pieces, in the order of the pages. */
  readonly passages: readonly Passage[];
  readonly backlinks: readonly Backlink[];
  readonly terms: readonly Term[];
  readonly search: PageSearch;
}

/** Questions by file and anchor: `docs/faq.md#fills`. */
const questionsByPlace = (documents: readonly Document[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    documents.flatMap(({ path, asked }) =>
      [...asked].map(([anchor, questions]) => [`${path}#${anchor}`, questions] as const),
    ),
  );

/**
 * Builds the knowledge base from the documents and the registries. Of the
 * files of the reference only the questions are read: the registries make their entries here.
 */
export function buildLibrary(documents: readonly Document[], registries: Registries): Library {
  const guides = documents.filter(({ path }) => !path.startsWith(REFERENCE) || path === `${REFERENCE}README.md`);
  const entries = referenceEntries(registries);
  const places: Places = {
    guides: new Set(guides.map(({ path }) => guideSlug(path))),
    entries: new Map(
      entries.map(({ kind, name, file }) => [`${REFERENCE}${file}#${headingAnchor(name)}`, makeSlug(kind, name)]),
    ),
  };
  const pages = new Map<string, Page>();
  for (const document of guides) {
    const page = guidePage(document, redirected(document.content, document.path, places));
    pages.set(page.slug, page);
  }
  for (const entry of entries) {
    const page = entryPage(entry, (content) => redirected(content, `${REFERENCE}${entry.file}`, places));
    pages.set(page.slug, page);
  }
  const backlinks = collectBacklinks(pages);
  const glossary = pages.get(GLOSSARY);
  const terms = glossary === undefined ? [] : readGlossary(glossary, backlinks);
  const asked = questionsByPlace(documents);
  const passages = [...pages.values()].flatMap((page) => readPassages(page, asked));
  return { pages, passages, backlinks, terms, search: new PageSearch(passages, terms, backlinks) };
}
