// biome-ignore-all lint/style/noNonNullAssertion: indices come from the header, and a row has its cells
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { DuckDBVector } from '@duckdb/node-api';
import { EngineError, quote } from '../../engine/errors.js';
import { COLUMN_NAME_RULE, HOUR_MS, isoTime } from '../../engine/series/index.js';
import { canBeColumn, checkColumns, findTimeColumn } from '../bars/columns.js';
import { isNumeric, parseNumber } from '../bars/number-cells.js';
import { isWritten, numberType, timeExpression } from '../bars/read-parquet.js';
import { forEachRecord, surveyText } from '../bars/text-records.js';
import { detectTimeFormat, type TimeFormat, timeRule } from '../bars/time-cells.js';
import { duckDbReason, parquetSource, sqlName, vectorItems } from '../duckdb.js';
import { oneLine } from '../one-line.js';
import { checkedRows, withForeignParquet } from '../parquet-bounds.js';
import type { PublishedRows } from './series.js';

interface SeriesRequest {
  /** Column of the times; by default the one with a usual name. */
  readonly time?: string | undefined;
  /** Column of the times of publication; by default a value is published when its period ends. */
  readonly published?: string | undefined;
  /** Length of a period that begins at the time; 0 when the time is the time of publication. */
  readonly periodMs: number;
  /** Columns to read, by the name that they get; by default every column of numbers. */
  readonly columns?: ReadonlyMap<string, string> | undefined;
}

interface ReadSeries {
  readonly rows: ReadonlyMap<string, PublishedRows>;
  /**
   * Set where the times are taken as times of publication, but all lie on a grid of this width, as
   * the starts of periods do.
   */
  readonly gridMs: number | null;
}

/** The columns that a request means, as indices into the columns of the file. */
interface SeriesLayout {
  readonly times: readonly number[];
  readonly values: readonly { readonly name: string; readonly index: number }[];
}

/** Columns of a file as numbers: times in epoch ms, then values with NaN for none. */
interface ReadTable {
  readonly times: readonly Float64Array[];
  readonly values: ReadonlyMap<string, Float64Array>;
  readonly rowName: (index: number) => string;
}

const SERIES_ROWS_MAX = 20_000_000;

/**
 * Reads values with times of their own from a CSV or Parquet file with a header.
 * @throws NOT_FOUND without a file; INVALID_DATA naming the row or column that is wrong
 */
export async function readSeries(path: string, request: SeriesRequest): Promise<ReadSeries> {
  const name = oneLine(basename(path));
  const found = await stat(path).catch(() => null);
  if (found === null) throw new EngineError('NOT_FOUND', `there is no file ${quote(path)}`);
  if (!found.isFile()) throw invalid(`${name} is not a file`);
  const isParquet = /^\.(parquet|pq)$/i.test(extname(path));
  const table = await (isParquet ? readParquetTable : readCsvTable)(path, name, request);
  const [time, stamped] = table.times as [Float64Array, Float64Array?];
  if (time.length === 0) throw invalid(`${name} holds no rows`);
  const published = stamped ?? time.map((ms) => ms + request.periodMs);
  const early = published.findIndex((ms, i) => ms < time[i]! + request.periodMs);
  if (early !== -1) {
    const end = isoTime(time[early]! + request.periodMs);
    const rule = request.periodMs === 0 ? 'its time' : 'the end of its period';
    throw invalid(`${table.rowName(early)}: published ${isoTime(published[early]!)} before ${rule}, ${end}`);
  }
  const rows = [...table.values].map(([column, value]) => [column, { period: time, published, value }] as const);
  return { rows: new Map(rows), gridMs: stamped === undefined && request.periodMs === 0 ? grid(time) : null };
}

