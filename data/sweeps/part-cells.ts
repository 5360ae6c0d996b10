// biome-ignore-all lint/style/noNonNullAssertion: every index is below the number of cells or rows
import { isMissing, type TableColumn } from '../tables/table.js';

/** Types of columns in a part; a date is written as such, but is a text such as 2024-01-31. */
export type StoredType = TableColumn['type'] | 'date' | 'bytes';

type Cell = string | number | boolean | Uint8Array;
type Cells = ArrayLike<Cell | null>;

/** The cells of a column in the encodings of Parquet. */
export interface EncodedCells {
  /** The distinct cells one after the other, if `values` has their indices. */
  readonly dictionary: { readonly bytes: Uint8Array; readonly count: number } | null;
  /** Which rows have a cell: definition levels. */
  readonly levels: Uint8Array;
  /** The cells that are there, or their indices. */
  readonly values: Uint8Array;
  /** Number of rows without a cell. */
  readonly missing: number;
  readonly byteCount: number;
}

/** Each cell by itself: PLAIN. */
export function plainCells(type: StoredType, cells: Cells): EncodedCells {
  const isWhole = cells instanceof Float64Array && !cells.some(Number.isNaN);
  const there = isWhole ? cells : Array.prototype.filter.call(cells, (cell: Cell | null) => !isMissing(cell));
  const missing = cells.length - there.length;
  const levels =
    missing === 0 ? allThere(cells.length) : definitionLevels(cells.length, (row) => !isMissing(cells[row]));
  return encoded({ dictionary: null, levels, values: plain(type, there), missing });
}

/**
 * Cells that rows share, each written once with an index per row. If all rows have the same cell,
 * the index is written once too.
 * @param cells may repeat
 * @param placeOf index in `cells` per row
 */
export function dictionaryCells(type: StoredType, cells: Cells, placeOf: Int32Array): EncodedCells {
  // Booleans have no dictionary in Parquet.
  if (type === 'boolean')
    return plainCells(
      type,
      Array.from(placeOf, (place) => cells[place]!),
    );
  const distinct = new Map<Cell, number>();
  const indices = Int32Array.from(cells, (cell) => {
    if (isMissing(cell)) return MISSING;
    const index = distinct.get(cell!) ?? distinct.size;
    distinct.set(cell!, index);
    return index;
  });
  const dictionary = { bytes: plain(type, [...distinct.keys()]), count: distinct.size };
  const rowCount = placeOf.length;
  if (!indices.includes(MISSING)) {
    const values = indexValues(distinct.size, rowCount, (row) => indices[placeOf[row]!]!);
    return encoded({ dictionary, levels: allThere(rowCount), values, missing: 0 });
  }
  const there = placeOf.filter((place) => indices[place] !== MISSING);
  return encoded({
    dictionary,
    levels: definitionLevels(rowCount, (row) => indices[placeOf[row]!] !== MISSING),
    values: indexValues(distinct.size, there.length, (i) => indices[there[i]!]!),
    missing: rowCount - there.length,
  });
}

const MISSING = -1;

const encoded = (cells: Omit<EncodedCells, 'byteCount'>): EncodedCells => ({
  ...cells,
  byteCount: (cells.dictionary?.bytes.length ?? 0) + cells.levels.length + cells.values.length,
});

/** A run of the hybrid encoding: one value of no or one byte, repeated. */
const repeated = (count: number, ...value: number[]): Uint8Array => Uint8Array.from([...varint(count * 2), ...value]);

const allThere = (rowCount: number): Uint8Array => repeated(rowCount, 1);

/** Definition levels, one bit a row. */
function definitionLevels(rowCount: number, isThere: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rowCount / 8));
  for (let row = 0; row < rowCount; row++) if (isThere(row)) bits[row >> 3]! |= 1 << (row & 7);
  return joined(packedHeader(rowCount), bits);
}

/**
 * Indices in a dictionary, with their width in bits before them. They take whole bytes, so that
 * packing them is a copy.
 */
function indexValues(distinct: number, count: number, indexOf: (i: number) => number): Uint8Array {
  if (distinct <= 1) return joined(Uint8Array.of(0), repeated(count));
  const Indices = distinct <= 2 ** 8 ? Uint8Array : distinct <= 2 ** 16 ? Uint16Array : Uint32Array;
  const indices = new Indices(Math.ceil(count / 8) * 8);
  for (let i = 0; i < count; i++) indices[i] = indexOf(i);
  return joined(Uint8Array.of(8 * Indices.BYTES_PER_ELEMENT), packedHeader(count), viewBytes(indices));
}

/** What comes before values packed in groups of eight. */
const packedHeader = (count: number): Uint8Array => Uint8Array.from(varint(Math.ceil(count / 8) * 2 + 1));

/** Seven bits a byte, the lowest first. */
function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

/** Cells in a row, in the byte order of the machine: little-endian wherever Node runs. */
function plain(type: StoredType, cells: Cells): Uint8Array {
  switch (type) {
    case 'double':
      return viewBytes(cells instanceof Float64Array ? cells : Float64Array.from(cells as ArrayLike<number>));
    case 'integer':
    case 'time':
      return wideIntegers(cells as ArrayLike<number>);
    case 'date':
      return viewBytes(Int32Array.from(cells as ArrayLike<string>, (text) => Date.parse(text) / DAY_MS));
    case 'boolean':
      return bits(cells as ArrayLike<boolean>);
    case 'text':
      return texts(cells as ArrayLike<string>);
    case 'bytes':
      return byteStrings(cells as ArrayLike<Uint8Array>);
  }
}

const DAY_MS = 86_400_000;

/** As two words of 32 bits each, since making a BigInt of every cell would take longer. */
function wideIntegers(cells: ArrayLike<number>): Uint8Array {
  const words = new Int32Array(2 * cells.length);
  for (let i = 0; i < cells.length; i++) {
    words[2 * i] = cells[i]!; // keeps the lower 32 bits
    words[2 * i + 1] = Math.floor(cells[i]! / 2 ** 32);
  }
  return viewBytes(words);
}

function bits(cells: ArrayLike<boolean>): Uint8Array {
  const packed = new Uint8Array(Math.ceil(cells.length / 8));
  for (let i = 0; i < cells.length; i++) if (cells[i]) packed[i >> 3]! |= 1 << (i & 7);
  return packed;
}

/** Bytes of a length before each text or string of bytes. */
const LENGTH_BYTES = 4;

function texts(cells: ArrayLike<string>): Uint8Array {
  let room = 0;
  for (let i = 0; i < cells.length; i++) room += LENGTH_BYTES + Buffer.byteLength(cells[i]!);
  const bytes = Buffer.allocUnsafe(room);
  let at = 0;
  for (let i = 0; i < cells.length; i++) {
    const length = bytes.write(cells[i]!, at + LENGTH_BYTES);
    bytes.writeUInt32LE(length, at);
    at += LENGTH_BYTES + length;
  }
  return bytes;
}

function byteStrings(cells: ArrayLike<Uint8Array>): Uint8Array {
  let room = 0;
  for (let i = 0; i < cells.length; i++) room += LENGTH_BYTES + cells[i]!.length;
  const bytes = Buffer.allocUnsafe(room);
  let at = 0;
  for (let i = 0; i < cells.length; i++) {
    at = bytes.writeUInt32LE(cells[i]!.length, at);
    bytes.set(cells[i]!, at);
    at += cells[i]!.length;
  }
  return bytes;
}

const viewBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
