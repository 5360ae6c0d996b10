import { open } from 'node:fs/promises';
import { isoTime } from '../../engine/series/index.js';
import { isMissing, rowCountOf, type TableColumn } from './table.js';

const BLOCK_ROWS = 10_000;

/**
 * Writes columns to a CSV file (RFC 4180 with line feeds, UTF-8) with a header. Numbers have the
 * shortest form that reads back to the same double, times are ISO 8601 UTC, and missing values are
 * empty cells.
 */
export async function writeCsv(path: string, columns: readonly TableColumn[]): Promise<void> {
  const rowCount = rowCountOf(columns);
  const cells = columns.map(cellWriter);
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

function cellWriter({ type, values }: TableColumn): (row: number) => string {
  const write = type === 'text' ? textCell : type === 'time' ? (value: unknown) => isoTime(Number(value)) : String;
  return (row) => (isMissing(values[row]) ? '' : write(String(values[row])));
}

const textCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
