import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tree.js';

/** The pages of the library. */
const pages = ['library', 'signals-of-your-own'];

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocksOfPage = (page: string): Block[] =>
  [...readFileSync(join(root, `docs/${page}.md`), 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );

/**
 * Writes each program of the pages as a file of its own into a folder, which must lie inside the
 * package so that `barline` is this package. @returns the names of the files
 */
export function writePrograms(folder: string): string[] {
  const programs = pages.flatMap((page) =>
    blocksOfPage(page)
      .filter(({ language, text }) => (language === 'ts' || language === 'js') && text.includes('from '))
      .map(({ language, text }, i) => ({ name: `${page}-${i}.${language === 'ts' ? 'ts' : 'mjs'}`, text })),
  );
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of programs) writeFileSync(join(folder, name), text);
  return programs.map(({ name }) => name);
}
