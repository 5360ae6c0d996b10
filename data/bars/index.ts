export { isPerpetual, normaliseAsset, parseMarket } from './assets.js';
export { contentHash } from './content-hash.js';
export type { ImportedBars, ImportOptions } from './import.js';
export { checkBars, findGaps, type Gap } from './inspect.js';
export { type BarStore, type BarsQuery, type BarsSource, openBars } from './load.js';
export { readBarsFile } from './read-file.js';
export { importChoices, type ReadBarsOptions } from './read-options.js';
export { generatedOf, joinedOf, type StoredBars } from './stored.js';
export { exportBars, writeBars } from './write.js';
