export { type Database, openState, restoreState, type State } from './tables.js';
export { countWork, serverSecret, type WorkCounts } from './work-counts.js';
