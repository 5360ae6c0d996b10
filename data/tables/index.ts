export { type BytesColumn, joinRows, type TableColumn, type TimeZoneMark } from './table.js';
export { arrowBytes, checkTablePath, columnBatches, writeTable } from './write-table.js';
