import { readFile, stat } from 'node:fs/promises';
import type { Table, Vector } from 'apache-arrow';
import { EngineError, errorMessage } from '../../engine/errors.js';
import { unpackLz4Frame } from '../lz4-frame.js';
import { oneLine } from '../one-line.js';
import type { RawBars } from './inspect.js';
import { BARS_MAX } from './order-rows.js';
import { readCells } from './read-csv.js';
import type { ReadBarsOptions } from './read-options.js';

/** A file is held in memory as a whole. */
const BYTES_MAX = 1024 * 1024 * 1024;
/** What one buffer, a column of a batch, may unpack to. */
const BUFFER_BYTES_MAX = 512 * 1024 * 1024;

/** The first bytes of an Arrow file, which is Feather 2, and of the older Feather. */
const ARROW_MAGIC = 'ARROW1';
const OLD_FEATHER_MAGIC = 'FEA1';

/** Whether a file begins as Arrow's file or stream format does, or the older Feather. */
export function startsLikeArrow(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  return text.startsWith(ARROW_MAGIC) || text.startsWith(OLD_FEATHER_MAGIC) || text.startsWith('\xff\xff\xff\xff');
}

/**
 * Reads the bars of an Arrow file or stream, or of a Feather file, plain or compressed, by the
 * rules of CSV cells. Times are timestamps of any precision, dates, or numbers or text in a format
 * of CSV cells.
 *
 * @throws INVALID_DATA naming file, row, column, rule and value
 */
export async function readArrow(path: string, name: string, options: ReadBarsOptions): Promise<RawBars> {
  const { size } = await stat(path);
  if (size > BYTES_MAX) throw invalid(`${name} must have at most ${BYTES_MAX} bytes, has ${size}`);
  const bytes = await readFile(path);
  if (bytes.toString('latin1', 0, 4) === OLD_FEATHER_MAGIC) {
    throw invalid(`${name} is Feather of version 1, write it as version 2 (pandas: to_feather)`);
  }
  const table = await decodeTable(bytes, name);
  if (table.numRows > BARS_MAX) throw invalid(`${name} must have at most ${BARS_MAX} rows, has ${table.numRows}`);
  const names = table.schema.fields.map((field) => field.name);
  const columns = await Promise.all(names.map((_, k) => cells(table.getChildAt(k))));
  return readCells(
    {
      name,
      unit: 'row',
      recordCountMax: table.numRows + 1,
      cellCountMax: (table.numRows + 1) * names.length,
      async forEach(onRecord) {
        onRecord(names, 0);
        for (let row = 0; row < table.numRows; row++)
          onRecord(
            columns.map((cell) => cell(row)),
            row + 1,
          );
      },
    },
    options,
  );
}

async function decodeTable(bytes: Uint8Array, name: string): Promise<Table> {
  const { CompressionType, compressionRegistry, tableFromIPC } = await import('apache-arrow');
  const { compressors } = await import('hyparquet-compressors');
  const decoded = (decode: (data: Uint8Array) => Uint8Array) => ({ decode });
  compressionRegistry.set(
    CompressionType.LZ4_FRAME,
    decoded((data) => unpackLz4Frame(data, BUFFER_BYTES_MAX)),
  );
  compressionRegistry.set(
    CompressionType.ZSTD,
    decoded((data) => {
      const length = zstdLength(data);
      if (length === null || length > BUFFER_BYTES_MAX)
        throw new Error(`a zstd buffer longer than ${BUFFER_BYTES_MAX} bytes`);
      // A copy begins where its memory does, as columns of eight bytes must.
      return Uint8Array.from(compressors.ZSTD?.(data, length) ?? data);
    }),
  );
  try {
    return tableFromIPC(bytes);
  } catch (error) {
    throw invalid(`${name} cannot be read as Arrow: ${oneLine(errorMessage(error))}`);
  }
}

/** The unpacked length that the header of a zstd frame states; null where it states none. */
function zstdLength(data: Uint8Array): number | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < 6 || view.getUint32(0, true) !== 0xfd2fb528) return null;
  const flags = view.getUint8(4);
  const isSingle = (flags & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][flags & 3] ?? 0;
  const size = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
  const at = 5 + (isSingle ? 0 : 1) + dictionary;
  if (size === 0 || at + size > data.length) return null;
  if (size === 1) return view.getUint8(at);
  if (size === 2) return view.getUint16(at, true) + 256;
  return size === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

type CellAt = (row: number) => string;

/** The cells of a column as the text that a CSV file would have. */
async function cells(vector: Vector | null): Promise<CellAt> {
  const { DataType } = await import('apache-arrow');
  if (vector === null) return () => '';
  const { type } = vector;
  const value = (row: number): unknown => vector.get(row);
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ? 'Z' : '';
    return (row) => timeText(value(row), zone);
  }
  if (DataType.isDate(type)) return (row) => timeText(value(row), '').slice(0, 'YYYY-MM-DD'.length);
  return (row) => {
    const cell = value(row);
    return cell === null || cell === undefined ? '' : String(cell);
  };
}

/** Epoch ms as ISO 8601; a time between two milliseconds as a number, which no time format reads. */
function timeText(value: unknown, zone: '' | 'Z'): string {
  if (value === null || value === undefined) return '';
  const ms = Number(value);
  if (!Number.isInteger(ms) || Math.abs(ms) > 8.64e15) return String(value);
  return new Date(ms).toISOString().slice(0, -1) + zone;
}

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);
