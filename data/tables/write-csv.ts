import { open } from 'node:fs/promises';
import { isoTime } from '../../engine/series/index.js';
import { checkedRowCount, isMissing, type TableColumn, type TimeZoneMark } from './table.js';

const BLOCK_ROWS = 10_000;

/**
 * Writes columns to a CSV file (RFC 4180 with line feeds, UTF-8) with a header. Numbers have the
 * shortest form that reads back to the same double, times are ISO 8601 UTC or, without a mark, such
 * as 2023-06-01 01:00:00, and missing values are empty cells.
 */
export async function writeCsv(path: string, columns: readonly TableColumn[], mark: TimeZoneMark): Promise<void> {
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
