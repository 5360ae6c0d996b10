import { open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { EngineError, quote } from '../../engine/errors.js';
import { oneLine } from '../one-line.js';
import { errorCode } from '../outage.js';
import { type InspectedBars, inspectBars, type RawBars } from './inspect.js';
import { BARS_MAX, joinFiles, orderRows } from './order-rows.js';
import { readArrow, startsLikeArrow } from './read-arrow.js';
import { readCsv } from './read-csv.js';
import { readJson, startsLikeJson } from './read-json.js';
import type { ReadBarsOptions } from './read-options.js';
import { readParquet } from './read-parquet.js';
import { settleVolume } from './readings.js';
import { checkSymbols } from './symbols.js';
import { foreignKind } from './text-records.js';
import { checkTimezone, toUtc } from './time-zones.js';

type ReadBars = (path: string, name: string, options: ReadBarsOptions) => Promise<RawBars>;

const readers: Readonly<Record<string, ReadBars>> = {
  '.csv': readCsv,
  '.tsv': readCsv,
  '.txt': readCsv,
  '.parquet': readParquet,
  '.pq': readParquet,
  '.json': readJson,
  '.jsonl': readJson,
  '.ndjson': readJson,
  '.feather': readArrow,
  '.arrow': readArrow,
  '.ipc': readArrow,
};

/** Text with any extension may be JSON, and a file without a known one anything. */
const HEAD_BYTES = 256;

/**
 * Reads and checks a file of bars. The extension says whether it is CSV, JSON, Parquet or Arrow;
 * for any other extension, and for JSON in a text file, the first bytes decide.
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
  if (options.timezone !== undefined) checkTimezone(options.timezone);
  const files: RawBars[] = [];
  let barCount = 0;
  for (const path of paths) {
    const file = inZone(await readRaw(path, options), options);
    barCount += file.bars.barCount;
    if (barCount > BARS_MAX) {
      throw new EngineError('INVALID_DATA', `files must have at most ${BARS_MAX} bars together, have more`);
    }
    files.push(file);
  }
  const names = paths.map((path) => oneLine(basename(path))).join(', ');
  checkSymbols(listSymbols(files), barCount, names, options);
  const filled = files.filter(({ bars }) => bars.barCount > 0);
  return inspectBars(orderRows(joinFiles(filled), options), options.intervalMs);
}

/**
 * The bars of a file with their times in UTC.
 * @throws INVALID_FIELD when a time zone is given that the times of the file cannot obey
 */
function inZone(file: RawBars, { timezone }: ReadBarsOptions): RawBars {
  if (timezone === undefined) return file;
  const { bars, rowName, timesAre } = file;
  if (timesAre !== 'local') {
    const fact =
      timesAre === 'day' ? 'days without a time, which are days of UTC' : 'already times in UTC or of a zone';
    const rule = `timezone must be left out: the times are ${fact} (${rowName(0)})`;
    throw new EngineError('INVALID_FIELD', rule, { field: 'timezone' });
  }
  toUtc(bars.time, timezone, rowName);
  return { ...file, timesAre: 'instant' };
}

/** The symbols that the rows of files have; empty where no file has a column of symbols. */
export async function readSymbols(paths: readonly string[], options: ReadBarsOptions): Promise<readonly string[]> {
  const files: RawBars[] = [];
  for (const path of paths) files.push(await readRaw(path, options));
  return listSymbols(files);
}

const listSymbols = (files: readonly RawBars[]): readonly string[] =>
  [...new Set(files.flatMap(({ symbols = [] }) => symbols))].sort();

async function readRaw(path: string, options: ReadBarsOptions): Promise<RawBars> {
  const name = oneLine(basename(path));
  try {
    const file = await stat(path);
    if (!file.isFile()) throw new EngineError('INVALID_DATA', `${name} is not a file`);
    return settleVolume(await (await reader(path))(path, name, options));
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof EngineError || code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new EngineError('NOT_FOUND', `there is no file ${quote(path)}`);
    throw new EngineError('INVALID_DATA', `${name} cannot be read (${code})`);
  }
}

async function reader(path: string): Promise<ReadBars> {
  const named = readers[extname(path).toLowerCase()];
  if (named !== undefined && named !== readCsv && named !== readJson) return named;
  const head = await readHead(path);
  if (startsLikeJson(head)) return readJson;
  if (foreignKind(head) !== undefined) return readCsv; // which names it
  if (named !== undefined) return named;
  return head.toString('latin1', 0, 4) === 'PAR1' ? readParquet : startsLikeArrow(head) ? readArrow : readCsv;
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
