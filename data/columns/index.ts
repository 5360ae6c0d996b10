export { readSeries } from './read-series.js';
export { joinToBars, type PublishedRows } from './series.js';
export { readSeriesFile } from './series-file.js';
export { type ColumnStore, openColumns, type StoredColumn } from './store.js';
