import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../engine/errors.js';
import { createFile, makeFolder } from './files.js';
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
  while (!(await tryCreate(path))) {
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

/** Marks the lock that a process holds while it removes the lock of another one. */
const BREAK = '.break';

/**
 * Removes the locks in `folder` that no process holds, since their processes were killed, be it
 * while they removed the lock of another one.
 */
export async function removeStaleLocks(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((each) => each.endsWith(`.lock${BREAK}`))) {
    if (await isStale(join(folder, name))) await rm(join(folder, name), { force: true });
  }
  for (const name of names.filter((each) => each.endsWith('.lock'))) {
    if (await isStale(join(folder, name))) await breakLock(join(folder, name));
  }
}

/** Looks first: a process that waits asks a hundred times a second. */
async function tryCreate(path: string): Promise<boolean> {
  return !existsSync(path) && createFile(path, `${ownName()}\n`);
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
  const breaker = `${path}${BREAK}`;
  if (!(await tryCreate(breaker))) {
    if (await isStale(breaker)) await rm(breaker, { force: true });
    await sleep(POLL_MS);
    return;
  }
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await rm(breaker, { force: true });
  }
}

/**
 * A holder touches its lock with every piece of its work. A lock of this age has no living holder.
 */
const HOLD_STALE_MS = 30 * 60_000;

/**
 * Locks of this process. After a restart, a lock file can contain our process id and still be
 * another's.
 */
const ours = new Set<string>();

export interface Hold {
  /** Marks the holder as alive. */
  touch(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Holds the lock file at `path` for as long as a fetch or a sweep takes, which may be hours
 * (`withLock` is for milliseconds).
 *
 * @param work what the holder does, for the message to the second process: `fetching the same bars`
 * @throws CONFLICT at once when a living process holds the lock
 */
export async function takeHold(path: string, work: string): Promise<Hold> {
  await makeFolder(dirname(path));
  await withLock(`${path}.guard`, async () => {
    const holder = await livingHolder(path);
    if (holder !== null) {
      const message = `process ${holder} is ${work} (${path}; remove that file if it is not)`;
      throw new EngineError('CONFLICT', message, { path });
    }
    await writeFile(path, `${ownName()}\n`);
    ours.add(path);
  });
  return {
    async touch() {
      const now = new Date(Date.now());
      await utimes(path, now, now).catch(() => {}); // removed by hand: nothing left to touch
    },
    async release() {
      ours.delete(path);
      await rm(path, { force: true });
    },
  };
}

async function livingHolder(path: string): Promise<string | null> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const name = text.trim();
    const [pid = '', , host = 'an unknown host'] = name.split(' ');
    if (Date.now() - mtimeMs > HOLD_STALE_MS) return null;
    if (host !== hostname()) return `${pid} of ${host}`;
    if (name === ownName()) return ours.has(path) ? pid : null;
    return hasEnded(name) ? null : pid;
  } catch {
    return null;
  }
}
