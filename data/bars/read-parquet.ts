import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { EngineError, quote } from '../../engine/errors.js';
import { allocateBars, priceColumns, sliceBars } from '../../engine/series/index.js';
import { duckDbReason, parquetSource, sqlName, sqlText } from '../duckdb.js';
import { checkedRows, withForeignParquet } from '../parquet-bounds.js';
import { copyChunk, type ReadTimes } from './chunks.js';
import { barColumns, locateColumns, NO_COLUMN, namedColumns } from './columns.js';
import { findOpenTime, soundsLikeTime, type TextRecord } from './csv-head.js';
import { nothingLeftOut, type RawBars } from './inspect.js';
import { cellParsers, type DecimalMark, findDecimalMark } from './number-cells.js';
import { BARS_MAX } from './order-rows.js';
import type { ReadBarsOptions } from './read-options.js';
import { findSymbolColumn, SeenSymbols } from './symbols.js';
import {
  type DateOrder,
  detectTimeFormat,
  TIME_LENGTH_MAX,
  type TimeFormat,
  type TimeKind,
  timeRule,
} from './time-cells.js';

/**
 * Reads the bars of a Parquet file with the columns of a CSV file. The time is a TIMESTAMP of any
 * precision, with or without a zone, a DATE, or numbers or text in a format of CSV cells. Prices
 * are numbers, or text of numbers; a cell of another column without a number becomes NaN. Rows keep
 * their order.
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
  const names = columns.map((column) => column.name);
  let rows: TextRecord[] = [];
  // A file with one time needs no look at its rows.
  if (names.filter(soundsLikeTime).length > 1) {
    await checkedRows(connection, path, name, { columns: barColumns.length, rowsMax: BARS_MAX });
    rows = await headRows(connection, source, columns);
  }
  const opens = findOpenTime(names, rows, { cells: names, line: 0 }, () => name, options);
  const layout = locateColumns(
    names,
    name,
    // biome-ignore lint/style/noNonNullAssertion: an index of these columns
    (index) => numberType.test(columns[index]!.type),
    opens === undefined ? options : { ...options, names: { ...options.names, timestamp: opens.name } },
  );
  const whose = options.symbol === undefined ? '' : ` of ${options.symbol}`;
  const rowName = (index: number) => `${name} row ${index + 1}${whose}`;
  /** Prices written as text, by their place in `priceColumns`. */
  const written = new Map<number, number>();
  for (const [k, index] of layout.prices.entries()) {
    if (index === NO_COLUMN) continue;
    // biome-ignore lint/style/noNonNullAssertion: the layout holds indices of these columns
    const { type } = columns[index]!;
    if (numberType.test(type)) continue;
    if (type === 'VARCHAR') written.set(k, index);
    else throw invalid(`${name}: ${priceColumns[k]} must be a column of numbers, was ${quote(type)}`);
  }
  // biome-ignore lint/style/noNonNullAssertion: the layout holds indices of these columns
  const time = columns[layout.time]!;
  const timeSql = timeExpression(time.name, time.type);
  if (timeSql === null) {
    throw invalid(`${name}: timestamp must be a column of times, numbers or text, was ${quote(time.type)}`);
  }

  // biome-ignore lint/style/noNonNullAssertion: the layout holds indices of these columns
  const sql = (index: number) => sqlName(columns[index]!.name);
  const values = [...layout.prices, ...layout.columns.map(({ index }) => index)].map((index, k) => {
    if (index === NO_COLUMN) return '0::DOUBLE';
    if (written.has(k)) return textExpression(sql(index));
    // A missing number becomes NaN here, so the reader need not look at validity bits.
    return `coalesce(TRY_CAST(${sql(index)} AS DOUBLE), 'NaN'::DOUBLE)`;
  });
  const symbols = new SeenSymbols(name, options);
  const isText = (index: number) => columns[index]?.type === 'VARCHAR';
  const at = findSymbolColumn(
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
  const rowCount = await checkedRows(connection, path, name, { columns: 1 + values.length, rowsMax: BARS_MAX });
  if (rowCount === 0) throw invalid(`${name} holds no bars`);
  const bars = allocateBars(
    rowCount,
    0,
    layout.columns.map((column) => column.name),
  );
  const into = namedColumns(bars).map((column) => column.values);
  const times = isWritten(time.type) ? writtenTimes(rowName, options.dates) : null;
  const readCells = await writtenPrices(
    connection,
    source,
    new Map([...written].map(([k, index]) => [k, sql(index)])),
    {
      rowName,
      decimal: options.decimal,
    },
  );
  let read = 0;
  for await (const chunk of await connection.stream(
    `SELECT ${[timeSql, ...values].join(', ')} FROM ${source} ${where}`,
  )) {
    if (read + chunk.rowCount > rowCount) throw invalid(`${name} must have ${rowCount} rows, as it says, has more`);
    read = copyChunk(chunk, into, read, times?.read, readCells);
  }
  if (read < rowCount && where === '') throw invalid(`${name} must have ${rowCount} rows, as it says, has ${read}`);

  const filled = sliceBars(bars, 0, read);
  const bad = filled.time.findIndex((ms) => !Number.isInteger(ms));
  if (bad !== -1) {
    const cell = `SELECT CAST(${sqlName(time.name)} AS VARCHAR) FROM ${source} ${where} LIMIT 1 OFFSET ${bad}`;
    const [[value] = []] = (await connection.runAndReadAll(cell)).getRows();
    throw invalid(`${rowName(bad)}: timestamp must be a time in whole milliseconds, was ${quote(value)}`);
  }
  const timesAre = times === null ? timeKind(time.type) : times.kind();
  return {
    bars: filled,
    rowName,
    ignoredColumns: layout.ignored,
    leftOut: nothingLeftOut,
    timesAre,
    notes: opens === undefined ? [] : [opens.note],
    volumeName: layout.volumeName,
    symbols: symbols.list(),
  };
}

