import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceFile } from './files.js';
import { hasMovesLeft, JOURNAL, RESTORE } from './moves-left.js';

/** Names below the home. */
interface Moves {
  /** Folder of the restore, which is removed in the end. */
  readonly aside: string;
  /** Where the former content goes; null for a target that does not exist yet. */
  readonly former: string | null;
  readonly leaving: readonly string[];
  /** By name in the home: where in `aside` it lies. */
  readonly coming: Readonly<Record<string, string>>;
}

/**
 * Moves the former content of a home out and the restored one in. The moves are written down first:
 * after a kill between two of them, the next process that locks the home finishes the others.
 */
export async function moveIn(home: string, moves: Moves): Promise<void> {
  await replaceFile(join(home, JOURNAL), (path) => writeFile(path, JSON.stringify(moves)));
  await finishMoves(home);
}

/** Does what a killed restore has left to do, if there was one. The caller holds the home. */
export async function finishMoves(home: string): Promise<void> {
  if (!hasMovesLeft(home)) return;
  const moves = JSON.parse(await readFile(join(home, JOURNAL), 'utf8')) as Moves;
  const aside = join(home, moves.aside);
  if (moves.former !== null) {
    const former = join(home, moves.former);
    await makeFolder(former, 0o700);
    for (const name of moves.leaving) {
      // Once it is there, what has its name in the home is the new one.
      const isMoved = existsSync(join(former, name));
      if (!isMoved) await rename(join(home, name), join(former, name)).catch(unlessGone);
    }
  }
  for (const [name, from] of Object.entries(moves.coming)) {
    await rename(join(aside, from), join(home, name)).catch(unlessGone);
  }
  await rm(join(home, JOURNAL), { force: true });
  await rm(aside, { recursive: true, force: true });
}

/** It was moved before. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Removes what restores that were killed have unpacked. The caller holds the home. */
export async function removeUnpacked(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(RESTORE) && name !== JOURNAL) await rm(join(home, name), { recursive: true, force: true });
  }
}
