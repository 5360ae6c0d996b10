import { isMissing, type SharedColumns, type TableColumn } from '../tables/table.js';
import type { Cell, ColumnType } from './column-types.js';

/** A column as a file holds it. */
export interface StoredColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** By row, 1 where it has a cell and 0 where it has none. */
  readonly present: Uint8Array;
  /** Of the rows that have one: the cells themselves, or the different ones and, row by row, which of them it is. */
  readonly cells: ArrayLike<Cell>;
  readonly codes: Int32Array | null;
}

/** So many rows show whether texts repeat; then every other one must, or each is written as it is. */
const TRIED_ROWS = 128;

/** A column with a cell for every row. Texts that repeat are written once. */
export function ownColumn({ name, type, values }: TableColumn): StoredColumn {
  const present = presenceOf(values);
  const cells = presentOf<Cell>(values as ArrayLike<Cell>, present);
  const coded = type === 'text' ? codesOf(cells, (different, rows) => different <= TRIED_ROWS + rows / 2) : null;
  return { name, type, present, cells, codes: null, ...coded };
}

/** A column of which row i has cell `rowOf[i]`. Truth values have no dictionary in Parquet. */
export function sharedColumn({ name, type, values }: TableColumn, { rowOf }: SharedColumns): StoredColumn {
  const has = presenceOf(values);
  const present = takeAt(has, rowOf, new Uint8Array(rowOf.length));
  const places = presentOf(rowOf, present);
  if (type === 'boolean') return { name, type, present, cells: Array.from(places, (k) => values[k]!), codes: null };
  const { cells, codes: kinds } = codesOf(presentOf<Cell>(values as ArrayLike<Cell>, has))!;
  const kindOf = new Int32Array(values.length);
  for (let k = 0, next = 0; k < kindOf.length; k++) if (has[k] === 1) kindOf[k] = kinds[next++]!;
  return { name, type, present, cells, codes: takeAt(kindOf, places, new Int32Array(places.length)) };
}

/** `values` at `places`; most columns have the same everywhere, which is not taken one by one. */
function takeAt<T extends Uint8Array | Int32Array>(values: T, places: ArrayLike<number>, out: T): T {
  if (values.every((value) => value === values[0])) return out.fill(values[0] ?? 0) as T;
  for (let i = 0; i < out.length; i++) out[i] = values[places[i]!]!;
  return out;
}

function presenceOf(values: ArrayLike<unknown>): Uint8Array {
  const present = new Uint8Array(values.length);
  for (let i = 0; i < present.length; i++) present[i] = isMissing(values[i]) ? 0 : 1;
  return present;
}

/** The values of the rows that have one; the same list where all do. */
function presentOf<T>(values: ArrayLike<T>, present: Uint8Array): ArrayLike<T> {
  return present.includes(0) ? Array.from(values).filter((_, i) => present[i] === 1) : values;
}

/** @param isWorthIt asked with the different cells among the rows so far; null when it says no */
function codesOf(
  all: ArrayLike<Cell>,
  isWorthIt: (different: number, rows: number) => boolean = () => true,
): { readonly cells: Cell[]; readonly codes: Int32Array } | null {
  const codes = new Int32Array(all.length);
  const codeOf = new Map<Cell, number>();
  for (let i = 0; i < codes.length; i++) {
    const cell = all[i]!;
    let code = codeOf.get(cell);
    if (code === undefined) {
      code = codeOf.size;
      codeOf.set(cell, code);
      if (!isWorthIt(codeOf.size, i)) return null;
    }
    codes[i] = code;
  }
  return { cells: [...codeOf.keys()], codes };
}
