import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = 'prompts/assistant';

/** Path of a prompt below the root of the package. */
export const promptPath = (name: string): string => `${FOLDER}/${name}.md`;

/** A prompt of the assistant, from the package. */
export const readPrompt = (root: string, name: string): Promise<string> =>
  readFile(join(root, promptPath(name)), 'utf8');
