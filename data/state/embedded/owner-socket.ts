import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../outage.js';

/*
 * Each process that wants a home listens on a socket of its own in it, under a name that is never
 * used again. The kernel ends the socket with the process and its last thread, and finds it by its
 * file, so a process in another container or namespace sees whether the owner lives, where a
 * process id says nothing.
 */

/** `owner`: it has the home. `candidate`: it has a socket, and looks for the sockets of others. */
type Stage = 'owner' | 'candidate';

export interface OwnerSocket {
  close(): Promise<void>;
}

const socketName = /^owner-[\da-f-]+\.sock$/;
/** Longest path that every system allows for a socket. */
const PATH_BYTES_MAX = 100;
/** A process that does not say its stage in this time, because it is busy, counts as the owner. */
const STAGE_MS_MAX = 1_000;
/** Rounds after which two processes that always meet as candidates give up. */
const ROUNDS_MAX = 50;
const PAUSE_MS_MAX = 40;

/** Codes of a file system on which no socket can be made. */
const noSockets: ReadonlySet<string> = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EACCES', 'EINVAL', 'ENOSYS']);

/**
 * Makes this process the only owner of a home on this machine.
 * @returns `taken` when a living process owns it; null where the home cannot hold a socket
 */
export async function ownBySocket(home: string): Promise<OwnerSocket | 'taken' | null> {
  const folder = await openFolder(home);
  if (folder === null) return null;
  let isKept = false;
  try {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const own = await listen(folder.path);
      if (own === null) return null;
      // Both of two processes listen before they look, so at least one of them sees the other.
      const other = await livingOther(folder.path, own.name);
      if (other === null) {
        own.become('owner');
        isKept = true;
        return { close: () => own.close().finally(() => folder.close()) };
      }
      await own.close();
      if (other === 'owner') return 'taken';
      await sleep(Math.random() * PAUSE_MS_MAX);
    }
    return 'taken';
  } finally {
    if (!isKept) await folder.close();
  }
}

interface Folder {
  readonly path: string;
  close(): Promise<void>;
}

/** The folder under a path that is short enough; null where there is none. */
async function openFolder(home: string): Promise<Folder | null> {
  const room = Buffer.byteLength(`/owner-${randomUUID()}.sock.new`);
  if (Buffer.byteLength(home) + room <= PATH_BYTES_MAX) return { path: home, close: async () => {} };
  if (process.platform !== 'linux') return null;
  const handle: FileHandle = await open(home, 'r');
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}

async function listen(folder: string) {
  const name = `owner-${randomUUID()}.sock`;
  const path = `${folder}/${name}`;
  let stage: Stage = 'candidate';
  const server = createServer((asker) => {
    asker.on('error', () => {}); // it need not wait for the answer
    asker.end(stage);
  });
  try {
    // Under its final name the socket listens from its first moment: one that does not is dead.
    await listening(server, `${path}.new`);
    await rename(`${path}.new`, path);
  } catch (error) {
    server.close();
    if (noSockets.has(errorCode(error) ?? '')) return null;
    throw error;
  }
  server.unref();
  return {
    name,
    become(next: Stage) {
      stage = next;
    },
    async close() {
      await rm(path, { force: true });
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });

/** The stage of a living process with a socket in the folder. Removes the sockets of dead ones. */
async function livingOther(folder: string, own: string): Promise<Stage | null> {
  const names = (await readdir(folder)).filter((name) => socketName.test(name) && name !== own);
  const stages = await Promise.all(
    names.map(async (name) => {
      const stage = await askStage(`${folder}/${name}`);
      if (stage === null) await rm(`${folder}/${name}`, { force: true });
      return stage;
    }),
  );
  return stages.find((stage) => stage === 'owner') ?? stages.find((stage) => stage !== null) ?? null;
}

/** Null when no process listens any more. */
const askStage = (path: string): Promise<Stage | null> =>
  new Promise((resolve) => {
    let said = '';
    const asker = connect(path).setEncoding('utf8').setTimeout(STAGE_MS_MAX);
    const answered = (stage: Stage | null): void => {
      resolve(stage);
      asker.destroy();
    };
    asker.on('data', (text) => {
      said += text;
    });
    asker.on('end', () => answered(said === 'candidate' ? 'candidate' : 'owner'));
    asker.on('timeout', () => answered('owner'));
    asker.on('error', ({ code }: NodeJS.ErrnoException) => {
      // A full queue of connections, or a connection that broke off, shows a living process.
      answered(code === 'ECONNREFUSED' || code === 'ENOENT' ? null : 'owner');
    });
  });
