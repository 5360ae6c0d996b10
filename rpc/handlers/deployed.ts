import {
  type DeployedDeps,
  getDeployedState,
  listDeployed,
  listDeployedEvents,
  rankPersonas,
  streamDeployed,
} from '../../service/deployed/index.js';
import type { HandlersOf } from '../calls.js';

export const deployedHandlers = (deps: DeployedDeps): HandlersOf<'Deployed'> => ({
  'Deployed.GetLeaderboard': () => rankPersonas(deps),
  'Deployed.ListStrategies': () => listDeployed(deps),
  'Deployed.GetState': ({ strategy_id }) => getDeployedState(strategy_id, deps),
  'Deployed.ListEvents': (request) => listDeployedEvents(request, deps),
  'Deployed.Stream': (request, { signal }) => streamDeployed(request, deps, signal),
});
