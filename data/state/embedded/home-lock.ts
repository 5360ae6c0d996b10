import { rmSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../../engine/errors.js';
import { makeFolder } from '../../files.js';
import { finishMoves } from '../../home-moves.js';
import { withLock } from '../../lock.js';
import { hasMovesLeft } from '../../moves-left.js';
import { hasEnded, isOfThisKernel, isOfThisNamespace, ownName, processLife } from '../../processes.js';
import { type OwnerSocket, ownBySocket } from './owner-socket.js';

/**
 * Holds a home for this process until `release`. Two processes that open one embedded store destroy
 * it, so age alone never frees a home.
 *
 * A socket in the home says whether a process of this machine has it, also one in another container
 * or namespace. The file `server.lock` names the holder, and decides where a socket cannot: on file
 * systems without sockets, and about a process of another machine, which cannot be checked at all.
 *
 * @throws CONFLICT at once, naming the holder, when a living process or any process of another
 *   machine holds the home
 */
export async function lockHome(home: string): Promise<{ release(): Promise<void> }> {
  await makeFolder(home);
  const path = join(home, 'server.lock');
  const elsewhere = await holderElsewhere(path);
  if (elsewhere !== null) throw inUse(home, path, elsewhere);
  const socket = await ownAfterEnding(home, path);
  if (socket === 'taken') throw inUse(home, path, await namedHolder(path));
  try {
    await withLock(`${path}.guard`, async () => {
      const use = (await holderElsewhere(path)) ?? (await holderHere(path, socket));
      if (use !== null) throw inUse(home, path, use);
      await writeName(path);
    });
  } catch (error) {
    await socket?.close();
    throw error;
  }
  /** For a process that ends before it has released the home: its socket ends with it. */
  const atExit = (): void => rmSync(path, { force: true });
  process.once('exit', atExit);
  const release = async (): Promise<void> => {
    process.off('exit', atExit);
    await rm(path, { force: true });
    await socket?.close();
  };
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

const inUse = (home: string, path: string, holder: string): EngineError =>
  new EngineError('CONFLICT', `${home} is in use by ${holder}`, { path });

async function writeName(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(`${ownName()}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

const nameIn = async (path: string): Promise<string> => (await readFile(path, 'utf8').catch(() => '')).trim();

/** How long the threads of a killed process may take to end. */
const ENDING_MS_MAX = 2_000;
const POLL_MS = 20;

/** A killed process is given the moment that its threads take to end. */
async function passing(pid: number): Promise<void> {
  const deadline = performance.now() + ENDING_MS_MAX;
  while (processLife(pid) === 'ending' && performance.now() < deadline) await sleep(POLL_MS);
}

/** The socket of a killed process ends with its last thread, so that thread is waited for. */
async function ownAfterEnding(home: string, path: string): Promise<OwnerSocket | 'taken' | null> {
  const deadline = performance.now() + ENDING_MS_MAX;
  for (;;) {
    const socket = await ownBySocket(home);
    if (socket !== 'taken' || performance.now() > deadline) return socket;
    const name = await nameIn(path);
    const pid = Number(name.split(' ')[0]);
    if (name === '' || !isOfThisNamespace(name) || processLife(pid) === 'alive') return socket;
    await sleep(POLL_MS);
  }
}

/** Names a holder on another machine for a message, or null. */
async function holderElsewhere(path: string): Promise<string | null> {
  const name = await nameIn(path);
  const [pid = '', , host = 'unknown'] = name.split(' ');
  if (pid === '' || host === hostname() || isOfThisKernel(name)) return null;
  return `process ${pid} of host ${host}; if that host or container is gone or has stopped Barline, remove ${path}`;
}

/** Names a holder on this machine that the socket cannot show, or null. */
async function holderHere(path: string, socket: OwnerSocket | null): Promise<string | null> {
  const name = await nameIn(path);
  const [pid = '', , , place] = name.split(' ');
  // A holder that wrote its place had a socket, where this home can have one.
  if (pid === '' || (socket !== null && place !== undefined)) return null;
  if (!isOfThisNamespace(name)) {
    return `process ${pid} of another process namespace; if it is gone or has stopped Barline, remove ${path}`;
  }
  await passing(Number(pid));
  return hasEnded(name) ? null : `process ${pid} (${path})`;
}

/** The holder for the message when the socket has found it; it may not have written its name yet. */
async function namedHolder(path: string): Promise<string> {
  const name = await nameIn(path);
  const [pid = ''] = name.split(' ');
  if (pid === '') return `another process (${path})`;
  return isOfThisNamespace(name) ? `process ${pid} (${path})` : `process ${pid} of another process namespace (${path})`;
}
