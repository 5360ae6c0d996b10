import {
  type DeployedDeps,
  type DeployedEventsRequest,
  getDeployedState,
  listDeployed,
  listDeployedEvents,
  rankPersonas,
  type StreamRequest,
  streamDeployed,
} from '../../service/deployed/index.js';
import type { Handlers } from '../calls.js';

export const deployedHandlers = (deps: DeployedDeps): Handlers => ({
  'Deployed.GetLeaderboard': () => rankPersonas(deps),
  'Deployed.ListStrategies': () => listDeployed(deps),
  'Deployed.GetState': ({ strategy_id }: { readonly strategy_id: string }) => getDeployedState(strategy_id, deps),
  'Deployed.ListEvents': (request: DeployedEventsRequest) => listDeployedEvents(request, deps),
  'Deployed.Stream': (request: StreamRequest, { signal }) => streamDeployed(request, deps, signal),
});
