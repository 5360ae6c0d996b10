import type { UseCasesOf } from '../use-cases.js';
import {
  type DeployedDeps,
  getDeployedState,
  listDeployed,
  listDeployedEvents,
  rankPersonas,
  streamDeployed,
} from './read.js';

export const deployedMethods = (deps: DeployedDeps): UseCasesOf<'Deployed'> => ({
  'Deployed.GetLeaderboard': () => rankPersonas(deps),
  'Deployed.ListStrategies': () => listDeployed(deps),
  'Deployed.GetState': ({ strategy_id }) => getDeployedState(strategy_id, deps),
  'Deployed.ListEvents': (request) => listDeployedEvents(request, deps),
  'Deployed.Stream': (request, { signal }) => streamDeployed(request, deps, signal),
});
