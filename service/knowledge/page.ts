import type { Document } from '../../data/docs/index.js';
import { clip } from '../../engine/text.js';
import { flatten, headingAnchor, parseSections, plainText, type Section } from './markdown.js';

/** A document of the knowledge base. */
export interface Page {
  readonly slug: string;
  readonly title: string;
  /** Where the repository has it: a file, or a file and the anchor of the entry. */
  readonly filename: string;
  readonly summary: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly sections: readonly Section[];
  /** Weight in searches. A decision says why; guides and entries say how: that is asked more. */
  readonly importance: number;
  /** Further words by which a reader may look for it. */
  readonly words: string;
}

/** Where the pages of entries stand as files; they are read from the registries instead. */
export const REFERENCE = 'docs/reference/';
export const GLOSSARY = 'glossary';

const SUMMARY_CHARACTERS_MAX = 300;

const DECISION = 0.8;

/** Whether a page is made from a registry. */
export const isEntry = ({ filename }: Page): boolean => filename.includes('#');

/** The slug of a file of the documentation: `docs/adr/0001-bar-time.md` is adr-0001-bar-time. */
export const guideSlug = (path: string): string =>
  path === 'docs/README.md'
    ? 'docs' // the README of the repository has the other name
    : path
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .replaceAll('/', '-')
        .toLowerCase();

/** @param content with the links of the knowledge base */
export function guidePage({ path, title }: Document, content: string): Page {
  const slug = guideSlug(path);
  const kind = slug.startsWith('adr-') ? 'decision' : slug === GLOSSARY ? 'glossary' : 'guide';
  return {
    ...{ slug, title: title ?? slug, filename: path, content, words: '' },
    summary: firstParagraph(content),
    tags: [kind],
    sections: parseSections(content),
    importance: kind === 'decision' ? DECISION : 1,
  };
}

/** The first paragraph below the title that has words; cut at a word. */
function firstParagraph(content: string): string {
  const paragraphs = content
    .replace(/^#+ .*$/gm, '')
    .split(/\n\s*\n/)
    .map(plainText);
  const text = paragraphs.find((paragraph) => /\p{L}{3}/u.test(paragraph)) ?? '';
  if (text.length <= SUMMARY_CHARACTERS_MAX) return text;
  return `${clip(text, text.lastIndexOf(' ', SUMMARY_CHARACTERS_MAX))} …`;
}

/** @param redirect turns links between files of the documentation into links of pages */
export function entryPage(entry: Entry, redirect: (content: string) => string): Page {
  const { kind, name, title, summary, parts, tags, words, file } = entry;
  const content = redirect(
    [`# ${name}`, summary, ...parts.flatMap((part) => [`## ${part.title}`, part.text])].join('\n\n'),
  );
  return {
    ...{ slug: makeSlug(kind, name), title, content: `${content}\n`, words, importance: 1 },
    tags: [...new Set(tags)],
    filename: `${REFERENCE}${file}#${headingAnchor(name)}`,
    summary: plainText(summary),
    sections: parseSections(content),
  };
}

/** What the reference has a page about. */
type EntryKind = 'signal' | 'indicator' | 'metric' | 'setting' | 'error';

/** A page of the reference, made from a registry. */
export interface Entry {
  readonly kind: EntryKind;
  /** As the registry has it. */
  readonly name: string;
  readonly title: string;
  /** One sentence or two, as Markdown. */
  readonly summary: string;
  readonly parts: readonly { readonly title: string; readonly text: string }[];
  readonly tags: readonly string[];
  /** Further words by which a reader may look for it. */
  readonly words: string;
  /** The file of `docs/reference` that has it. */
  readonly file: string;
}

export const makeSlug = (kind: EntryKind, name: string): string => `${kind}-${name.toLowerCase()}`;

/** A list of facts; those without a value are left out. */
export const facts = (rows: Readonly<Record<string, string | null>>): string =>
  Object.entries(rows)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n');

export const code = (text: unknown): string => `\`${typeof text === 'string' ? text : JSON.stringify(text)}\``;

export const sentence = (text: string): string => {
  const trimmed = text.trim();
  const end = /[.!?]$/.test(trimmed) ? '' : '.';
  // A value, such as v1, keeps its form.
  const first = /^\p{L}+(?![\p{L}\d_])/u.test(trimmed) ? trimmed.charAt(0).toUpperCase() : trimmed.charAt(0);
  return `${first}${trimmed.slice(1)}${end}`;
};

/** A piece of a page that is found by itself: a section of a guide, or an entry as a whole. */
export interface Passage {
  readonly page: Page;
  readonly section: Section;
  /** Without the signs of Markdown and, in a guide, without the heading. */
  readonly text: string;
  /** Questions that it answers, in words that it does not use. */
  readonly questions: readonly string[];
}

/** Its page, and its heading where that is another one. */
export const passageTitle = ({ page, section }: Passage): string =>
  section === page.sections[0] ? page.title : `${page.title}: ${section.title}`;

/** @param asked questions by file and anchor */
export const readPassages = (page: Page, asked: ReadonlyMap<string, readonly string[]>): readonly Passage[] =>
  isEntry(page)
    ? page.sections.map((section) => ({
        ...{ page, section, text: plainText(wholeText(section)) },
        questions: asked.get(page.filename) ?? [],
      }))
    : flatten(page.sections).map((section) => ({
        ...{ page, section, text: plainText(section.content) },
        questions: asked.get(`${page.filename}#${section.anchor}`) ?? [],
      }));

const wholeText = (section: Section): string =>
  flatten([section])
    .map(({ title, content }) => `${title} ${content}`)
    .join('\n');
