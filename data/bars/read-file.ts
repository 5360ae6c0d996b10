import { open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { EngineError, quote } from '../../engine/errors.js';
import { oneLine } from '../one-line.js';
import { type InspectedBars, inspectBars, type RawBars } from './inspect.js';
import { BARS_MAX, joinFiles, orderRows } from './order-rows.js';
import { readCsv } from './read-csv.js';
import type { ReadBarsOptions } from './read-options.js';
import { readParquet } from './read-parquet.js';
import { checkSymbols } from './symbols.js';

type ReadBars = (path: string, name: string, options: ReadBarsOptions) => Promise<RawBars>;

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
export const readBarsFile = (path: string, options: ReadBarsOptions = {}): Promise<InspectedBars> =>
  readBarsFiles([path], options);

/**
 * Reads and checks several files as one series, in the order of their first bars.
 * @param paths at least one
 */
export async function readBarsFiles(paths: readonly string[], options: ReadBarsOptions = {}): Promise<InspectedBars> {
  const files: RawBars[] = [];
  let barCount = 0;
  for (const path of paths) {
    const file = await readRaw(path, options);
    barCount += file.bars.barCount;
    if (barCount > BARS_MAX) {
      throw new EngineError('INVALID_DATA', `files must have at most ${BARS_MAX} bars together, have more`);
    }
    files.push(file);
  }
  const names = paths.map((path) => oneLine(basename(path))).join(', ');
  checkSymbols(symbolsOf(files), barCount, names, options);
  const filled = files.filter(({ bars }) => bars.barCount > 0);
  return inspectBars(orderRows(joinFiles(filled), options), options.intervalMs);
}

/** The symbols that the rows of files have; empty where no file has a column of symbols. */
export async function readSymbols(paths: readonly string[], options: ReadBarsOptions): Promise<readonly string[]> {
  const files: RawBars[] = [];
  for (const path of paths) files.push(await readRaw(path, options));
  return symbolsOf(files);
}

const symbolsOf = (files: readonly RawBars[]): readonly string[] =>
  [...new Set(files.flatMap(({ symbols = [] }) => symbols))].sort();

async function readRaw(path: string, options: ReadBarsOptions): Promise<RawBars> {
  const name = oneLine(basename(path));
  try {
    const file = await stat(path);
    if (!file.isFile()) throw new EngineError('INVALID_DATA', `${name} is not a file`);
    const read = readers[extname(path).toLowerCase()] ?? ((await startsLikeParquet(path)) ? readParquet : readCsv);
    return await read(path, name, options);
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
