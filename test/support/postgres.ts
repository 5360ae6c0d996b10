import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.js';
import { temporaryFolder } from './temporary-folder.js';

/** Where packages install the server, whose folder is not on the path. */
const packaged = '/usr/lib/postgresql';
const folders = existsSync(packaged)
  ? readdirSync(packaged)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(packaged, version, 'bin'))
  : [];
const bin = [...folders, '/usr/local/bin', '/usr/bin'].find((folder) => existsSync(join(folder, 'initdb')));

/** The reason to skip tests that need a PostgreSQL server; false where one is installed. */
export const noPostgres: string | false = bin === undefined ? 'PostgreSQL is not installed on this machine' : false;

export interface PostgresServer {
  /** `postgres://…` of a new, empty database. */
  newDatabase(): Promise<string>;
  /** SIGKILL of all its processes, and a new start on what is left. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const START_MS_MAX = 30_000;

/**
 * Starts a real server on a free port. Under root it runs as another user, because it refuses to
 * run as root.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = temporaryFolder('postgres');
  const user = process.getuid?.() === 0 ? unprivileged() : null;
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const as = user ?? {};
  const data = join(folder, 'data');
  execFileSync(join(bin ?? '', 'initdb'), ['-D', data, '-U', 'barline', '-A', 'trust', '--no-sync', '-E', 'UTF8'], {
    ...as,
    cwd: folder,
    stdio: 'ignore',
  });
  const port = await freePort();
  const start = () =>
    spawn(
      join(bin ?? '', 'postgres'),
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off'],
      {
        ...as,
        cwd: folder,
        stdio: 'ignore',
        detached: true, // a group of its own, to be killed together
      },
    );
  let server = start();
  const url = (database: string) => `postgres://barline@127.0.0.1:${port}/${database}`;
  await untilItAnswers(url('postgres'), server);
  /** The server refuses to start while a killed process of it still holds the shared memory. */
  const restart = async (): Promise<void> => {
    const deadline = Date.now() + START_MS_MAX;
    for (;;) {
      server = start();
      try {
        await untilItAnswers(url('postgres'), server);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(50);
      }
    }
  };
  let databases = 0;
  return {
    async newDatabase() {
      const name = `test_${databases++}`;
      await statement(url('postgres'), `create database ${name}`);
      return url(name);
    },
    async crash() {
      const ended = once(server, 'exit');
      process.kill(-(server.pid ?? 0), 'SIGKILL');
      await ended;
      await restart();
    },
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        const ended = once(server, 'exit');
        server.kill('SIGINT'); // fast shutdown: does not wait for clients
        await ended;
      }
    },
  };
}

function unprivileged(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = users.find((each) => each.startsWith('postgres:')) ?? users.find((each) => each.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS_MAX;
  for (;;) {
    try {
      await statement(url, 'select 1');
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await sleep(50); // no event to wait for: the server is another program
    }
  }
}

async function statement(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
