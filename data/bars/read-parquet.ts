import { open } from 'node:fs/promises';
import type { DuckDBConnection, DuckDBVector } from '@duckdb/node-api';
import { EngineError, quote } from '../../engine/errors.js';
import { allocateBars, priceColumns, sliceBars } from '../../engine/series/index.js';
import { duckDbReason, parquetSource, sqlName, sqlText } from '../duckdb.js';
import { checkedRows, withForeignParquet } from '../parquet-bounds.js';
import { copyChunk, type ReadTimes } from './chunks.js';
import { columnsOf, locateColumns, NO_COLUMN } from './columns.js';
import { nothingLeftOut, type RawBars } from './inspect.js';
import { BARS_MAX } from './order-rows.js';
import type { ReadBarsOptions } from './read-options.js';
import { SeenSymbols, symbolColumnOf } from './symbols.js';
import { type DateOrder, detectTimeFormat, TIME_LENGTH_MAX, type TimeFormat, timeRule } from './time-cells.js';

/**
 * Reads the bars of a Parquet file with the columns of a CSV file. The time is a TIMESTAMP of any
 * precision, with or without a zone, a DATE, or numbers or text in a format of CSV cells. Prices
 * are numbers; a cell of another column without a number becomes NaN. Rows keep their order.
 *
 * @throws INVALID_DATA naming file, row, column, rule and value
 */
export async function readParquet(path: string, name: string, options: ReadBarsOptions): Promise<RawBars> {
  if (!(await hasParquetMagic(path))) throw invalid(`${name} is not a Parquet file, or is cut short`);
  try {
    return await withForeignParquet((connection) => readBars(connection, path, name, options));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw invalid(`${name} cannot be read as Parquet: ${duckDbReason(error)}`);
  }
}

