import { open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../engine/errors.js';
import { hasEnded, ownName } from './processes.js';

/**
 * A holder touches its lock while it works, so a lock of this age is abandoned, even if its process
 * id is in use again.
 */
const STALE_MS = 30_000;
const TOUCH_MS = 5_000;
const WAIT_MAX_MS = 40_000;
const POLL_MS = 10;

/**
 * Runs `work` while this process alone holds the lock file at `path`. It waits for a living holder
 * and breaks a lock whose process is gone or whose age shows that it is not in use.
 *
 * @param waitMaxMs how long it waits for its turn; by default for work of milliseconds
 * @throws CONFLICT when the lock stays taken
 */
export async function withLock<T>(path: string, work: () => Promise<T>, waitMaxMs = WAIT_MAX_MS): Promise<T> {
  const deadline = Date.now() + waitMaxMs;
  while (!(await tryCreate(path, `${ownName()}\n`))) {
    if (Date.now() > deadline) throw new EngineError('CONFLICT', `${path} is held by another process`, { path });
    if (await isStale(path)) await breakLock(path);
    else await sleep(POLL_MS);
  }
  const touching = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {}); // removed by hand: nothing left to touch
  }, TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    await rm(path, { force: true });
  }
}

/** Removes the locks in `folder` that nobody holds: those of processes that were killed. */
export async function removeStaleLocks(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.lock') && (await isStale(path))) await breakLock(path);
  }
}

async function tryCreate(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(text).finally(() => file.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    if (Date.now() - mtimeMs > STALE_MS) return true;
    return hasEnded(text.trim());
  } catch {
    return false; // released meanwhile
  }
}

/**
 * Of several processes that find a lock stale, only one removes it. Without the second lock, the
 * slower process would remove the lock that the faster one has just taken.
 */
async function breakLock(path: string): Promise<void> {
  const breaker = `${path}.break`;
  if (!(await tryCreate(breaker, ''))) {
    const age = Date.now() - ((await stat(breaker).catch(() => null))?.mtimeMs ?? Date.now());
    if (age > STALE_MS) await rm(breaker, { force: true });
    await sleep(POLL_MS);
    return;
  }
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await rm(breaker, { force: true });
  }
}
