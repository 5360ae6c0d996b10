export { readSeries } from './read-series.js';
export { joinToBars, type PublishedRows, sumInBars } from './series.js';
export {
  type AddedColumn,
  type ColumnStore,
  checkColumn,
  GENERATED,
  openColumns,
  readSeriesFile,
  type StoredColumn,
} from './store.js';
