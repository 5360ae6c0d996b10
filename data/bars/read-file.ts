import { open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { EngineError, quote } from '../../engine/errors.js';
import { oneLine } from '../one-line.js';
import { type InspectedBars, inspectBars, type RawBars } from './inspect.js';
import { readCsv } from './read-csv.js';
import { readParquet } from './read-parquet.js';

export interface ReadBarsOptions {
  /** By default the most frequent spacing of the bars. */
  readonly intervalMs?: number | undefined;
}

type ReadBars = (path: string, name: string) => Promise<RawBars>;

const readers: Readonly<Record<string, ReadBars>> = {
  '.csv': readCsv,
  '.tsv': readCsv,
  '.txt': readCsv,
  '.parquet': readParquet,
  '.pq': readParquet,
};

/**
 * Reads and checks a file of bars. The extension says whether it is CSV or Parquet; for any other
 * extension, the first bytes decide.
 *
 * @throws NOT_FOUND when there is no such file; INVALID_DATA when it cannot be read as bars or
 *   breaks a rule
 */
export async function readBarsFile(path: string, { intervalMs }: ReadBarsOptions = {}): Promise<InspectedBars> {
  const name = oneLine(basename(path));
  try {
    const file = await stat(path);
    if (!file.isFile()) throw new EngineError('INVALID_DATA', `${name} is not a file`);
    const read = readers[extname(path).toLowerCase()] ?? ((await startsLikeParquet(path)) ? readParquet : readCsv);
    return inspectBars(await read(path, name), intervalMs);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof EngineError || typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new EngineError('NOT_FOUND', `there is no file ${quote(path)}`);
    throw new EngineError('INVALID_DATA', `${name} cannot be read (${code})`);
  }
}

async function startsLikeParquet(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1', 0, bytesRead) === 'PAR1';
  } finally {
    await file.close();
  }
}
