import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { EngineError } from '../engine/errors.js';
import { makeFolder } from './files.js';
import { withLock } from './lock.js';
import { hasEnded, ownName } from './processes.js';

/**
 * A holder touches its lock with every piece of its work. A lock of this age has no living holder.
 */
const STALE_MS = 30 * 60_000;

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
    if (Date.now() - mtimeMs > STALE_MS) return null;
    if (host !== hostname()) return `${pid} of ${host}`;
    if (name === ownName()) return ours.has(path) ? pid : null;
    return hasEnded(name) ? null : pid;
  } catch {
    return null;
  }
}
