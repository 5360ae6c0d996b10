/** A heading of a document with the text below it, up to the next heading of any level. */
export interface Section {
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
  readonly content: string;
  readonly parent_anchor: string | null;
  readonly children: readonly Section[];
}

/** A link of a document, as it is written there. */
interface WrittenLink {
  readonly text: string;
  readonly target: string;
  /** The section that has it; null above the first heading. */
  readonly anchor: string | null;
}

const HEADING = /^(#{1,6}) +(\S.*)$/;
const FENCE = /^ {0,3}(```|~~~)/;
// Bounded because only documents of the package are read, never a text of a caller.
const LINK = /(?<!!)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

const PICTURE = /!\[([^\]]*)\]\([^)]*\)/g;

/** The text of Markdown without its signs. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(LINK, '$1')
    .replace(PICTURE, '$1')
    .replace(/^ {0,3}(```|~~~).*$/gm, ' ')
    .replace(/^\|?[ :|-]+\|?$/gm, ' ')
    .replace(/[`*|]|(?<!\w)_|_(?!\w)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The anchor of a heading, as GitHub makes it. */
export const headingAnchor = (title: string): string =>
  title
    .replace(LINK, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

interface OpenSection extends Section {
  content: string;
  readonly children: OpenSection[];
}

/** The sections of a document as a tree. Text above the first heading belongs to no section. */
export function parseSections(content: string): readonly Section[] {
  const roots: OpenSection[] = [];
  const open: OpenSection[] = [];
  const seen = new Map<string, number>();
  for (const { line, heading } of lines(content)) {
    const current = open.at(-1);
    if (heading === null) {
      if (current !== undefined) current.content += `${line}\n`;
      continue;
    }
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    const parent = open.at(-1);
    const anchor = unique(headingAnchor(heading.title), seen);
    const section: OpenSection = {
      ...{ anchor, title: plainText(heading.title), level: heading.level, content: '' },
      parent_anchor: parent?.anchor ?? null,
      children: [],
    };
    (parent?.children ?? roots).push(section);
    open.push(section);
  }
  for (const section of flatten(roots)) (section as OpenSection).content = section.content.trim();
  return roots;
}

/** All sections in the order of the document. */
export const flatten = (sections: readonly Section[]): readonly Section[] =>
  sections.flatMap((section) => [section, ...flatten(section.children)]);

/** A second heading of the same name gets the number 1. */
function unique(anchor: string, seen: Map<string, number>): string {
  const count = seen.get(anchor) ?? 0;
  seen.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

interface Line {
  readonly line: string;
  readonly heading: { readonly level: number; readonly title: string } | null;
  readonly isCode: boolean;
}

function lines(content: string): Line[] {
  let isCode = false;
  return content.split('\n').map((line) => {
    const isFence = FENCE.test(line);
    const [, signs, title] = isCode || isFence ? [] : (HEADING.exec(line) ?? []);
    const heading = signs === undefined || title === undefined ? null : { level: signs.length, title: title.trimEnd() };
    const wasCode = isCode;
    if (isFence) isCode = !isCode;
    return { line, heading, isCode: isFence || wasCode };
  });
}

/** The links of a document outside code. */
export function findLinks(content: string): WrittenLink[] {
  const sections = flatten(parseSections(content));
  let next = 0;
  let anchor: string | null = null;
  let text = '';
  const found: WrittenLink[] = [];
  const close = () => {
    // A link may stand on two lines.
    for (const [, label = '', target = ''] of text.matchAll(LINK))
      found.push({ text: plainText(label), target, anchor });
    text = '';
  };
  for (const { line, heading, isCode } of lines(content)) {
    if (heading !== null) {
      close();
      anchor = sections[next++]?.anchor ?? null;
    }
    if (!isCode) text += `${line}\n`;
  }
  close();
  return found;
}

/** The document with other targets in its links. */
export const withTargets = (content: string, change: (target: string) => string): string =>
  content.replace(LINK, (_, label: string, target: string) => `[${label}](${change(target)})`);
