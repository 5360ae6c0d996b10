import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { temporaryFolder } from './temporary-folder.js';

/** The reason to skip tests that need a Redis server; false where one is installed. */
export const noRedis: string | false = isInstalled() ? false : 'Redis is not installed on this machine';

export interface RedisServer {
  readonly url: string;
  /** SIGKILL and a new start, without its former data when `isForgetful`. */
  crash(isForgetful?: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real server on a free port that syncs every write to disk. */
export async function startRedis(): Promise<RedisServer> {
  const folder = temporaryFolder('redis');
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const settings = { port, bind: '127.0.0.1', dir: folder, appendonly: 'yes', appendfsync: 'always', save: '' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const start = () => spawn('redis-server', args, { stdio: 'ignore' });
  let server = start();
  await untilItAnswers(url);
  return {
    url,
    async crash(isForgetful = false) {
      await ended(server, 'SIGKILL');
      if (isForgetful) rmSync(join(folder, 'appendonlydir'), { recursive: true });
      server = start();
      await untilItAnswers(url);
    },
    async stop() {
      await ended(server, 'SIGKILL');
    },
  };
}

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await exit;
}

const START_MS_MAX = 30_000;

async function untilItAnswers(url: string): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 }).on('error', () => {});
  const timeout = sleep(START_MS_MAX, 'late', { ref: false });
  try {
    if ((await Promise.race([client.ping(), timeout])) === 'late') throw new Error('Redis does not answer');
  } finally {
    client.disconnect();
  }
}