async function readBars(
  connection: DuckDBConnection,
  path: string,
  name: string,
  options: ReadBarsOptions,
): Promise<RawBars> {
  const source = parquetSource(path);
  const schema = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`)).getRows();
  const columns = schema.map(([column, type]) => ({ name: String(column), type: String(type) }));
  const layout = locateColumns(
    columns.map((column) => column.name),
    name,
    // biome-ignore lint/style/noNonNullAssertion: an index of these columns
    (index) => numberType.test(columns[index]!.type),
    options,
  );
  const whose = options.symbol === undefined ? '' : ` of ${options.symbol}`;
  const rowName = (index: number) => `${name} row ${index + 1}${whose}`;
  for (const [k, index] of layout.prices.entries()) {
    if (index === NO_COLUMN) continue;
    // biome-ignore lint/style/noNonNullAssertion: the layout holds indices of these columns
    const { type } = columns[index]!;
    if (numberType.test(type)) continue;
    throw invalid(`${name}: ${priceColumns[k]} must be a column of numbers, was ${quote(type)}`);
  }
  // biome-ignore lint/style/noNonNullAssertion: the layout holds indices of these columns
  const time = columns[layout.time]!;
  const timeSql = timeExpression(time.name, time.type);
  if (timeSql === null) {
    throw invalid(`${name}: timestamp must be a column of times, numbers or text, was ${quote(time.type)}`);
  }

  const doubles = [...layout.prices, ...layout.columns.map(({ index }) => index)].map((index) =>
    // A missing number becomes NaN here, so the reader need not look at validity bits.
    index === NO_COLUMN
      ? '0::DOUBLE'
      : // biome-ignore lint/style/noNonNullAssertion: the layout holds indices of these columns
        `coalesce(TRY_CAST(${sqlName(columns[index]!.name)} AS DOUBLE), 'NaN'::DOUBLE)`,
  );
  const symbols = new SeenSymbols(name, options);
  const isText = (index: number) => columns[index]?.type === 'VARCHAR';
  const at = symbolColumnOf(
    columns.map((column) => column.name),
    name,
    isText,
    options,
  );
  const symbolColumn = at === undefined ? undefined : columns[at];
  // Numbers with a fraction are no symbols: they are a column beside the bars.
  const hasSymbols =
    symbolColumn !== undefined && /^(VARCHAR|U?(TINYINT|SMALLINT|INTEGER|BIGINT))$/.test(symbolColumn.type);
  let where = '';
  if (hasSymbols) {
    const cell = `trim(CAST(${sqlName(symbolColumn.name)} AS VARCHAR))`;
    const found = await connection.runAndReadAll(`SELECT DISTINCT ${cell} FROM ${source} WHERE ${cell} IS NOT NULL`);
    for (const [value] of found.getRows()) symbols.take(String(value));
    const { symbol } = options;
    if (symbol !== undefined) where = `WHERE ${cell} = ${sqlText(symbol.trim())}`;
  }
  const rowCount = await checkedRows(connection, path, name, { columns: 1 + doubles.length, rowsMax: BARS_MAX });
  if (rowCount === 0) throw invalid(`${name} holds no bars`);
  const bars = allocateBars(
    rowCount,
    0,
    layout.columns.map((column) => column.name),
  );
  const values = columnsOf(bars).map((column) => column.values);
  const readTimes = isWritten(time.type) ? writtenTimes(rowName, options.dates) : undefined;
  let read = 0;
  for await (const chunk of await connection.stream(
    `SELECT ${[timeSql, ...doubles].join(', ')} FROM ${source} ${where}`,
  )) {
    if (read + chunk.rowCount > rowCount) throw invalid(`${name} must have ${rowCount} rows, as it says, has more`);
    read = copyChunk(chunk, values, read, readTimes);
  }
  if (read < rowCount && where === '') throw invalid(`${name} must have ${rowCount} rows, as it says, has ${read}`);

  const filled = sliceBars(bars, 0, read);
  const bad = filled.time.findIndex((ms) => !Number.isInteger(ms));
  if (bad !== -1) {
    const cell = `SELECT CAST(${sqlName(time.name)} AS VARCHAR) FROM ${source} ${where} LIMIT 1 OFFSET ${bad}`;
    const [[value] = []] = (await connection.runAndReadAll(cell)).getRows();
    throw invalid(`${rowName(bad)}: timestamp must be a time in whole milliseconds, was ${quote(value)}`);
  }
  return {
    bars: filled,
    rowName,
    ignoredColumns: layout.ignored,
    leftOut: nothingLeftOut,
    symbols: symbols.list(),
  };
}

export const numberType = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\))$/;

/**
 * Whether a column holds times that DuckDB does not recognise. They are read as text, by the rules
 * of CSV cells.
 */
export const isWritten = (type: string): boolean => type === 'VARCHAR' || numberType.test(type);

/**
 * SQL for epoch ms as DOUBLE, or for the text of a written time; null for a type that holds no
 * time. A time between two milliseconds ends in .5 and a missing one is NaN; the reader refuses
 * both.
 */
export function timeExpression(name: string, type: string): string | null {
  const column = sqlName(name);
  if (isWritten(type)) return `left(coalesce(CAST(${column} AS VARCHAR), ''), ${TIME_LENGTH_MAX + 1})`;
  const milliseconds = (units: string, perMs: number) =>
    `coalesce((${units} // ${perMs})::DOUBLE + CASE WHEN ${units} % ${perMs} = 0 THEN 0 ELSE 0.5 END, 'NaN'::DOUBLE)`;
  if (type === 'TIMESTAMP WITH TIME ZONE') return milliseconds(`epoch_us(${column})`, 1_000);
  if (type === 'TIMESTAMP_NS') return milliseconds(`epoch_ns(${column})`, 1_000_000);
  return /^(DATE|TIMESTAMP(_S|_MS)?)$/.test(type) ? milliseconds(`epoch_us(${column}::TIMESTAMP)`, 1_000) : null;
}

/** Reads written times in the format of the first one. */
function writtenTimes(rowName: (index: number) => string, dates: DateOrder | undefined): ReadTimes {
  let format: TimeFormat | null = null;
  let row = 0;
  return (vector: DuckDBVector, into, count) => {
    for (let i = 0; i < count; i++, row++) {
      const cell = String(vector.getItem(i)).trim();
      format ??= detectTimeFormat(cell, dates);
      into[i] = format?.parse(cell) ?? NaN;
      if (!Number.isNaN(into[i])) continue;
      throw invalid(`${rowName(row)}: timestamp ${timeRule(cell, format)}`);
    }
  };
}

/** Parquet files begin and end with these four bytes; a truncated file lacks them at the end. */
async function hasParquetMagic(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(8);
    if (size < 12) return false;
    await file.read(bytes, 0, 4, 0);
    await file.read(bytes, 4, 4, size - 4);
    return bytes.toString('latin1') === 'PAR1PAR1';
  } finally {
    await file.close();
  }
}

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);
