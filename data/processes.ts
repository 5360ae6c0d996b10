import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './outage.js';

/** `ending`: killed, but some of its threads still run for a moment, and may write meanwhile. */
type Life = 'alive' | 'ending' | 'dead';

/**
 * Whether a process may still write. A killed process whose parent does not reap it, as in many
 * containers, keeps its id for ever but can no longer write.
 */
export function processLife(pid: number): Life {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process lives and is another user's.
    if (errorCode(error) !== 'EPERM') return 'dead';
  }
  const stat = readStat(pid);
  if (stat === null || (stat[STATE] !== 'Z' && stat[STATE] !== 'X')) return 'alive';
  return Number(stat[THREAD_COUNT]) > 1 ? 'ending' : 'dead';
}

export const isAlive = (pid: number): boolean => processLife(pid) !== 'dead';

/** Start of a process in clock ticks since boot; null where the system does not say. */
const startTicks = (pid: number): string | null => readStat(pid)?.[START] ?? null;

/** The kernel and the namespace in which a process id means anything; null off Linux. */
function ownPlace(): { readonly boot: string; readonly namespace: string } | null {
  try {
    const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
    return { boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), namespace };
  } catch {
    return null;
  }
}

let place: ReturnType<typeof ownPlace> | undefined;
const knownPlace = (): ReturnType<typeof ownPlace> => {
  if (place === undefined) place = ownPlace();
  return place;
};

/**
 * A name of this process by which others can tell later whether it still runs: its id, its start,
 * its host, and on Linux the boot of the kernel and the namespace of its id.
 */
export function ownName(): string {
  const here = knownPlace();
  const where = here === null ? [] : [`${here.boot}:${here.namespace}`];
  return [process.pid, startTicks(process.pid) ?? '-', hostname(), ...where].join(' ');
}

const placeIn = (name: string): readonly string[] => name.split(' ')[3]?.split(':') ?? [];

/** Whether the named process ran on this kernel, whose containers have several host names. */
export function isOfThisKernel(name: string): boolean {
  const [boot] = placeIn(name);
  return boot !== undefined && boot === knownPlace()?.boot;
}

/** False if the process of this name is one of a container whose processes cannot be seen here. */
export function isOfThisNamespace(name: string): boolean {
  const [boot, namespace] = placeIn(name);
  const here = knownPlace();
  return boot === undefined || here === null || boot !== here.boot || namespace === here.namespace;
}

/**
 * Whether the process of this name has ended for certain. A process of another host or namespace
 * cannot be looked up. The start tells a process from a later one with the same id.
 * @param name as `ownName` gave it, or a text that starts with it
 */
export function hasEnded(name: string): boolean {
  const [pid = '', start, host] = name.split(' ');
  if (host !== hostname() || !/^\d+$/.test(pid) || !isOfThisNamespace(name)) return false;
  if (!isAlive(Number(pid))) return true;
  const actual = startTicks(Number(pid));
  return actual !== null && start !== '-' && actual !== start;
}

/** Fields of proc(5), counted from the field after the name. */
const STATE = 0;
const THREAD_COUNT = 17;
const START = 19;

/** The fields of a process on Linux; null elsewhere, or when there is no such process. */
function readStat(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain blanks and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
