export { normaliseAsset } from './assets.js';
export type { CatalogueEntry } from './catalogue.js';
export type { CheckedEntry } from './check.js';
export { contentHash } from './content-hash.js';
export type { ImportedBars, ImportOptions } from './import.js';
export { findGaps, type Gap, type InspectedBars } from './inspect.js';
export {
  type BarStore,
  type BarStoreOptions,
  type BarsQuery,
  type BarsSource,
  type LoadedBars,
  openBars,
} from './load.js';
export { type ReadBarsOptions, readBarsFile } from './read-file.js';
export type { StoredBars } from './stored.js';
export { barTable, writeBars } from './write.js';
