export type { TableColumn } from './table.js';
export { checkTablePath, tableExtensions, writeTable } from './write-table.js';
