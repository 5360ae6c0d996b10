import type { Installation } from './compose.js';
import { redacted, type ServiceConfig } from './config.js';
import { createObserver } from './observe.js';
import { type RunningService, type ServicePart, startService } from './start.js';

/** How long after the service the process may go on, in ms. */
const LAST_MS = 500;

/**
 * Runs the parts until the process is told to end. `announce` tells the user what has started,
 * beside the log.
 */
export async function runService(
  { version, packageRoot }: Installation,
  config: ServiceConfig,
  parts: readonly ServicePart[],
  announce: (service: RunningService) => void,
): Promise<void> {
  const observer = createObserver(config.BARLINE_LOG_LEVEL, version);
  observer.log.info({ settings: redacted(config), parts }, 'starting');
  const service = await startService({ config, version, packageRoot, observer, parts });
  announce(service);
  const signal = await firstSignal();
  observer.log.info({ signal }, 'stopping');
  await service.stop();
  observer.log.info('stopped');
  setTimeout(() => process.exit(), LAST_MS).unref(); // what waits for a database that does not answer keeps no process
}

/** A second signal ends the process at once, as it would without a listener. */
const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
