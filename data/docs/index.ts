import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode } from '../outage.js';

/** A Markdown file of the documentation. */
export interface Document {
  /** Path below the root, with `/`: `README.md`, `docs/adr/0001-bar-time.md`. */
  readonly path: string;
  readonly name: string;
  /** The first heading; null without one. */
  readonly title: string | null;
  readonly content: string;
  /**
   * Questions of users in words that the text does not use, by the anchor of the section that
   * answers them. The search reads them; they are not part of the content.
   */
  readonly asked: ReadonlyMap<string, readonly string[]>;
}

const README = 'README.md';
const FOLDER = 'docs';

/**
 * The README.md of a folder, if it has one, and every Markdown file below its `docs`, by path.
 * Links are not followed.
 */
export async function readDocuments(root: string): Promise<readonly Document[]> {
  const atRoot = (await entries(root)).some((entry) => entry.isFile() && entry.name === README) ? [README] : [];
  const paths = [...atRoot, ...(await markdownBelow(root, FOLDER)).sort()];
  return Promise.all(paths.map((path) => readDocument(root, path)));
}

/** Empty for a folder that does not exist: a package may omit its documentation. */
async function entries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function markdownBelow(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await entries(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await markdownBelow(root, path)));
    else if (entry.isFile() && entry.name.endsWith('.md')) found.push(path);
  }
  return found;
}

async function readDocument(root: string, path: string): Promise<Document> {
  const text = await readFile(join(root, path), 'utf8');
  const { content, questions } = splitQuestions(text);
  const title = /^# +(\S.*)$/m.exec(content)?.[1]?.trimEnd() ?? null;
  return { path, name: basename(path), title, content, asked: readQuestions(questions) };
}

/** The questions of a page stand in a comment at its end, so that a reader of the file meets its title first. */
const QUESTIONS = /\n<!--\nasked:\n(?:(?!-->)[\s\S])*-->\n$/;

export function splitQuestions(text: string): { readonly content: string; readonly questions: string } {
  const questions = QUESTIONS.exec(text)?.[0] ?? '';
  return { content: text.slice(0, text.length - questions.length), questions };
}

/** A line for each section: its anchor, then its questions between semicolons; longer lines go on indented. */
const readQuestions = (comment: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...comment.matchAll(/^ {2}(\S+): (.*(?:\n {4}.*)*)$/gm)].map(([, anchor = '', questions = '']) => [
      anchor,
      questions.split(';').map((question) => question.replace(/\s+/g, ' ').trim()),
    ]),
  );

const PROMPTS_FOLDER = 'prompts/assistant';

/** Path of a prompt below the root of the package. */
export const promptPath = (name: string): string => `${PROMPTS_FOLDER}/${name}.md`;

/** A prompt of the assistant, from the package. */
export const readPrompt = (root: string, name: string): Promise<string> =>
  readFile(join(root, promptPath(name)), 'utf8');
