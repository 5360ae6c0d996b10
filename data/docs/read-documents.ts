import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A Markdown file of the documentation. */
export interface Document {
  /** Path below the root, with `/`: `README.md`, `docs/adr/0001-bar-time.md`. */
  readonly path: string;
  readonly name: string;
  /** The first heading; null without one. */
  readonly title: string | null;
  readonly content: string;
}

const README = 'README.md';
const FOLDER = 'docs';

/**
 * The README.md of a folder, if it has one, and every Markdown file below its `docs`, by path.
 * Links are not followed.
 */
export async function readDocuments(root: string): Promise<readonly Document[]> {
  const atRoot = (await entriesOf(root)).some((entry) => entry.isFile() && entry.name === README) ? [README] : [];
  const paths = [...atRoot, ...(await markdownBelow(root, FOLDER)).sort()];
  return Promise.all(paths.map((path) => readDocument(root, path)));
}

/** Empty for a folder that does not exist: a package may omit its documentation. */
async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function markdownBelow(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await markdownBelow(root, path)));
    else if (entry.isFile() && entry.name.endsWith('.md')) found.push(path);
  }
  return found;
}

async function readDocument(root: string, path: string): Promise<Document> {
  const content = await readFile(join(root, path), 'utf8');
  const title = /^# +(\S.*)$/m.exec(content)?.[1]?.trimEnd() ?? null;
  return { path, name: basename(path), title, content };
}
