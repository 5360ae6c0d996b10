import { EngineError } from '../../engine/errors.js';
import type { MetricName } from '../../engine/metrics/index.js';
import { RunTable, rankingFigures, type SweepDataset } from '../../engine/sweep/index.js';
import { literalPath, sqlText, withDuckDb } from '../duckdb.js';
import { hasTraded } from './ranking.js';
import { openSweepFolder } from './sweep-folder.js';

/**
 * Column of the part files with the returns of each run by period, as single-precision numbers. It
 * is null for runs that did not trade, and left out of the table that queries see.
 */
export const RETURNS_COLUMN = 'period_returns';

/** The columns that tell datasets apart: no plan holds the same series twice over the same days. */
const KEY = 'asset, timeframe, data_file_hash, start_date, end_date';

const keyOf = ({ asset, timeframe, hash, start_date, end_date }: SweepDataset): string =>
  [asset, timeframe, hash, start_date, end_date].map(sqlText).join(', ');

interface PlannedRuns {
  readonly totalRuns: number;
  /** Windows of a sweep that walks forward are datasets of their own. */
  readonly datasets: readonly SweepDataset[];
}

/**
 * Reads what the runs of a sweep gave from its rows, for a process that did not run them.
 *
 * @throws EngineError INVALID_DATA where rows of runs that traded hold no returns, because an older version wrote them
 */
export async function readRuns(
  folder: string,
  { totalRuns, datasets }: PlannedRuns,
  by: MetricName,
): Promise<RunTable> {
  const table = new RunTable(by, totalRuns);
  const parts = await openSweepFolder(folder).parts();
  if (parts.length === 0) return table;
  const files = `[${parts.map(({ file }) => sqlText(literalPath(file))).join(', ')}]`;
  const rows = `read_parquet(${files}, hive_partitioning = false, union_by_name = true)`;
  const names = rankingFigures(by);
  await withDuckDb(async (connection) => {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${rows}`);
    const hasReturns = described.getRows().some(([name]) => name === RETURNS_COLUMN);
    const places = datasets.map((dataset, place) => `(${keyOf(dataset)}, ${place})`).join(', ');
    const figures = names.map((name) => `coalesce(${name}::DOUBLE, 'NaN'::DOUBLE)`).join(', ');
    const found = await connection.stream(
      `SELECT run_index::DOUBLE, place::DOUBLE, config_hash, ${hasReturns ? RETURNS_COLUMN : 'NULL'}, ${figures}
       FROM (SELECT * REPLACE (start_date::VARCHAR AS start_date, end_date::VARCHAR AS end_date) FROM ${rows})
       JOIN (VALUES ${places}) AS datasets(${KEY}, place) USING (${KEY}) WHERE ${hasTraded}`,
    );
    for await (const chunk of found) {
      if (!hasReturns && chunk.rowCount > 0) {
        const message =
          'the rows of this sweep hold no returns, because an older version wrote them: run the sweep again';
        throw new EngineError('INVALID_DATA', message, { folder });
      }
      const columns = Array.from({ length: chunk.columnCount }, (_, c) => chunk.getColumnVector(c));
      for (let i = 0; i < chunk.rowCount; i++) {
        const [run, dataset, hash, returns, ...values] = columns.map((column) => column.getItem(i));
        const traded = {
          ...{ run: run as number, dataset: dataset as number, configHash: hash as string },
          returns: returns === null ? null : floats((returns as { readonly bytes: Uint8Array }).bytes),
        };
        table.add(traded, (name) => values[names.indexOf(name)] as number);
      }
    }
  });
  return table;
}

/** A copy, since the bytes lie anywhere in a buffer that they share. */
const floats = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);
