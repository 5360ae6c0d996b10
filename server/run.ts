import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { isSettledWithin } from '../data/settled-within.js';
import { redacted, type ServiceConfig } from '../service/settings/index.js';
import type { Installation } from './compose.js';
import { boundHeapGrowth } from './heap-growth.js';
import { createObserver, keepServing, logTo } from './observe.js';
import { type RunningService, type ServicePart, startService } from './start.js';

/** Time for the last spans to be sent, in ms. */
const LAST_MS = 500;

/** Time for the last lines of the log, after which open connections end with the process. */
const EXIT_MS = 100;

/** Time from the end of the drain to the kill of a process that does not end by itself. */
const KILL_MS = 8_000;

interface Surroundings extends Installation {
  /** Variables that are named like settings and are none: the log names them. */
  unknownVariables(): Promise<readonly string[]>;
}

/**
 * Runs the parts until a signal ends the process. `announce` tells the user, in addition to the
 * log, what has started.
 */
export async function runService(
  { version, packageRoot, unknownVariables }: Surroundings,
  config: ServiceConfig,
  parts: readonly ServicePart[],
  announce: (service: RunningService) => void | Promise<void>,
): Promise<void> {
  boundHeapGrowth();
  const observer = createObserver(config.BARLINE_LOG_LEVEL, version, logTo(config.BARLINE_LOG_FORMAT, process.stdout));
  observer.log.info({ settings: redacted(config), parts }, 'starting');
  for (const unknown of await unknownVariables()) observer.log.warn(`${unknown} (ignored)`);
  const endTraces =
    config.BARLINE_TRACES === 'otlp' ? await (await import('./traces.js')).startTraces(version) : async () => {};
  const service = await startService({ config, version, packageRoot, observer, parts });
  keepServing(observer.recordUncaught);
  await announce(service);
  const signal = await firstSignal();
  observer.log.info({ signal }, 'stopping');
  service.drain();
  killAfter(config.BARLINE_DRAIN_MS + KILL_MS);
  await delay(config.BARLINE_DRAIN_MS);
  await service.stop();
  await isSettledWithin(LAST_MS, endTraces());
  observer.log.info('stopped');
  setTimeout(() => process.exit(), EXIT_MS).unref(); // even if a database does not answer
}

/** Kills the process from a thread of its own: the main one may be blocked. */
function killAfter(ms: number): void {
  const script = "setTimeout(() => process.kill(process.pid, 'SIGKILL'), require('node:worker_threads').workerData)";
  new Worker(script, { eval: true, workerData: ms, execArgv: [] }).unref();
}

/**
 * Resolves with the first signal. A second signal ends the process at once, as it has no listener.
 */
const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
