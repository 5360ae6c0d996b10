import { writeFile } from 'node:fs/promises';
import type { Vector } from 'apache-arrow';
import { checkedRowCount, isMissing, type TableColumn, type TimeZoneMark } from './table.js';

/** Writes columns to an Arrow IPC file (also known as Feather 2). Times are timestamps in ms. */
export async function writeArrow(path: string, columns: readonly TableColumn[], mark: TimeZoneMark): Promise<void> {
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
