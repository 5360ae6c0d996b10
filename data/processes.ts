import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** `ending`: killed, but some of its threads still run for a moment, and may write meanwhile. */
type Life = 'alive' | 'ending' | 'dead';

/**
 * Whether a process may still write. A killed process whose parent does not reap it, as in many
 * containers, keeps its id for ever but can no longer write.
 */
export function lifeOf(pid: number): Life {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process lives and is another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'dead';
  }
  const stat = statOf(pid);
  if (stat === null || (stat[STATE] !== 'Z' && stat[STATE] !== 'X')) return 'alive';
  return Number(stat[THREAD_COUNT]) > 1 ? 'ending' : 'dead';
}

export const isAlive = (pid: number): boolean => lifeOf(pid) !== 'dead';

/** Start of a process in clock ticks since boot; null where the system does not say. */
const startOf = (pid: number): string | null => statOf(pid)?.[START] ?? null;

/** A name of this process by which others can tell later whether it still runs. */
export const ownName = (): string => `${process.pid} ${startOf(process.pid) ?? '-'} ${hostname()}`;

/**
 * Whether the process of this name has ended for certain. A process of another host cannot be
 * looked up. The start tells a process from a later one with the same id.
 * @param name as `ownName` gave it, or a text that starts with it
 */
export function hasEnded(name: string): boolean {
  const [pid = '', start, host] = name.split(' ');
  if (host !== hostname() || !/^\d+$/.test(pid)) return false;
  if (!isAlive(Number(pid))) return true;
  const actual = startOf(Number(pid));
  return actual !== null && start !== '-' && actual !== start;
}

/** Fields of proc(5), counted from the field after the name. */
const STATE = 0;
const THREAD_COUNT = 17;
const START = 19;

/** The fields of a process on Linux; null elsewhere, or when there is no such process. */
function statOf(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain blanks and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
