export { readSeries } from './read-series.js';
export { joinToBars } from './series.js';
export { readSeriesFile } from './series-file.js';
export { type ColumnSource, columnSources } from './sources.js';
export { type AddedColumn, type ColumnStore, checkColumn, openColumns, type StoredColumn } from './store.js';
