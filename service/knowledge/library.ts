import { type Document, splitQuestions } from '../../data/docs/index.js';
import { indicatorEntries, metricEntries, type ServiceSetting, settingEntries, signalEntries } from './entries.js';
import { errorEntries, type HttpError } from './error-entries.js';
import { type Backlink, collectBacklinks, type Places, readGlossary, redirected, type Term } from './links.js';
import { headingAnchor } from './markdown.js';
import {
  type Entry,
  entryPage,
  GLOSSARY,
  guidePage,
  guideSlug,
  makeSlug,
  type Page,
  type Passage,
  REFERENCE,
  readPassages,
} from './page.js';
import { PageSearch } from './search.js';

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

/** A file of `docs/reference`. */
interface ReferenceFile {
  readonly name: string;
  readonly content: string;
}

const intros: Readonly<Record<string, readonly [title: string, text: string]>> = {
  'indicators.md': [
    'Indicators',
    'O H L C V are the columns of the bars, `x[t-k]` is the value k bars earlier, NaN before bar 0. `POST /kb/api/compute` computes each over columns of your own, and [formulas](../formulas.md) call most of them.',
  ],
  'metrics.md': [
    'Metrics',
    'The figures of a run. Returns are per bar, ratios are annualized by the bars of a year, the risk-free rate is 0, amounts are in the quote currency, fractions are fractions.',
  ],
  'settings.md': [
    'Settings',
    'First the settings of a run, which a request, a strategy or `--config` may give, then the variables of the environment that the service reads. `barline config` prints all of them with their values.',
  ],
  'errors.md': [
    'Error codes',
    'The codes of refused calls. The message always names the field, the bound and the value.',
  ],
};

const MARK = '<!-- Written by npm run reference from the registries; changes here are lost. -->';

function intro(file: string): readonly [title: string, text: string] {
  const category = file.replace(/^signals-|\.md$/g, '');
  return (
    intros[file] ?? [
      `Signals: ${category}`,
      'In definitions O H L C V are the columns of the bars at bar t. A `TRIGGER` is an event, a `FILTER` a state.',
    ]
  );
}

/**
 * The entries as files of the repository. An entry has a heading, so that links reach it.
 * @param read the present text of a file, whose questions are written by hand and stay; empty for a new one
 */
export function referenceFiles(entries: readonly Entry[], read: (name: string) => string): readonly ReferenceFile[] {
  const files = [...new Set(entries.map(({ file }) => file))].map((name) => {
    const [title, text] = intro(name);
    return { name, title, text, own: entries.filter(({ file }) => file === name).sort(order) };
  });
  const index = [
    '# Reference',
    'Made from the tables of the code, so nothing here can be out of date. `barline help NAME` prints an entry.',
    files.map(({ name, title, own }) => `- [${title}](${name}): ${own.length} entries`).join('\n'),
  ];
  return [
    { name: 'README.md', parts: [...index, MARK] },
    ...files.map(({ name, title, text, own }) => ({ name, parts: [`# ${title}`, text, MARK, ...own.map(entryText)] })),
  ].map(({ name, parts }) => ({ name, content: `${parts.join('\n\n')}\n${splitQuestions(read(name)).questions}` }));
}

/** Signals by name; the others in the order of their table. */
const order = (a: Entry, b: Entry): number => (a.kind !== 'signal' ? 0 : a.name < b.name ? -1 : 1);

const entryText = ({ name, summary, parts }: Entry): string =>
  [`## ${name}`, summary, ...parts.map(({ title, text }) => (title === 'Facts' ? text : labelled(title, text)))].join(
    '\n\n',
  );

const labelled = (title: string, text: string): string =>
  text.startsWith('- ') ? `${title}:\n\n${text}` : `${title}: ${text}`;