/** Rows that show which of several times is the open. */
const HEAD_ROWS = 100;

/** The first rows as the cells of a CSV file, times in epoch ms. */
async function headRows(
  connection: DuckDBConnection,
  source: string,
  columns: readonly { readonly name: string; readonly type: string }[],
): Promise<TextRecord[]> {
  const cells = columns.map(({ name, type }) => {
    const time = isWritten(type) ? null : timeExpression(name, type);
    return textExpression(time === null ? sqlName(name) : `TRY_CAST(${time} AS BIGINT)`);
  });
  const found = await connection.runAndReadAll(`SELECT ${cells.join(', ')} FROM ${source} LIMIT ${HEAD_ROWS}`);
  return found.getRows().map((row, k) => ({ cells: row.map(String), line: k + 1 }));
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
  if (isWritten(type)) return textExpression(column);
  const milliseconds = (units: string, perMs: number) =>
    `coalesce((${units} // ${perMs})::DOUBLE + CASE WHEN ${units} % ${perMs} = 0 THEN 0 ELSE 0.5 END, 'NaN'::DOUBLE)`;
  if (type === 'TIMESTAMP WITH TIME ZONE') return milliseconds(`epoch_us(${column})`, 1_000);
  if (type === 'TIMESTAMP_NS') return milliseconds(`epoch_ns(${column})`, 1_000_000);
  return /^(DATE|TIMESTAMP(_S|_MS)?)$/.test(type) ? milliseconds(`epoch_us(${column}::TIMESTAMP)`, 1_000) : null;
}

/** SQL for the text of a cell, no longer than any time or price is. */
const textExpression = (column: string): string =>
  `left(coalesce(CAST(${column} AS VARCHAR), ''), ${TIME_LENGTH_MAX + 1})`;

/** What times of a type leave open: Parquet keeps local ones apart from those in UTC. */
const timeKind = (type: string): TimeKind =>
  type === 'DATE' ? 'day' : type === 'TIMESTAMP WITH TIME ZONE' ? 'instant' : 'local';

/** Rows that show the decimal mark of prices written as text. */
const MARK_ROWS = 100;

/**
 * Readers of prices that are text, by the rules of CSV cells.
 * @param columns SQL names by place in `priceColumns`
 */
async function writtenPrices(
  connection: DuckDBConnection,
  source: string,
  columns: ReadonlyMap<number, string>,
  { rowName, decimal }: { rowName: (index: number) => string; decimal: DecimalMark | undefined },
): Promise<Map<number, ReadTimes>> {
  if (columns.size === 0) return new Map();
  const select = [...columns.values()].map(textExpression).join(', ');
  const shown = (await connection.runAndReadAll(`SELECT ${select} FROM ${source} LIMIT ${MARK_ROWS}`)).getRows();
  const found = decimal === undefined ? findDecimalMark(shown.flat().map(String)) : { mark: decimal };
  if ('unclear' in found) {
    const rule = `the comma in ${quote(found.unclear)} may group thousands or begin a fraction`;
    throw invalid(`${rowName(0)}: ${rule}; data import --decimal point or comma says which`);
  }
  const parse = cellParsers[found.mark];
  const reader = (k: number): ReadTimes => {
    let row = 0;
    return (vector, into, count) => {
      for (let i = 0; i < count; i++, row++) {
        const cell = String(vector.getItem(i));
        into[i] = parse(cell);
        if (Number.isNaN(into[i]))
          throw invalid(`${rowName(row)}: ${priceColumns[k]} must be a number, was ${quote(cell)}`);
      }
    };
  };
  return new Map([...columns.keys()].map((k) => [1 + k, reader(k)]));
}

/** Reads written times in the format of the first one. */
function writtenTimes(rowName: (index: number) => string, dates: DateOrder | undefined) {
  let format: TimeFormat | null = null;
  let row = 0;
  const read: ReadTimes = (vector, into, count) => {
    for (let i = 0; i < count; i++, row++) {
      const cell = String(vector.getItem(i)).trim();
      format ??= detectTimeFormat(cell, dates);
      into[i] = format?.parse(cell) ?? NaN;
      if (!Number.isNaN(into[i])) continue;
      throw invalid(`${rowName(row)}: timestamp ${timeRule(cell, format)}`);
    }
  };
  return { read, kind: (): TimeKind => format?.kind ?? 'instant' };
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
