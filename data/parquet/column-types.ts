import type { TableColumn } from '../tables/table.js';
import type { ByteWriter } from './byte-writer.js';
import { packBits } from './runs-of-bits.js';
import { flag, int32, struct, type Thrift } from './thrift.js';

export type ColumnType = TableColumn['type'] | 'date';
export type Cell = string | number | boolean;

/** How cells of a type stand in a file, and what the schema says of them, so that DuckDB reads its own types. */
interface Storage {
  /** Number of the physical type. */
  readonly physical: number;
  /** Fields of the schema element beyond name and physical type. */
  readonly annotation: Readonly<Record<number, Thrift>>;
  readonly write: (out: ByteWriter, cells: ArrayLike<Cell>) => void;
}

const DAY_MS = 86_400_000;
const CONVERTED_TYPE = 6;
const LOGICAL_TYPE = 10;

const each =
  <T extends Cell>(write: (out: ByteWriter, cell: T) => void) =>
  (out: ByteWriter, cells: ArrayLike<Cell>) => {
    for (let i = 0; i < cells.length; i++) write(out, cells[i] as T);
  };

const int64s = (out: ByteWriter, cells: ArrayLike<Cell>): void => out.int64s(cells as ArrayLike<number>);

/** Milliseconds, not adjusted to UTC, which is by convention. */
const timestamp = struct({ 8: struct({ 1: flag(false), 2: struct({ 1: struct({}) }) }) });

export const storages: Readonly<Record<ColumnType, Storage>> = {
  double: { physical: 5, annotation: {}, write: (out, cells) => out.doubles(cells as ArrayLike<number>) },
  integer: {
    physical: 2,
    annotation: { [CONVERTED_TYPE]: int32(18) },
    write: int64s,
  },
  time: {
    physical: 2,
    annotation: { [CONVERTED_TYPE]: int32(9), [LOGICAL_TYPE]: timestamp },
    write: int64s,
  },
  /** From texts like 2024-01-31. */
  date: {
    physical: 1,
    annotation: { [CONVERTED_TYPE]: int32(6) },
    write: each<string>((out, cell) => out.int32(Date.parse(cell) / DAY_MS)),
  },
  boolean: { physical: 0, annotation: {}, write: (out, cells) => packBits(out, Array.from(cells, Number), 1) },
  text: { physical: 6, annotation: { [CONVERTED_TYPE]: int32(0) }, write: each<string>((out, cell) => out.text(cell)) },
};
