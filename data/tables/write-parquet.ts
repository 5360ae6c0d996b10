import type { DuckDBConnection, DuckDBVector } from '@duckdb/node-api';
import { loadDuckDb, sqlName, sqlText, vectorItems, withDuckDb } from '../duckdb.js';
import { isMissing, rowCountOf, type TableColumn } from './table.js';

const CHUNK_ROWS = 2_048; // the size of a DuckDB vector

const sqlTypes = {
  double: 'DOUBLE',
  integer: 'BIGINT',
  time: 'TIMESTAMP_MS',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
} satisfies Record<TableColumn['type'], string>;

/**
 * Writes columns to a zstd Parquet file at `path`, in order. Times are TIMESTAMP in ms, UTC by
 * convention.
 */
export function writeParquet(path: string, columns: readonly TableColumn[]): Promise<void> {
  rowCountOf(columns);
  return withDuckDb(async (connection) => {
    await appendTable(connection, 'outgoing', columns);
    await connection.run(`COPY outgoing TO ${sqlText(path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`);
  });
}

async function appendTable(connection: DuckDBConnection, name: string, columns: readonly TableColumn[]): Promise<void> {
  const { DuckDBDataChunk, ...types } = loadDuckDb();
  const chunkTypes = {
    double: types.DOUBLE,
    integer: types.BIGINT,
    time: types.TIMESTAMP_MS,
    boolean: types.BOOLEAN,
    text: types.VARCHAR,
  } satisfies Record<TableColumn['type'], unknown>;
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
      for (const [k, column] of columns.entries()) fillVector(chunk.getColumnVector(k), column, from, count);
      appender.appendDataChunk(chunk);
    }
  } finally {
    appender.closeSync();
  }
}

function fillVector(vector: DuckDBVector, { type, values }: TableColumn, from: number, count: number): void {
  if (type === 'boolean' || type === 'text') {
    for (let i = 0; i < count; i++) vector.setItem(i, values[from + i] ?? null);
  } else {
    const items = vectorItems<Float64Array | BigInt64Array>(vector);
    for (let i = 0; i < count; i++) {
      const value = values[from + i];
      if (isMissing(value)) vector.setItem(i, null);
      // biome-ignore lint/style/noNonNullAssertion: a missing value takes the branch above
      else items[i] = items instanceof Float64Array ? value! : BigInt(value!);
    }
  }
  vector.flush();
}
