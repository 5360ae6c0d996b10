import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MarketData } from '../../data/providers/index.js';
import { openHoldouts } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import {
  DeployedFeed,
  DeployedRunner,
  type DeployedSet,
  deployedMethods,
  keptRows,
  readDeployedSet,
  SqlDeployedStore,
} from './index.js';
import type { WarningLog } from '../index.js';
import type { State } from '../state/index.js';
import type { UseCasesOf } from '../use-cases.js';
import type { ServiceConfig } from '../settings/config.js';

const CHANNEL = 'barline_deployed';

interface DeployedParts {
  readonly config: ServiceConfig;
  readonly state: State;
  readonly market: MarketData;
  readonly packageRoot: string;
  readonly onInternalError: (error: unknown) => void;
  readonly onWarnings: WarningLog;
}

interface Deployed {
  readonly useCases: UseCasesOf<'Deployed'>;
  readonly feed: DeployedFeed;
  /** Started only if the process is a worker. */
  readonly runner: DeployedRunner;
  readonly upkeep: () => Promise<void>;
}

/**
 * Deployed strategies.
 * @throws EngineError if their file cannot be read or is not valid
 */
export async function composeDeployed(parts: DeployedParts): Promise<Deployed> {
  const { config, state, market, packageRoot, onInternalError, onWarnings } = parts;
  const set = await readDeployedFile(config.BARLINE_DEPLOYED ?? join(packageRoot, 'sample/deployed.json'));
  const store = new SqlDeployedStore(state.db);
  const replay = { msPerHour: config.BARLINE_REPLAY_MS, days: config.BARLINE_REPLAY_DAYS };
  const feed = new DeployedFeed({ store, onInternalError });
  await state.listen(CHANNEL, { onNotice: () => feed.wake(), onDeaf: () => {}, onHearing: () => feed.wake() });
  const runner = new DeployedRunner({
    set,
    store,
    market,
    replay,
    // What an organization of the service holds out stops no strategy of the operator.
    heldOut: async (asset) =>
      (await openHoldouts(config.BARLINE_HOME).of(asset)).filter(({ organization }) => organization === undefined),
    nowMs: Date.now,
    sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => {}),
    onEvents: () => state.notify(CHANNEL, ''),
    onInternalError,
    onWarnings,
  });
  return {
    useCases: deployedMethods({ set, store, feed, market, replay, nowMs: Date.now }),
    feed,
    runner,
    upkeep: () => store.trim(keptRows),
  };
}

/**
 * @throws EngineError INVALID_FIELD that names the file and the problem
 */
export async function readDeployedFile(path: string): Promise<DeployedSet> {
  const refuse = (problem: string, field = 'BARLINE_DEPLOYED') =>
    new EngineError('INVALID_FIELD', `deployed strategies ${path}: ${problem}`, { field });
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw refuse(error.message);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw refuse(`not JSON: ${(error as Error).message}`);
  }
  try {
    return readDeployedSet(json);
  } catch (error) {
    throw error instanceof EngineError ? refuse(error.message) : error;
  }
}
