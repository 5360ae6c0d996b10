import { writeFile } from 'node:fs/promises';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { type BytesColumn, isMissing, rowCountOf, type SharedColumns, type TableColumn } from '../tables/table.js';

/** Rows as columns of their own and columns that many rows share; `order` names all columns. */
export interface PartRows {
  readonly columns: readonly (TableColumn | BytesColumn)[];
  readonly shared: SharedColumns;
  readonly order: readonly string[];
  /** Shared strings such as 2024-01-31 that are written as dates. */
  readonly dates: readonly string[];
}

type SchemaElement = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>[number];
type StoredType = (TableColumn | BytesColumn)['type'] | 'date';
type Cell = string | number | boolean;
type Cells = ArrayLike<Cell | Uint8Array | null>;

const DAY_MS = 86_400_000;

/**
 * The schema element of each type, which DuckDB reads as its own type, and the conversion of a cell
 * where it needs one.
 */
const storages: Readonly<
  Record<StoredType, { readonly element: Partial<SchemaElement>; readonly store?: (cell: Cell) => unknown }>
> = {
  double: { element: { type: 'DOUBLE' } },
  integer: { element: { type: 'INT64' }, store: BigInt },
  /** Milliseconds, not adjusted to UTC, which is by convention. */
  time: {
    element: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
    store: BigInt,
  },
  date: { element: { type: 'INT32', converted_type: 'DATE' }, store: (cell) => Date.parse(String(cell)) / DAY_MS },
  boolean: { element: { type: 'BOOLEAN' } },
  text: { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' } },
  bytes: { element: { type: 'BYTE_ARRAY' } },
};

/**
 * Writes rows to a Parquet file as one row group, uncompressed and without statistics. Such a file
 * is written often, read seldom and soon joined with others. DuckDB inspects every cell and takes
 * four times as long to write a row of a sweep.
 */
export async function writePartFile(path: string, rows: PartRows): Promise<void> {
  await writeFile(path, encodePart(rows));
}

function encodePart({ columns, shared, order, dates }: PartRows): Uint8Array {
  const rowCount = rowCountOf(columns);
  const own = columns.map((column): [string, ColumnSource & { storedAs: StoredType }] => [
    column.name,
    { name: column.name, storedAs: column.type, data: storedCells(column.values as Cells, column.type) },
  ]);
  const lent = shared.columns.map((column): [string, ColumnSource & { storedAs: StoredType }] => {
    const type = dates.includes(column.name) ? 'date' : column.type;
    const cells = storedCells(column.values as Cells, type);
    return [column.name, { name: column.name, storedAs: type, data: takeAt(cells, shared.rowOf) }];
  });
  const sources = new Map([...own, ...lent]);
  // biome-ignore lint/style/noNonNullAssertion: the order lists names of the sources
  const inOrder = order.map((name) => sources.get(name)!);
  const schema: SchemaElement[] = [
    { name: 'rows', num_children: inOrder.length },
    ...inOrder.map(({ name, storedAs }) => ({
      ...storages[storedAs].element,
      name,
      repetition_type: 'OPTIONAL' as const,
    })),
  ];
  const columnData = inOrder.map(({ name, data }) => ({ name, data }));
  const options = { codec: 'UNCOMPRESSED', statistics: false, rowGroupSize: rowCount, createdBy: 'barline' } as const;
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, ...options }));
}

type Stored = ColumnSource['data'];

/** The cells as the file stores them; null where a value is missing. */
function storedCells(values: Cells, type: StoredType): Stored {
  const { store } = storages[type];
  if (store === undefined && values instanceof Float64Array && !values.some(Number.isNaN)) return values;
  return Array.from(values, (value) => {
    if (value === null || isMissing(value)) return null;
    return value instanceof Uint8Array ? value : (store?.(value) ?? value);
  });
}

function takeAt(cells: Stored, rowOf: Int32Array): Stored {
  const taken = new Array<unknown>(rowOf.length);
  // biome-ignore lint/style/noNonNullAssertion: rowOf has one entry for each row
  for (let i = 0; i < taken.length; i++) taken[i] = cells[rowOf[i]!];
  return taken;
}
