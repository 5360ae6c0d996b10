import type { BarSeries } from '../../engine/series/index.js';
import type { TableColumn } from '../tables/table.js';
import { writeParquet } from '../tables/write-parquet.js';
import { namedColumns } from './columns.js';

/** A series as a table: timestamp, open, high, low, close, volume, then its further columns. */
const barTable = (bars: BarSeries): TableColumn[] =>
  namedColumns(bars).map(({ name, values }, k) => ({ name, type: k === 0 ? 'time' : 'double', values }));

/** Writes a series as a Parquet file of the catalogue, which `readBarsFile` can read. */
export const writeBars = (path: string, bars: BarSeries): Promise<void> => writeParquet(path, barTable(bars));

/** The same for other programs: its times are marked as UTC. */
export const exportBars = (path: string, bars: BarSeries): Promise<void> => writeParquet(path, barTable(bars), 'utc');
