export { type Deployed, type DeployedDefinition, type DeployedSet, readDeployedSet } from './definition.js';
export { DeployedFeed, HELD_EVENTS_MAX } from './feed.js';
export { deployedMethods } from './methods.js';
export {
  getDeployedState,
  keptRows,
  listDeployed,
  listDeployedEvents,
  rankPersonas,
  type StreamRequest,
  streamDeployed,
} from './read.js';
export type * from './records.js';
export { DeployedRunner, type RunnerDeps } from './runner.js';
export { SqlDeployedStore } from './store.js';
