/** Columns of a file by name, each with one value per row. */
export type PlainColumns = ReadonlyMap<string, Float64Array>;

/**
 * Reads numbers and times of a Parquet file of the catalogue without DuckDB, which is an optional
 * package. It reads the whole columns, so it takes longer where a window of a long series is asked
 * for.
 *
 * @returns times in epoch ms; NaN for an empty cell
 */
export async function readPlainParquet(path: string, names: readonly string[]): Promise<PlainColumns> {
  // Loaded here, because an installation with DuckDB never needs them.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const columns = new Map(names.map((name) => [name, new Float64Array(Number(metadata.num_rows)).fill(Number.NaN)]));
  await parquetRead({
    ...{ file, metadata, compressors, columns: [...names] },
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
