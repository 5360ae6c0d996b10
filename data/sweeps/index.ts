export { sqlText } from '../duckdb.js';
export { markUsed } from '../files.js';
export type { Hold } from '../hold.js';
export { listSweeps, queryResults, type ResultTable } from './query-results.js';
export { amongRankable, bestFirst, hasTraded, mayLead } from './ranking.js';
export { RETURNS_COLUMN, readReturns } from './read-returns.js';
export { groupsToJoin, joinFiles, openSweepFolder, type SweepFolder } from './sweep-folder.js';
export { triedIn } from './tried.js';
export type { PartRows } from './write-part.js';
