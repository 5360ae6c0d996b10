import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './outage.js';
import { isAlive } from './processes.js';

/**
 * Files appear whole or not at all: a process writes an aside file in the same folder, syncs it,
 * and renames it over the old file. The name of an aside file contains the process id, which tells
 * one left by a crash from one in use.
 */

const asideName = /^\.aside-(\d+)-/;

export const asidePath = (path: string): string =>
  join(dirname(path), `.aside-${process.pid}-${randomUUID().slice(0, 8)}-${basename(path)}`);

/**
 * Makes a folder and those above it that are missing. The recursive `mkdir` of Node never ends where
 * a file system answers that nothing can be made in a folder that exists, as /proc does.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const make = () => mkdir(path, { mode });
  try {
    await make().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      const above = dirname(path);
      if (!(await isFolder(above))) await makeFolder(above, mode);
      await make(); // another process may have made the one above meanwhile
    });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Lets `write` fill an aside file, then renames it to `path`. On failure it leaves no aside file
 * and `path` is unchanged.
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
 * Lets `write` fill an aside file, then links it as `path` unless that file exists. Of two files
 * written under one name the first stays, so a reader never finds another. An existing file is
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
 * Creates a small file together with its text, so that a process killed meanwhile leaves none without
 * it. False when the file exists.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  const aside = asidePath(path);
  try {
    await writeFile(aside, text);
    await link(aside, path).catch((error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.includes(error.code ?? '')) throw error;
      return writeFile(path, text, { flag: 'wx' }); // in two steps, which is all that such a file system has
    });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** What file systems without links answer. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/**
 * True when `path` exists now, as the aside file or as an earlier one; false where the file system
 * has no links.
 */
async function isLinked(aside: string, path: string): Promise<boolean> {
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? '';
    // Try again if it was just removed.
    if (code === 'EEXIST') return (await markUsed(path)) || isLinked(aside, path);
    if (NO_LINKS.includes(code)) return false;
    throw error;
  }
}

/**
 * Sets the modification time of a file to now, so that it does not look unused; false when there is
 * no such file.
 */
export async function markUsed(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
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
  // Some systems open no folders; the rename is atomic there too.
  const folder = await open(path, 'r').catch(() => null);
  if (folder === null) return;
  try {
    await folder.sync();
  } catch {
    // some systems cannot sync a folder either
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
