import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../engine/errors.js';
import { ApiError, RpcClient } from '../rpc/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import type { Installation } from './compose.js';
import { boundHeapGrowth } from './heap-growth.js';
import { createObserver, logTo, logToFile } from './observe.js';
import { withOperator } from './operate.js';
import { addressesBehind, doorPath, hasDoor, operatorBehind } from './operator-door.js';
import { type RunningService, type ServiceOptions, startService } from './start.js';

/** The service as a program of this machine reaches it. */
export interface LocalService {
  /** `host:port` of gRPC. */
  readonly address: string;
  /** An API key of the operator. */
  readonly key: string;
  close(): Promise<void>;
}

/** A service that is starting opens its door some seconds later, and one that ends closes its store. */
const WAIT_MS_MAX = 15_000;
const POLL_MS = 200;

/**
 * The service of this home: the one that has its store open, or else a new one in this process,
 * with gRPC on a free port of this machine and the workers.
 * @throws EngineError CONFLICT if another process has the store open and cannot be reached
 */
export async function openLocalService(
  installation: Installation,
  config: ServiceConfig,
  options: LocalServiceOptions = {},
): Promise<LocalService> {
  const untilMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const reached = (await started(installation, config, options)) ?? (await running(config));
    if (reached !== null) {
      const { address, stop } = reached;
      try {
        return { address, key: await keyFor(address, config), close: stop };
      } catch (error) {
        await stop();
        throw error;
      }
    }
    if (performance.now() >= untilMs) {
      const path = config.BARLINE_HOME;
      throw new EngineError('CONFLICT', `${path} is in use by another process, which cannot be reached`, { path });
    }
    await delay(POLL_MS);
  }
}

export interface LocalServiceOptions extends Pick<ServiceOptions, 'workAfterMs'> {
  /** Where a new service logs; default: standard error. */
  readonly logFile?: string;
}

interface Reached {
  readonly address: string;
  stop(): Promise<void>;
}

/** Null if another process has the embedded store open. */
async function started(
  { version, packageRoot }: Installation,
  config: ServiceConfig,
  { logFile, ...options }: LocalServiceOptions,
): Promise<Reached | null> {
  boundHeapGrowth();
  // A client shows every line.
  const level = config.BARLINE_LOG_LEVEL === 'info' ? 'warn' : config.BARLINE_LOG_LEVEL;
  const log = logFile === undefined ? logTo(config.BARLINE_LOG_FORMAT, process.stderr) : logToFile(logFile);
  const observer = createObserver(level, version, log);
  const { BARLINE_METRICS_PORT: _, ...own } = config;
  const settings = { ...own, BARLINE_RPC_HOST: '127.0.0.1', BARLINE_RPC_PORT: 0 };
  let service: RunningService;
  try {
    const parts = ['rpc', 'worker'] as const;
    service = await startService({ config: settings, version, packageRoot, observer, parts, ...options });
  } catch (error) {
    const isInUse = error instanceof EngineError && error.code === 'CONFLICT' && config.DATABASE_URL === undefined;
    if (isInUse) return null;
    throw error;
  }
  return { address: service.rpcAddress ?? '', stop: () => service.stop() };
}

/** The service behind the door of a home; null where none answers there. */
async function running({ BARLINE_HOME: home }: ServiceConfig): Promise<Reached | null> {
  const door = doorPath(home);
  const address = (await hasDoor(door))
    ? await addressesBehind(door).then(
        ({ rpc }) => rpc,
        () => null,
      )
    : null;
  return address === null ? null : { address: address.replace(/^0\.0\.0\.0:/, '127.0.0.1:'), stop: async () => {} };
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
      ? await operatorBehind(doorPath(config.BARLINE_HOME)).createKey(OWNER, KEY_NAME)
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
