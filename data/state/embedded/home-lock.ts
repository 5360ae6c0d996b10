import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../../engine/errors.js';
import { finishMoves } from '../../home-moves.js';
import { withLock } from '../../lock.js';
import { hasMovesLeft } from '../../moves-left.js';
import { hasEnded, lifeOf, ownName } from '../../processes.js';

/**
 * Holds `server.lock` of a home for this process until `release`. Two processes that open one
 * embedded store destroy it, so age alone never frees the lock: only the end of the process it
 * names does. The start time in the lock tells that process from a later one with the same id. A
 * process of another host cannot be checked, and a wrong guess would destroy the store.
 *
 * @throws CONFLICT at once, naming the holder, when a living process or any process of another host
 *   holds the lock
 */
export async function lockHome(home: string): Promise<{ release(): Promise<void> }> {
  await mkdir(home, { recursive: true });
  const path = join(home, 'server.lock');
  await withLock(`${path}.guard`, async () => {
    const use = await useOf(path);
    if (use !== null) throw new EngineError('CONFLICT', `${home} is in use by ${use}`, { path });
    const file = await open(path, 'w');
    try {
      await file.writeFile(`${ownName()}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  });
  const release = () => rm(path, { force: true });
  try {
    await finishMoves(home);
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/**
 * Finishes a restore of this home that was killed, before anything is read from it.
 * @throws CONFLICT while the restore is at work
 */
export async function settleHome(home: string): Promise<void> {
  if (hasMovesLeft(home)) await (await lockHome(home)).release();
}

/** How long the threads of a killed process may take to end. */
const ENDING_MS_MAX = 2_000;
const POLL_MS = 20;

/** A killed process is given the moment that its threads take to end. */
async function passing(pid: number): Promise<void> {
  const deadline = performance.now() + ENDING_MS_MAX;
  while (lifeOf(pid) === 'ending' && performance.now() < deadline) await sleep(POLL_MS);
}

/** The holder of the lock, as text for a message; null when the lock is free. */
async function useOf(path: string): Promise<string | null> {
  const name = (await readFile(path, 'utf8').catch(() => '')).trim();
  const [pid = '', , host = 'unknown'] = name.split(' ');
  if (pid === '') return null;
  if (host !== hostname()) {
    return `process ${pid} of host ${host}; if that host or container is gone or has stopped Barline, remove ${path}`;
  }
  await passing(Number(pid));
  return hasEnded(name) ? null : `process ${pid} (${path})`;
}
