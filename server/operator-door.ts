import { chmod, lstat, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { readLines } from '../data/backup/index.js';
import { sha256 } from '../data/hashes/index.js';
import { type EngineCode, EngineError } from '../engine/errors.js';
import type { ListedOperatorKey, Operator } from './operator.js';

/**
 * The door of an embedded store: while a service has it open, commands of the same user reach it
 * through a socket of the file system. Its file is open to that user only, as the store is.
 */

/** Longest path that every system allows for a socket. */
const PATH_BYTES_MAX = 100;

export function doorPath(home: string): string {
  const path = join(home, 'operator.sock');
  return Buffer.byteLength(path) <= PATH_BYTES_MAX ? path : join(tmpdir(), `barline-${sha256(home).slice(0, 24)}.sock`);
}

/**
 * Opens the door; the store's lock says that no other process has it open.
 * @param addresses where the servers of this process answer
 */
export async function openDoor(
  home: string,
  operator: Operator,
  addresses: () => Addresses,
): Promise<() => Promise<void>> {
  const path = doorPath(home);
  await rm(path, { force: true }); // left by a process that was killed
  const server = createServer((asked, response) => {
    answer({ operator, addresses }, asked, response).catch(() => response.destroy());
  });
  const mask = process.umask(0o177); // from its first moment
  try {
    await listening(server, path);
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(path, { force: true });
  };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });

/** Of the servers of a process; null for one that is not up. */
interface Addresses {
  /** `host:port` of gRPC. */
  readonly rpc: string | null;
  /** `http://host:port` of REST. */
  readonly origin: string | null;
}

interface Inside {
  readonly operator: Operator;
  readonly addresses: () => Addresses;
}

async function answer(
  { operator, addresses }: Inside,
  asked: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (asked.url === '/dump') {
    const withEnds = async function* (): AsyncGenerator<string> {
      for await (const line of operator.dump()) yield `${line}\n`;
    };
    await pipeline(Readable.from(withEnds()), response);
    return;
  }
  try {
    const body = (await json(asked)) as { email?: string; name?: string; key?: string };
    const send = (value: unknown) => response.end(JSON.stringify(value));
    if (asked.url === '/keys/create') send(await operator.createKey(body.email ?? '', body.name ?? ''));
    else if (asked.url === '/keys/list') send(await operator.listKeys());
    else if (asked.url === '/keys/revoke') send(await operator.revokeKey(body.key ?? ''));
    else if (asked.url === '/one-time-token') send(await operator.createOneTimeToken());
    else if (asked.url === '/addresses') send(addresses());
    else throw new EngineError('NOT_FOUND', `the running service knows no ${asked.url}: it is of another version`);
  } catch (error) {
    const { code, message } = error as EngineError;
    response.statusCode = 400;
    response.end(JSON.stringify({ code, message }));
  }
}

/** The operator of the store that another process of this machine has open. */
export function operatorBehind(path: string): Operator {
  return {
    createKey: (email, name) => ask<string>(path, '/keys/create', { email, name }),
    createOneTimeToken: () => ask<string>(path, '/one-time-token', {}),
    listKeys: () => ask<readonly ListedOperatorKey[]>(path, '/keys/list', {}),
    revokeKey: (key) => ask<ListedOperatorKey>(path, '/keys/revoke', { key }),
    async *dump() {
      const response = await send(path, '/dump', {});
      yield* readLines(response);
      if (!response.complete) throw new Error('the service ended before it had given all of its state');
    },
  };
}

/** The fragment of an address stays in the browser: no server and no log sees the token. */
export const workbenchAddress = (origin: string, token: string): string => `${origin}/#token=${token}`;

/** Where the servers of the process behind a door answer. */
export const addressesBehind = (path: string): Promise<Addresses> => ask(path, '/addresses', {});

async function ask<T>(path: string, url: string, body: object): Promise<T> {
  const response = await send(path, url, body);
  const value = await json(response);
  if (response.statusCode === 200) return value as T;
  const { code, message } = value as { code: EngineCode; message: string };
  throw code === undefined ? new Error(message) : new EngineError(code, message);
}

const send = (socketPath: string, path: string, body: object): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({ socketPath, path, method: 'POST' }, resolve).once('error', reject).end(JSON.stringify(body));
  });

/** Whether a door of this user is there; a service that was killed leaves its file. */
export async function hasDoor(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isSocket() === true && (process.getuid === undefined || found.uid === process.getuid());
}
