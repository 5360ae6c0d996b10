import { randomUUID } from 'node:crypto';
import { link, open, readdir, rename, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './processes.js';

/**
 * Files appear whole or not at all: they are written aside in the same folder, synced, and renamed
 * over the old file. An aside file names the process that writes it, so one that a crash left
 * behind can be told from one in use.
 */

const asideName = /^\.aside-(\d+)-/;

export const asidePath = (path: string): string =>
  join(dirname(path), `.aside-${process.pid}-${randomUUID().slice(0, 8)}-${basename(path)}`);

/**
 * Lets `write` fill an aside file, then puts it in place of `path`. On failure nothing is left and
 * `path` is as it was.
 */
export async function replaceFile(path: string, write: (aside: string) => Promise<void>): Promise<void> {
  const aside = asidePath(path);
  try {
    await write(aside);
    await putInPlace(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/**
 * Lets `write` fill an aside file, then gives it the name `path`, unless a file has it: of two that
 * are written under one name the first is kept, so that whoever reads it never finds another. It is
 * marked as used.
 */
export async function addFile(path: string, write: (aside: string) => Promise<void>): Promise<void> {
  const aside = asidePath(path);
  try {
    await write(aside);
    await syncFile(aside);
    if (await isLinked(aside, path)) await syncFolder(dirname(path));
    else await putInPlace(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

/**
 * True when `path` is a file now, the aside one or one that was there; false where the system knows
 * no links.
 */
async function isLinked(aside: string, path: string): Promise<boolean> {
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return (await markUsed(path)) || isLinked(aside, path); // again where it is gone meanwhile
    if (['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(code ?? '')) return false;
    throw error;
  }
}

/**
 * Sets the time of a file to now, so that it is not taken for one that nobody needs any more; false
 * where there is none.
 */
export async function markUsed(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Syncs a complete aside file and renames it to `path`, durably. */
export async function putInPlace(aside: string, path: string): Promise<void> {
  await syncFile(aside);
  await rename(aside, path);
  await syncFolder(dirname(path));
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null); // some systems do not open folders; the rename is still atomic
  if (folder === null) return;
  try {
    await folder.sync();
  } catch {
    // nor do all of them sync one
  } finally {
    await folder.close();
  }
}

/** Removes aside files whose process is gone. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = asideName.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}
