import { sqlText } from '../../data/sweeps/index.js';
import type { SweepDataset } from '../../engine/index.js';

/**
 * Columns that tell the rows of one dataset, or of one fold, from all others: no series is planned
 * twice over the same days.
 */
export const keyColumns = ['asset', 'timeframe', 'data_file_hash', 'start_date', 'end_date'] as const;

/** Their values. */
export const keyOf = ({ asset, timeframe, hash, start_date, end_date }: SweepDataset): readonly string[] => [
  asset,
  timeframe,
  hash,
  start_date,
  end_date,
];

/** The rows of a dataset as an SQL condition. */
export const isOf = (dataset: SweepDataset): string =>
  keyOf(dataset)
    .map((value, i) => `${keyColumns[i]} = ${sqlText(value)}`)
    .join(' AND ');
