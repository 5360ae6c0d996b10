export { type BytesColumn, joinRows, type TableColumn, type TimeZoneMark } from './table.js';
export { arrowBytes, checkTablePath, writeTable } from './write-table.js';
