export { type Deployed, type DeployedDefinition, readDeployedSet } from './definition.js';
export { DeployedFeed, HELD_EVENTS_MAX } from './feed.js';
export {
  getDeployedState,
  listDeployed,
  listDeployedEvents,
  rankPersonas,
  type StreamRequest,
  streamDeployed,
} from './read.js';
export type * from './records.js';
export { DeployedRunner, type RunnerDeps } from './runner.js';
