export { isPerpetual, type NamedFile, nameFiles, normaliseAsset, parseMarket } from './assets.js';
export { exportBars, writeBars } from './columns.js';
export { barsFor, bridgeSeed, drawnNote } from './drawn.js';
export type { ImportedBars, ImportOptions } from './import.js';
export { checkBars, contentHash } from './inspect.js';
export { type BarStore, openBars } from './load.js';
export { readBarsFile } from './read-file.js';
export { importChoices, type ReadBarsOptions } from './read-options.js';
export {
  type BarReads,
  type BarsQuery,
  type BarsSource,
  drawnHint,
  generatedColumns,
  joinedColumns,
  type StoredBars,
} from './stored.js';
