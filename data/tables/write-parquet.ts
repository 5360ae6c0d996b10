import type { DuckDBConnection, DuckDBVector } from '@duckdb/node-api';
import { loadDuckDb, sqlName, sqlText, vectorItems, withDuckDb } from '../duckdb.js';
import { checkedRowCount, isMissing, type TableColumn, type TimeZoneMark } from './table.js';

const MICROS_PER_MS = 1_000;
const CHUNK_ROWS = 2_048; // the size of a DuckDB vector

const sqlTypesFor = (mark: TimeZoneMark) =>
  ({
    double: 'DOUBLE',
    integer: 'BIGINT',
    time: mark === 'utc' ? 'TIMESTAMP WITH TIME ZONE' : 'TIMESTAMP_MS',
    boolean: 'BOOLEAN',
    text: 'VARCHAR',
  }) satisfies Record<TableColumn['type'], string>;

/**
 * Writes columns to a zstd Parquet file at `path`, in order. Times are TIMESTAMP in ms, UTC by
 * convention; marked as UTC, which other programs need to join them, they are in microseconds.
 */
export function writeParquet(
  path: string,
  columns: readonly TableColumn[],
  mark: TimeZoneMark = 'none',
): Promise<void> {
  checkedRowCount(columns);
  return withDuckDb(async (connection) => {
    await appendTable(connection, 'outgoing', columns, mark);
    await connection.run(`COPY outgoing TO ${sqlText(path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`);
  });
}

async function appendTable(
  connection: DuckDBConnection,
  name: string,
  columns: readonly TableColumn[],
  mark: TimeZoneMark,
): Promise<void> {
  const { DuckDBDataChunk, ...types } = loadDuckDb();
  const chunkTypes = {
    double: types.DOUBLE,
    integer: types.BIGINT,
    time: mark === 'utc' ? types.TIMESTAMPTZ : types.TIMESTAMP_MS,
    boolean: types.BOOLEAN,
    text: types.VARCHAR,
  } satisfies Record<TableColumn['type'], unknown>;
  const sqlTypes = sqlTypesFor(mark);
  const schema = columns.map(({ name, type }) => `${sqlName(name)} ${sqlTypes[type]}`);
  await connection.run(`CREATE TEMP TABLE ${name} (${schema.join(', ')})`);
  const rowCount = columns[0]?.values.length ?? 0;
  const appender = await connection.createAppender(name);
  try {
    const chunk = DuckDBDataChunk.create(columns.map(({ type }) => chunkTypes[type]));
    for (let from = 0; from < rowCount; from += CHUNK_ROWS) {
      const count = Math.min(CHUNK_ROWS, rowCount - from);
      chunk.reset();
      chunk.rowCount = count;
      for (const [k, column] of columns.entries()) {
        const perUnit = column.type === 'time' && mark === 'utc' ? MICROS_PER_MS : 1;
        fillVector(chunk.getColumnVector(k), column, { from, count, perUnit });
      }
      appender.appendDataChunk(chunk);
    }
  } finally {
    appender.closeSync();
  }
}

interface Part {
  readonly from: number;
  readonly count: number;
  /** Stored units of one unit of the column. */
  readonly perUnit: number;
}

function fillVector(vector: DuckDBVector, { type, values }: TableColumn, { from, count, perUnit }: Part): void {
  if (type === 'boolean' || type === 'text') {
    for (let i = 0; i < count; i++) vector.setItem(i, values[from + i] ?? null);
  } else {
    const items = vectorItems<Float64Array | BigInt64Array>(vector);
    for (let i = 0; i < count; i++) {
      const value = values[from + i];
      if (isMissing(value)) vector.setItem(i, null);
      // biome-ignore lint/style/noNonNullAssertion: a missing value takes the branch above
      else items[i] = items instanceof Float64Array ? value! : BigInt(value! * perUnit);
    }
  }
  vector.flush();
}
