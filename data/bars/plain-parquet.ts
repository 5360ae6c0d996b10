import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import { checkParquetSize } from '../parquet-bounds.js';
import { BARS_MAX } from './order-rows.js';

/** Unpacked bytes of a page; writers use a megabyte. */
const PAGE_BYTES_MAX = 256 * 1024 * 1024;

/** Columns of a file by name, each with one value per row. */
export type PlainColumns = ReadonlyMap<string, Float64Array>;

/**
 * Reads numbers and times of a Parquet file of the catalogue without DuckDB, which is an optional
 * package. It reads the whole columns, so it takes longer where a window of a long series is asked
 * for.
 *
 * @returns times in epoch ms; NaN for an empty cell
 * @throws INVALID_DATA for a file that says more of itself than its length allows
 */
export async function readPlainParquet(path: string, names: readonly string[]): Promise<PlainColumns> {
  // Loaded here, because an installation with DuckDB never needs them.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const name = basename(path);
  const groups = metadata.row_groups;
  const rows = Math.max(Number(metadata.num_rows), sum(groups.map(({ num_rows }) => Number(num_rows))));
  const pageBytes = sum(
    groups.flatMap((group) => group.columns.map(({ meta_data }) => Number(meta_data?.total_uncompressed_size ?? 0))),
  );
  checkParquetSize({ rows, columns: names.length, pageBytes, fileBytes: (await stat(path)).size }, BARS_MAX, name);
  const bounded = Object.fromEntries(
    Object.entries(compressors).map(([codec, unpack]) => [
      codec,
      (input: Uint8Array, length: number) => {
        if (length <= PAGE_BYTES_MAX) return unpack(input, length);
        throw new EngineError(
          'INVALID_DATA',
          `a page of ${name} must have at most ${PAGE_BYTES_MAX} bytes, has ${length}`,
        );
      },
    ]),
  );
  const columns = new Map(names.map((each) => [each, new Float64Array(rows).fill(Number.NaN)]));
  await parquetRead({
    ...{ file, metadata, compressors: bounded, columns: [...names] },
    parsers: {
      timestampFromMilliseconds: (ms) => Number(ms),
      timestampFromMicroseconds: (micros) => Number(micros) / 1_000,
    },
    onChunk({ columnName, columnData, rowStart }) {
      const into = columns.get(columnName);
      if (into === undefined) return;
      for (let i = 0; i < columnData.length; i++) {
        const value: unknown = columnData[i];
        if (typeof value === 'number' || typeof value === 'bigint') into[rowStart + i] = Number(value);
      }
    },
  });
  return columns;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
