import { readFileSync } from 'node:fs';

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
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'dead'; // EPERM: alive, but another user's
  }
  const stat = statOf(pid);
  if (stat === null || (stat[STATE] !== 'Z' && stat[STATE] !== 'X')) return 'alive';
  return Number(stat[THREAD_COUNT]) > 1 ? 'ending' : 'dead';
}

export const isAlive = (pid: number): boolean => lifeOf(pid) !== 'dead';

/** Start of a process in clock ticks since boot; null where the system does not say. */
export const startOf = (pid: number): string | null => statOf(pid)?.[START] ?? null;

/** Fields of proc(5), counted from the field after the name. */
const STATE = 0;
const THREAD_COUNT = 17;
const START = 19;

/** The fields of a process on Linux; null elsewhere, or when there is no such process. */
function statOf(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name may contain blanks and parentheses
  } catch {
    return null;
  }
}
