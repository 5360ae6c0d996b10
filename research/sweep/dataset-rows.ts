import { sqlText } from '../../data/sweeps/index.js';
import type { SweepDataset } from '../../engine/sweep/index.js';

/**
 * Columns that identify the rows of one dataset or fold: no plan holds the same series twice over
 * the same days.
 */
export const keyColumns = ['asset', 'timeframe', 'data_file_hash', 'start_date', 'end_date'] as const;

/** The values of the key columns. */
export const datasetKey = ({ asset, timeframe, hash, start_date, end_date }: SweepDataset): readonly string[] => [
  asset,
  timeframe,
  hash,
  start_date,
  end_date,
];

/** SQL condition for the rows of a dataset. */
export const isDatasetSql = (dataset: SweepDataset): string =>
  datasetKey(dataset)
    .map((value, i) => `${keyColumns[i]} = ${sqlText(value)}`)
    .join(' AND ');
