import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openHoldouts } from '../../data/tries/index.js';
import { EngineError, errorMessage } from '../../engine/errors.js';
import type { Capability, Foundation } from '../capability.js';
import { pause, wakeOn } from '../work/work-loop.js';
import { type DeployedSet, readDeployedSet } from './definition.js';
import { DeployedFeed } from './feed.js';
import {
  type DeployedDeps,
  getDeployedState,
  keptRows,
  listDeployed,
  listDeployedEvents,
  rankPersonas,
  streamDeployed,
} from './read.js';
import { DeployedRunner } from './runner.js';
import { SqlDeployedStore } from './store.js';

const CHANNEL = 'barline_deployed';

/**
 * Deployed strategies.
 * @throws EngineError if their file cannot be read or is not valid
 */
export async function openDeployed(foundation: Foundation): Promise<Capability<'Deployed'>> {
  const { config, state, market, packageRoot, onInternalError, onWarnings } = foundation;
  const set = await readDeployedFile(config.BARLINE_DEPLOYED ?? join(packageRoot, 'sample/deployed.json'));
  const store = new SqlDeployedStore(state.db);
  const replay = { msPerHour: config.BARLINE_REPLAY_MS, days: config.BARLINE_REPLAY_DAYS };
  const feed = new DeployedFeed({ store, onInternalError });
  await wakeOn(state, CHANNEL, () => feed.wake());
  const runner = new DeployedRunner({
    set,
    store,
    market,
    replay,
    // What an organization of the service holds out stops no strategy of the operator.
    heldOut: async (asset) =>
      (await openHoldouts(config.BARLINE_HOME).of(asset)).filter(({ organization }) => organization === undefined),
    nowMs: Date.now,
    sleep: pause,
    onEvents: () => state.notify(CHANNEL, ''),
    onInternalError,
    onWarnings,
  });
  const deps: DeployedDeps = { set, store, feed, market, replay, nowMs: Date.now };
  return {
    loops: [runner],
    upkeep: () => store.trim(keptRows),
    endStreams: () => feed.close(),
    methods: {
      'Deployed.GetLeaderboard': () => rankPersonas(deps),
      'Deployed.ListStrategies': () => listDeployed(deps),
      'Deployed.GetState': ({ strategy_id }) => getDeployedState(strategy_id, deps),
      'Deployed.ListEvents': (request) => listDeployedEvents(request, deps),
      'Deployed.Stream': (request, { signal }) => streamDeployed(request, deps, signal),
    },
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
    throw refuse(`not JSON: ${errorMessage(error)}`);
  }
  try {
    return readDeployedSet(json);
  } catch (error) {
    throw error instanceof EngineError ? refuse(error.message) : error;
  }
}
