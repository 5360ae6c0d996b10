import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = 'prompts/assistant';

/** Path of a prompt below the root of the package. */
export const promptPath = (name: string): string => `${FOLDER}/${name}.md`;

/** The prompts of the assistant by name, from the package. */
export async function readPrompts<Name extends string>(
  root: string,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  const read = names.map(async (name) => [name, await readFile(join(root, promptPath(name)), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read)) as Record<Name, string>;
}
