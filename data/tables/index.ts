export { type BytesColumn, joinRows, type TableColumn, type TimeZoneMark } from './table.js';
export { arrowBytes } from './write-arrow.js';
export { checkTablePath, writeTable } from './write-table.js';
