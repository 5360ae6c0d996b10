import { flatten, plainText, type Section } from './markdown.js';
import { isEntry, type Page } from './page.js';

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
