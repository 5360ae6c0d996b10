import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../../engine/errors.js';
import { isAlive } from '../../files.js';
import { withLock } from '../../lock.js';

/**
 * Holds `server.lock` of a home for this process until `release`. Two processes that open one embedded store destroy it, so
 * age alone never frees the lock: only the end of the process it names does, told apart by its start from a later process of
 * the same id.
 *
 * @throws CONFLICT at once, naming the holder, when a living process has it
 */
export async function lockHome(home: string): Promise<{ release(): Promise<void> }> {
  await mkdir(home, { recursive: true });
  const path = join(home, 'server.lock');
  await withLock(`${path}.guard`, async () => {
    const holder = await livingHolder(path);
    if (holder !== null) {
      throw new EngineError('CONFLICT', `${home} is in use by process ${holder} (${path})`, { path });
    }
    const file = await open(path, 'w');
    try {
      await file.writeFile(`${process.pid} ${(await startOf(process.pid)) ?? '-'} ${hostname()}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  });
  return { release: () => rm(path, { force: true }) };
}

async function livingHolder(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [pid = '', start, host] = text.trim().split(' ');
  if (pid === '') return null;
  if (host !== hostname()) return `${pid} of ${host}`; // it cannot be asked, and guessing wrong would cost the store
  if (!isAlive(Number(pid))) return null;
  const actual = await startOf(Number(pid));
  return actual === null || start === '-' || actual === start ? pid : null;
}

/** Start of a process in clock ticks since boot; null where the system does not say. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name may hold blanks and parentheses
  return afterName[19] ?? null;
}
