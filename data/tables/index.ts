export type { TableColumn } from './table.js';
export { tableExtensions, writeTable } from './write-table.js';
