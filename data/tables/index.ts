export type { SharedColumns, TableColumn } from './table.js';
export { checkTablePath, tableExtensions, writeTable } from './write-table.js';
