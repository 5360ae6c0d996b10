import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tree.js';

/** A block of code in a page. */
export interface CodeBlock {
  readonly page: string;
  /** Line of its fence, from 1. */
  readonly line: number;
  /** First word after the fence; empty without one. */
  readonly language: string;
  /**
   * What it needs that a test does not have: `needs=network` after the language; null for nothing.
   */
  readonly needs: string | null;
  readonly text: string;
}

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) return markdownBelow(path);
    return name.endsWith('.md') ? [path] : [];
  });
}

/** The README and every page below docs. */
export const pages: readonly string[] = ['README.md', ...markdownBelow('docs').sort()];

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

export function blocksOf(page: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { line: number; info: string; lines: string[] } | null = null;
  for (const [i, line] of textOf(page).split('\n').entries()) {
    const [, info] = /^ {0,3}```(.*)$/.exec(line) ?? [];
    if (info === undefined) open?.lines.push(line);
    else if (open === null) open = { line: i + 1, info, lines: [] };
    else {
      const [language = '', ...facts] = open.info.split(' ');
      const needs = facts.find((fact) => fact.startsWith('needs='))?.slice('needs='.length) ?? null;
      blocks.push({ page, line: open.line, language, needs, text: open.lines.join('\n') });
      open = null;
    }
  }
  return blocks;
}

/** The words of a command, as a shell would see them; for text in quotes and plain words only. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/(["'])(.*?)\1/g, '$2'));

/** The commands of a shell block, with continued lines joined and comments left out. */
export const commandsOf = ({ text }: CodeBlock): string[] =>
  text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
