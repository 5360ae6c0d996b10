export { openRuns, type RunRecords } from './run-records.js';
