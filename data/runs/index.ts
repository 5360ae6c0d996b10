export { openRuns } from './run-records.js';