/** The commonest distance of times that are all multiples of it, if it is an hour or more. */
function grid(times: Float64Array): number | null {
  const sorted = times.toSorted();
  const counts = new Map<number, number>();
  for (let i = 1; i < sorted.length; i++) {
    const step = sorted[i]! - sorted[i - 1]!;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const [step = 0] = [...counts].sort(([a, m], [b, n]) => n - m || a - b)[0] ?? [];
  return step >= HOUR_MS && sorted.every((ms) => ms % step === 0) ? step : null;
}

/** @throws INVALID_DATA for a column that the file lacks, and for a name that no column may have */
function findLayout(
  names: readonly string[],
  where: string,
  { time, published, columns }: SeriesRequest,
  isNumbers: (index: number) => boolean,
): SeriesLayout {
  checkColumns(names, where);
  const indexOf = (name: string): number => {
    const index = names.indexOf(name);
    if (index === -1)
      throw invalid(`${where}: no column ${quote(name)}, found ${names.slice(0, 20).map(quote).join(', ')}`);
    return index;
  };
  const timeIndex = time === undefined ? findTimeColumn(names) : indexOf(time);
  if (timeIndex === undefined) throw invalid(`${where}: no time column, name it with --time`);
  const times = published === undefined ? [timeIndex] : [timeIndex, indexOf(published)];
  const values =
    columns === undefined
      ? names.flatMap((name, index) =>
          times.includes(index) || !canBeColumn(name) || !isNumbers(index) ? [] : [{ name, index }],
        )
      : [...columns].map(([name, from]) => ({ name, index: indexOf(from) }));
  if (values.length === 0)
    throw invalid(`${where}: no column of numbers with a fit name, name one with --column NAME=FROM`);
  const misnamed = values.find(({ name }) => !canBeColumn(name));
  if (misnamed !== undefined) {
    const rule = `column must be ${COLUMN_NAME_RULE}, and no name of a time or price`;
    throw new EngineError('INVALID_FIELD', `${rule}, was ${quote(misnamed.name)}`, { field: 'column' });
  }
  return { times, values };
}

async function readCsvTable(path: string, name: string, request: SeriesRequest): Promise<ReadTable> {
  const text = await surveyText(path, name);
  if (text.lineCount > SERIES_ROWS_MAX) throw invalid(`${name} must have at most ${SERIES_ROWS_MAX} rows`);
  let header: string[] | null = null;
  let layout: SeriesLayout | null = null;
  const texts = new Set<string>();
  const lines: number[] = [];
  const times: number[][] = [];
  const values: number[][] = [];
  const formats: (TimeFormat | null)[] = [];
  await forEachRecord(text, (cells, line) => {
    if (cells.length === 1 && cells[0]!.trim() === '') return;
    if (header === null) {
      header = cells.map((cell) => cell.trim());
      return;
    }
    const where = `${name} line ${line}`;
    if (cells.length !== header.length)
      throw invalid(`${where}: row must have ${header.length} cells, has ${cells.length}`);
    if (layout === null) {
      layout = findLayout(header, name, request, (index) => isNumeric(cells[index]!));
      for (const _ of layout.times) times.push([]);
      for (const _ of layout.values) values.push([]);
    }
    for (const [k, index] of layout.times.entries()) {
      const cell = cells[index]!.trim();
      formats[k] ??= detectTimeFormat(cell);
      times[k]!.push(readTime(cell, formats[k] ?? null, where));
    }
    for (const [k, { name: column, index }] of layout.values.entries()) {
      const cell = cells[index]!;
      if (!isNumeric(cell)) {
        if (request.columns !== undefined) throw invalid(`${where}: ${column} must be a number, was ${quote(cell)}`);
        texts.add(column);
      }
      values[k]!.push(parseNumber(cell));
    }
    lines.push(line);
  });
  // A callback assigns the layout, which the compiler does not see.
  const read = (layout as SeriesLayout | null)?.values ?? [];
  if (read.length === 0) throw invalid(`${name} holds no rows`);
  const numbers = read.flatMap(({ name: column }, k) =>
    texts.has(column) ? [] : [[column, Float64Array.from(values[k]!)] as const],
  );
  return {
    times: times.map((column) => Float64Array.from(column)),
    values: new Map(numbers),
    rowName: (index) => `${name} line ${lines[index]}`,
  };
}

function readTime(cell: string, format: TimeFormat | null, where: string): number {
  const ms = format?.parse(cell) ?? NaN;
  if (!Number.isNaN(ms)) return ms;
  throw invalid(`${where}: time ${timeRule(cell, format)}`);
}

async function readParquetTable(path: string, name: string, request: SeriesRequest): Promise<ReadTable> {
  const source = parquetSource(path);
  const rowName = (index: number) => `${name} row ${index + 1}`;
  try {
    return await withForeignParquet(async (connection) => {
      const schema = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`)).getRows();
      const columns = schema.map(([column, type]) => ({ name: String(column), type: String(type) }));
      const names = columns.map((column) => column.name);
      const layout = findLayout(names, name, request, (index) => numberType.test(columns[index]!.type));
      const timeSql = layout.times.map((index) => {
        const { name: column, type } = columns[index]!;
        const sql = timeExpression(column, type);
        if (sql === null) throw invalid(`${name}: ${column} must be a column of times, was ${quote(type)}`);
        return sql;
      });
      const doubles = layout.values.map(
        ({ index }) => `coalesce(TRY_CAST(${sqlName(names[index]!)} AS DOUBLE), 'NaN'::DOUBLE)`,
      );
      const rowCount = await checkedRows(connection, path, name, {
        columns: timeSql.length + doubles.length,
        rowsMax: SERIES_ROWS_MAX,
      });
      const into = [...timeSql, ...doubles].map(() => new Float64Array(rowCount));
      const readers = [
        ...layout.times.map((index) => (isWritten(columns[index]!.type) ? writtenTimes(rowName) : copied)),
        ...doubles.map(() => copied),
      ];
      let from = 0;
      for await (const chunk of await connection.stream(
        `SELECT ${[...timeSql, ...doubles].join(', ')} FROM ${source}`,
      )) {
        const count = chunk.rowCount;
        if (from + count > rowCount) throw invalid(`${name} must have ${rowCount} rows, as it says, has more`);
        for (const [k, read] of readers.entries()) into[k]!.set(read(chunk.getColumnVector(k), count, from), from);
        from += count;
      }
      if (from < rowCount) throw invalid(`${name} must have ${rowCount} rows, as it says, has ${from}`);
      const times = layout.times.map((index, k) =>
        isWritten(columns[index]!.type) ? into[k]! : wholeTimes(into[k]!, rowName),
      );
      const values = layout.values.map(({ name: column }, k) => [column, into[times.length + k]!] as const);
      return { times, values: new Map(values), rowName };
    });
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw invalid(`${name} cannot be read as Parquet: ${duckDbReason(error)}`);
  }
}

type ReadVector = (vector: DuckDBVector, count: number, from: number) => ArrayLike<number>;

const copied: ReadVector = (vector) => vectorItems<Float64Array>(vector);

/** Reads written times in the format of the first one. */
function writtenTimes(rowName: (index: number) => string): ReadVector {
  let format: TimeFormat | null = null;
  return (vector, count, from) =>
    Array.from({ length: count }, (_, i) => {
      const cell = String(vector.getItem(i)).trim();
      format ??= detectTimeFormat(cell);
      return readTime(cell, format, rowName(from + i));
    });
}

/** A time between two milliseconds counts from the later one, so that nothing is known early. */
function wholeTimes(times: Float64Array, rowName: (index: number) => string): Float64Array {
  const missing = times.findIndex(Number.isNaN);
  if (missing !== -1) throw invalid(`${rowName(missing)}: time is missing`);
  return times.map(Math.ceil);
}

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);
