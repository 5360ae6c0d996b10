import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../engine/errors.js';
import { ApiError, RpcClient } from '../rpc/index.js';
import type { Installation } from './compose.js';
import type { ServiceConfig } from './config.js';
import { boundHeapGrowth } from './heap-growth.js';
import { createObserver, logTo } from './observe.js';
import { withOperator } from './operate.js';
import { doorOf, hasDoor, operatorBehind, rpcAddressBehind } from './operator-door.js';
import { type RunningService, startService } from './start.js';

/** The service as a program of this machine reaches it. */
export interface LocalService {
  /** `host:port` of gRPC. */
  readonly address: string;
  /** An API key of the operator. */
  readonly key: string;
  close(): Promise<void>;
}

/**
 * The service of this home: the one that has its store open, or else a new one in this process,
 * with gRPC on a free port of this machine and the workers. It logs to standard error.
 * @throws EngineError CONFLICT if another process has the store open and cannot be reached
 */
export async function openLocalService(installation: Installation, config: ServiceConfig): Promise<LocalService> {
  const { address, stop } = (await started(installation, config)) ?? (await running(config));
  try {
    return { address, key: await keyFor(address, config), close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Reached {
  readonly address: string;
  stop(): Promise<void>;
}

/** Null if another process has the embedded store open. */
async function started({ version, packageRoot }: Installation, config: ServiceConfig): Promise<Reached | null> {
  boundHeapGrowth();
  // A client shows every line.
  const level = config.BARLINE_LOG_LEVEL === 'info' ? 'warn' : config.BARLINE_LOG_LEVEL;
  const observer = createObserver(level, version, logTo(config.BARLINE_LOG_FORMAT, process.stderr));
  const { BARLINE_METRICS_PORT: _, ...own } = config;
  const settings = { ...own, BARLINE_RPC_HOST: '127.0.0.1', BARLINE_RPC_PORT: 0 };
  let service: RunningService;
  try {
    const parts = ['rpc', 'worker'] as const;
    service = await startService({ config: settings, version, packageRoot, observer, parts });
  } catch (error) {
    const isInUse = error instanceof EngineError && error.code === 'CONFLICT' && config.DATABASE_URL === undefined;
    if (isInUse) return null;
    throw error;
  }
  return { address: service.rpcAddress ?? '', stop: () => service.stop() };
}

/** A service that is starting opens its door some seconds later. */
const DOOR_MS_MAX = 15_000;
const DOOR_POLL_MS = 200;

async function running({ BARLINE_HOME: home }: ServiceConfig): Promise<Reached> {
  const door = doorOf(home);
  const untilMs = performance.now() + DOOR_MS_MAX;
  for (;;) {
    const address = (await hasDoor(door)) ? await rpcAddressBehind(door).catch(() => null) : null;
    if (address !== null) return { address: address.replace(/^0\.0\.0\.0:/, '127.0.0.1:'), stop: async () => {} };
    if (performance.now() >= untilMs) {
      throw new EngineError('CONFLICT', `${home} is in use by another process, which cannot be reached`, {
        path: home,
      });
    }
    await delay(DOOR_POLL_MS);
  }
}

const OWNER = 'operator@localhost';
const KEY_NAME = 'mcp';
/** Like the store, only its user can read it. */
const OWNER_ONLY = 0o600;

/** The key that is kept in the home, or a new one where that no longer works. */
async function keyFor(address: string, config: ServiceConfig): Promise<string> {
  const file = join(config.BARLINE_HOME, 'mcp.key');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (kept !== '' && (await isAccepted(address, kept))) return kept;
  const key =
    config.DATABASE_URL === undefined
      ? await operatorBehind(doorOf(config.BARLINE_HOME)).createKey(OWNER, KEY_NAME)
      : await withOperator(config, (operator) => operator.createKey(OWNER, KEY_NAME));
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, `${key}\n`, { mode: OWNER_ONLY });
  await rename(aside, file);
  return key;
}

async function isAccepted(address: string, key: string): Promise<boolean> {
  const client = new RpcClient(address);
  try {
    await client.call('Auth.GetProfile', {}, { authorization: `Bearer ${key}` });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'AUTH_REQUIRED') return false;
    throw error;
  } finally {
    client.close();
  }
}
