import { stat } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { EngineError, quote } from '../../engine/errors.js';
import { replaceFile } from '../files.js';
import type { TableColumn, TimeZoneMark } from './table.js';
import { writeArrow } from './write-arrow.js';
import { writeCsv } from './write-csv.js';
import { writeParquet } from './write-parquet.js';

type Write = (path: string, columns: readonly TableColumn[], mark: TimeZoneMark) => Promise<void>;

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
