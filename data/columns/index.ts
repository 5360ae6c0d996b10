export { readSeries } from './read-series.js';
export { joinToBars, type PublishedRows, sumInBars } from './series.js';
export { readSeriesFile } from './series-file.js';
export {
  type AddedColumn,
  type ColumnStore,
  checkColumn,
  GENERATED,
  openColumns,
  type StoredColumn,
} from './store.js';
