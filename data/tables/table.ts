/**
 * A named column of a table for output. A missing value is null (or NaN in a column of doubles or
 * times): an empty cell in CSV, NULL in Parquet and Arrow.
 */
export type TableColumn =
  | { readonly name: string; readonly type: 'double'; readonly values: Float64Array | readonly (number | null)[] }
  /** Integers that a double holds exactly. */
  | { readonly name: string; readonly type: 'integer'; readonly values: ArrayLike<number | null> }
  /** Epoch ms UTC. */
  | { readonly name: string; readonly type: 'time'; readonly values: ArrayLike<number | null> }
  | { readonly name: string; readonly type: 'boolean'; readonly values: readonly (boolean | null)[] }
  | { readonly name: string; readonly type: 'text'; readonly values: readonly (string | null)[] };

/**
 * What times say of their zone: UTC; or nothing, as in files of our own, and as spreadsheets read
 * them.
 */
export type TimeZoneMark = 'utc' | 'none';

/** Bytes, which only part files hold. */
export interface BytesColumn {
  readonly name: string;
  readonly type: 'bytes';
  readonly values: readonly (Uint8Array | null)[];
}

/** Columns that rows share: row i of the table takes its values from their row `rowOf[i]`. */
export interface SharedColumns {
  readonly rowOf: Int32Array;
  readonly columns: readonly TableColumn[];
}

export const isMissing = (value: unknown): boolean => value === null || value === undefined || Number.isNaN(value);

/**
 * The number of rows of a table.
 * @throws Error for columns of different lengths or with the same name, which only a bug can cause
 */
export function checkedRowCount(columns: readonly (TableColumn | BytesColumn)[]): number {
  const names = new Set(columns.map(({ name }) => name));
  const rowCount = columns[0]?.values.length ?? 0;
  if (names.size !== columns.length || columns.some(({ values }) => values.length !== rowCount)) {
    throw new Error('columns of a table must have different names and the same length');
  }
  return rowCount;
}

/** The rows of several tables below each other. A column that a table lacks is missing in its rows. */
export function joinRows(tables: readonly (readonly TableColumn[])[]): TableColumn[] {
  const types = new Map(tables.flatMap((columns) => columns.map(({ name, type }) => [name, type] as const)));
  return [...types].map(([name, type]) => {
    const values = tables.flatMap((columns): unknown[] => {
      const found = columns.find((column) => column.name === name);
      if (found === undefined) return new Array(checkedRowCount(columns)).fill(null);
      return Array.from(found.values as ArrayLike<unknown>);
    });
    return { name, type, values } as TableColumn; // each part has the type of its name
  });
}
