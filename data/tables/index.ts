export type { SharedColumns, TableColumn } from './table.js';
export { arrowBytes } from './write-arrow.js';
export { checkTablePath, tableExtensions, writeTable } from './write-table.js';
