export { serverSecret } from './server-secrets.js';
export { type Database, openState, restoreState, type State } from './tables.js';
export { countWork, type WorkCounts } from './work-counts.js';
