import type { BarSeries } from '../../engine/series/index.js';
import type { TableColumn } from '../tables/table.js';
import { writeParquet } from '../tables/write-parquet.js';
import { columnsOf } from './columns.js';

/**
 * The columns of a series as a table: timestamp, open, high, low, close, volume, then the chain
 * columns it has.
 */
const barTable = (bars: BarSeries): TableColumn[] =>
  columnsOf(bars).map(({ name, values }, k) => ({ name, type: k === 0 ? 'time' : 'double', values }));

/** Writes a series as the Parquet file that the catalogue keeps and `readBarsFile` reads. */
export const writeBars = (path: string, bars: BarSeries): Promise<void> => writeParquet(path, barTable(bars));
