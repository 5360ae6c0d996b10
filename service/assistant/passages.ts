import type { Document } from '../../data/docs/index.js';
import { indicatorCatalogue, signals } from '../../engine/index.js';
import type { Passage } from './retrieval.js';

const LENGTH_MAX = 1_200;

/** The documentation by section, and a passage for every signal and indicator. */
export const passagesOf = (documents: readonly Document[]): Passage[] => [
  ...documents.flatMap(sectionsOf),
  ...signals.map(({ name, type, description, definition }) => ({
    source: 'signals',
    title: name,
    text: `${name} (${type}): ${description} True where ${definition}`.slice(0, LENGTH_MAX),
  })),
  ...Object.entries(indicatorCatalogue).map(([name, { title, formula }]) => ({
    source: 'indicators',
    title: `${title} (${name})`,
    text: `${title}: ${formula}`.slice(0, LENGTH_MAX),
  })),
];

/** The sections of a document, each as plain text under its heading. */
function sectionsOf({ path, content, title }: Document): Passage[] {
  const passages: Passage[] = [];
  for (const part of content.split(/^(?=#{1,4} )/m)) {
    const [, heading, body] = /^#{1,4} +(.+)\n([\s\S]*)/.exec(part) ?? [null, title ?? path, part];
    const text = plain(body ?? '');
    if (text !== '') passages.push({ source: path, title: plain(heading ?? ''), text });
  }
  return passages;
}

/** Paragraphs without code blocks, tables, pictures and marks, up to a length. */
function plain(markdown: string): string {
  const text = markdown
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .replace(/^\s*\|.*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]|^#+ /gm, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  if (text.length <= LENGTH_MAX) return text;
  const end = text.lastIndexOf('. ', LENGTH_MAX);
  return text.slice(0, end > 0 ? end + 1 : LENGTH_MAX);
}
