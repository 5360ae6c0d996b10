import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api';
import { EngineError } from '../../engine/errors.js';
import { type AllocateColumns, allocateBars, type BarSeries, FUNDING_COLUMN } from '../../engine/series/index.js';
import { vectorItems } from '../duckdb.js';
import { checkParquetSize } from '../parquet-bounds.js';
import { namedColumns } from './columns.js';
import { BARS_MAX } from './order-rows.js';

interface Memory {
  readonly allocate?: AllocateColumns | undefined;
  readonly room?: readonly string[];
}

const isCarried = (name: string): boolean => name !== FUNDING_COLUMN;

/** Writes the first `count` times of a result vector to `into`. */
export type ReadTimes = (vector: DuckDBVector, into: Float64Array, count: number) => void;

const copyDoubles: ReadTimes = (vector, into) => into.set(vectorItems<Float64Array>(vector));

/**
 * A series from the chunks of a query whose columns are DOUBLE, never NULL, in the order of
 * `namedColumns`. It copies whole vectors as they come: a million bars take some 20 ms, and a result
 * that is fetched at once takes as much memory again, which DuckDB keeps.
 *
 * @param allocate allocates the columns; by default each series gets memory of its own
 * @param room columns that the caller fills; all but funding are carried
 * @throws Error when the query returns another number of rows than `rowCount`
 */
export async function barsFromChunks(
  chunks: AsyncIterable<DuckDBDataChunk>,
  rowCount: number,
  { intervalMs, further }: Pick<PlainWindow, 'intervalMs' | 'further'>,
  { allocate, room = [] }: Memory = {},
): Promise<BarSeries> {
  const bars = allocateBars(rowCount, intervalMs, [...further, ...room], allocate, room.filter(isCarried));
  const columns = namedColumns(bars).flatMap(({ name, values }) => (room.includes(name) ? [] : [values]));
  let read = 0;
  for await (const chunk of chunks) {
    if (read + chunk.rowCount > rowCount) throw new Error(`must have ${rowCount} rows, has more`);
    read = copyChunk(chunk, columns, read);
  }
  if (read < rowCount) throw new Error(`must have ${rowCount} rows, has ${read}`);
  return bars;
}

/**
 * Copies the rows of a chunk to those from `from`.
 * @param readCells reads columns of another type than DOUBLE, by their index
 * @returns where the next chunk begins
 */
export function copyChunk(
  chunk: DuckDBDataChunk,
  columns: readonly Float64Array[],
  from: number,
  readTimes: ReadTimes = copyDoubles,
  readCells: ReadonlyMap<number, ReadTimes> = new Map(),
): number {
  const count = chunk.rowCount;
  columns.forEach((column, k) => {
    const read = k === 0 ? readTimes : (readCells.get(k) ?? copyDoubles);
    read(chunk.getColumnVector(k), column.subarray(from, from + count), count);
  });
  return from + count;
}

interface PlainWindow {
  readonly intervalMs: number;
  readonly further: readonly string[];
  /** Bars that open in [fromMs, toMs). */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The same from a window of whole columns, by name. */
export function barsFromPlain(
  plain: PlainColumns,
  { intervalMs, further, fromMs, toMs }: PlainWindow,
  { allocate, room = [] }: Memory = {},
): BarSeries {
  const time = plain.get('timestamp') ?? new Float64Array(0);
  const rows = Array.from(time.keys()).filter((row) => {
    const opens = time[row] ?? Number.NaN;
    return opens >= fromMs && opens < toMs;
  });
  const bars = allocateBars(rows.length, intervalMs, [...further, ...room], allocate, room.filter(isCarried));
  for (const { name, values } of namedColumns(bars)) {
    const from = plain.get(name);
    if (from === undefined || room.includes(name)) continue;
    rows.forEach((row, bar) => {
      values[bar] = from[row] ?? Number.NaN;
    });
  }
  return bars;
}

/** Unpacked bytes of a page; writers use a megabyte. */
const PAGE_BYTES_MAX = 256 * 1024 * 1024;

/** Columns of a file by name, each with one value per row. */
type PlainColumns = ReadonlyMap<string, Float64Array>;

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
