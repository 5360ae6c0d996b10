import { posix } from 'node:path';
import { findLinks, flatten, plainText, withTargets } from './markdown.js';
import { GLOSSARY, guideSlug, type Page, REFERENCE } from './page.js';

/** A link from one section to another. */
export interface Backlink {
  /** The text of the link. */
  readonly term: string;
  readonly source_document: string;
  readonly source_anchor: string;
  readonly target_document: string;
  readonly target_anchor: string;
}

/** Where links between files lead in the knowledge base. */
export interface Places {
  /** Slugs of the guides by path. */
  readonly guides: ReadonlySet<string>;
  /** Slugs of entries by file and anchor: `docs/reference/metrics.md#alpha`. */
  readonly entries: ReadonlyMap<string, string>;
}

const isOutside = (target: string): boolean => /^[a-z][a-z+.-]*:/i.test(target);

/**
 * Rewrites the links of a file to `slug#anchor`. Links to the outside stay, and so do links to
 * files that are no documents.
 */
export const redirected = (content: string, path: string, places: Places): string =>
  withTargets(content, (target) => {
    if (isOutside(target)) return target;
    const [file = '', anchor = ''] = target.split('#');
    const to = file === '' ? path : posix.join(posix.dirname(path), file);
    const entry = places.entries.get(`${to}#${anchor}`);
    if (entry !== undefined) return entry;
    if (to.startsWith(REFERENCE)) return guideSlug(`${REFERENCE}README.md`);
    const slug = guideSlug(to);
    if (!places.guides.has(slug)) return target;
    return anchor === '' ? slug : `${slug}#${anchor}`;
  });

/** Where a link within the knowledge base leads; null for one that leads outside of it. */
function resolveLink(target: string, pages: ReadonlyMap<string, Page>): { slug: string; anchor: string } | null {
  const [slug = '', anchor = ''] = target.split('#');
  const page = pages.get(slug);
  if (page === undefined) return null;
  return { slug, anchor: anchor === '' ? (page.sections[0]?.anchor ?? '') : anchor };
}

export function collectBacklinks(pages: ReadonlyMap<string, Page>): readonly Backlink[] {
  return [...pages.values()].flatMap(({ slug, content, sections }) =>
    findLinks(content).flatMap(({ text, target, anchor }) => {
      const to = resolveLink(target, pages);
      if (to === null || (to.slug === slug && to.anchor === anchor)) return [];
      return [
        {
          ...{ term: text, source_document: slug, source_anchor: anchor ?? sections[0]?.anchor ?? '' },
          ...{ target_document: to.slug, target_anchor: to.anchor },
        },
      ];
    }),
  );
}

/** A word of the glossary. */
export interface Term {
  readonly term: string;
  readonly abbreviation: string | null;
  readonly definition: string;
  readonly anchor: string;
  readonly document_slug: string;
  readonly backlinks: readonly Backlink[];
  readonly related_terms: readonly string[];
  /** Other words for it. */
  readonly also: string;
}

const TERM_LEVEL = 3;

/** The glossary: a heading for each word, its definition, and what else it is called. */
export function readGlossary(glossary: Page, backlinks: readonly Backlink[]): readonly Term[] {
  const sections = flatten(glossary.sections).filter(({ level }) => level === TERM_LEVEL);
  const titles = new Map(sections.map(({ anchor, title }) => [anchor, name(title).term]));
  return sections.map(({ anchor, title, content }) => {
    const [text = '', also = ''] = content.split(/\bAlso:\s/);
    const [words = '', see = ''] = also.split(/\.\s+See\s/);
    const related = findLinks(`${text} ${see}`).flatMap(({ target }) => titles.get(target.split('#')[1] ?? '') ?? []);
    // Bounded because the glossary is a document of the package.
    return {
      ...name(title),
      definition: plainText(text.replace(/\s+See (?:the error )?\[[^.]*\.?\s*$/, '')),
      ...{ anchor, document_slug: GLOSSARY, also: plainText(words).replace(/\.$/, '') },
      backlinks: backlinks.filter((link) => link.target_document === GLOSSARY && link.target_anchor === anchor),
      related_terms: [...new Set(related)],
    };
  });
}

function name(title: string): { term: string; abbreviation: string | null } {
  const [, term = title, abbreviation = null] = /^(.+?) \((.+)\)$/.exec(title) ?? [];
  return { term, abbreviation };
}
