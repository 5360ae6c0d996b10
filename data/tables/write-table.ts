import { open, stat, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import type { Vector } from 'apache-arrow';
import { EngineError, quote } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { replaceFile } from '../files.js';
import { checkedRowCount, isMissing, type TableColumn, type TimeZoneMark } from './table.js';
import { writeParquet } from './write-parquet.js';

type Write = (path: string, columns: readonly TableColumn[], mark: TimeZoneMark) => Promise<void>;

const BLOCK_ROWS = 10_000;

/**
 * Writes columns to a CSV file (RFC 4180 with line feeds, UTF-8) with a header. Numbers have the
 * shortest form that reads back to the same double, times are ISO 8601 UTC or, without a mark, such
 * as 2023-06-01 01:00:00, and missing values are empty cells.
 */
async function writeCsv(path: string, columns: readonly TableColumn[], mark: TimeZoneMark): Promise<void> {
  const rowCount = checkedRowCount(columns);
  const cells = columns.map((column) => cellWriter(column, mark));
  const file = await open(path, 'w');
  try {
    await file.write(`${columns.map(({ name }) => textCell(name)).join(',')}\n`);
    for (let from = 0; from < rowCount; from += BLOCK_ROWS) {
      const rows: string[] = [];
      for (let i = from; i < Math.min(from + BLOCK_ROWS, rowCount); i++)
        rows.push(cells.map((cell) => cell(i)).join(','));
      await file.write(`${rows.join('\n')}\n`);
    }
  } finally {
    await file.close();
  }
}

function cellWriter({ type, values }: TableColumn, mark: TimeZoneMark): (row: number) => string {
  const time = (value: string) => isoTime(Number(value));
  const ofTime = mark === 'utc' ? time : (value: string) => time(value).replace('T', ' ').replace('Z', '');
  const write = type === 'text' ? textCell : type === 'time' ? ofTime : String;
  return (row) => (isMissing(values[row]) ? '' : write(String(values[row])));
}

const textCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const writers: Readonly<Record<string, Write>> = {
  '.csv': writeCsv,
  '.parquet': writeParquet,
  '.arrow': writeArrow,
  '.feather': writeArrow,
};

/** The extensions that `writeTable` accepts. */
const tableExtensions: readonly string[] = Object.keys(writers);

/**
 * Writes a table to `path` in the format of its extension. An existing file is replaced, whole or
 * not at all.
 *
 * @throws INVALID_FIELD for another extension; NOT_FOUND when the folder does not exist
 */
export async function writeTable(
  path: string,
  columns: readonly TableColumn[],
  mark: TimeZoneMark = 'utc',
): Promise<void> {
  const write = await writerFor(path);
  await replaceFile(path, (aside) => write(aside, columns, mark));
}

/** Columns of numbers for `columnBatches`, of equal length; times are epoch ms. */
interface NumberColumns {
  readonly times: Readonly<Record<string, Float64Array>>;
  readonly doubles: Readonly<Record<string, Float64Array>>;
}

/**
 * Columns of numbers as an Arrow IPC stream in batches of rows, all of which are in memory before the
 * first is read. The doubles are not copied before they are written, and NaN stays NaN.
 */
export async function* columnBatches({ times, doubles }: NumberColumns, batchRows: number): AsyncGenerator<Uint8Array> {
  const arrow = await import('apache-arrow');
  const time = new arrow.TimestampMillisecond('UTC');
  const double = new arrow.Float64();
  const rowCount = Object.values(times)[0]?.length ?? 0;
  const fields = [
    ...Object.keys(times).map((name) => new arrow.Field(name, time)),
    ...Object.keys(doubles).map((name) => new arrow.Field(name, double)),
  ];
  const writer = new arrow.RecordBatchStreamWriter();
  const schema = new arrow.Schema(fields);
  writer.reset(undefined, schema);
  for (let from = 0; from < rowCount || from === 0; from += batchRows) {
    const cut = (column: Float64Array) => column.subarray(from, from + batchRows);
    const length = Math.min(batchRows, rowCount - from);
    const children = [
      ...Object.values(times).map((column) => arrow.makeData({ type: time, data: int64(cut(column)) })),
      ...Object.values(doubles).map((column) => arrow.makeData({ type: double, data: cut(column) })),
    ];
    const data = arrow.makeData({ type: new arrow.Struct(fields), length, nullCount: 0, children });
    writer.write(new arrow.RecordBatch(schema, data));
  }
  writer.finish();
  for await (const chunk of writer) yield chunk;
}

const TWO_32 = 2 ** 32;

/** Whole numbers as 64-bit integers, by halves: an object for each BigInt costs thirty times as much. */
function int64(values: Float64Array): BigInt64Array {
  const halves = new Int32Array(2 * values.length);
  for (const [i, value] of values.entries()) {
    halves[2 * i] = value % TWO_32;
    halves[2 * i + 1] = Math.floor(value / TWO_32);
  }
  return new BigInt64Array(halves.buffer);
}

/** Refuses a path that `writeTable` would refuse, before the table is computed. */
export async function checkTablePath(path: string): Promise<void> {
  await writerFor(path);
}

async function writerFor(path: string): Promise<Write> {
  const write = writers[extname(path).toLowerCase()];
  if (write === undefined) {
    throw new EngineError('INVALID_FIELD', `file must end in ${tableExtensions.join(', ')}, was ${quote(path)}`, {
      path,
    });
  }
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory())
    throw new EngineError('NOT_FOUND', `there is no folder ${quote(dirname(path))}`, { path });
  return write;
}

/** Writes columns to an Arrow IPC file (also known as Feather 2). Times are timestamps in ms. */
async function writeArrow(path: string, columns: readonly TableColumn[], mark: TimeZoneMark): Promise<void> {
  await writeFile(path, await arrowBytes(columns, 'file', mark));
}

/**
 * Columns in Arrow's IPC format: as a file, or as a stream, which a reader can process as it
 * arrives.
 */
export async function arrowBytes(
  columns: readonly TableColumn[],
  format: 'file' | 'stream',
  mark: TimeZoneMark = 'utc',
): Promise<Uint8Array> {
  checkedRowCount(columns);
  const arrow = await import('apache-arrow');
  const arrowTypes = {
    double: new arrow.Float64(),
    integer: new arrow.Int64(),
    time: new arrow.TimestampMillisecond(mark === 'utc' ? 'UTC' : null),
    boolean: new arrow.Bool(),
    text: new arrow.Utf8(),
  } satisfies Record<TableColumn['type'], unknown>;
  const vector = ({ type, values }: TableColumn): Vector => {
    const present = Array.from(values as ArrayLike<unknown>, (value) => (isMissing(value) ? null : value));
    const cells =
      type === 'integer' ? present.map((value) => (value === null ? null : BigInt(Number(value)))) : present;
    return arrow.vectorFromArray(cells, arrowTypes[type]);
  };
  const table = new arrow.Table(Object.fromEntries(columns.map((column) => [column.name, vector(column)])));
  return arrow.tableToIPC(table, format);
}
