import { isDeepStrictEqual } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import { EngineError } from '../../engine/errors.js';
import {
  type AllocateColumns,
  type BarSeries,
  inColumnOrder,
  isColumnName,
  isoTime,
  priceColumns,
  validateBars,
} from '../../engine/series/index.js';
import { aloneInDuckDb, duckDbReason, hasDuckDb, parquetSource, sqlName, withDuckDb } from '../duckdb.js';
import { barsFromChunks, barsFromPlain, readPlainParquet } from './chunks.js';
import { FETCH_HINT, type StoredBars } from './stored.js';

/**
 * The bars of an entry that open in [fromMs, toMs), as shared columns. It reads only the parts of
 * the file that hold such bars.
 *
 * @param allocate allocates the columns; by default each series gets memory of its own
 * @param room added columns that the caller fills
 * @throws EMPTY_WINDOW when no bar opens in the window; INVALID_DATA when the file is damaged, with
 *   what to do about it
 */
export async function loadEntry(
  entry: StoredBars,
  fromMs: number,
  toMs: number,
  { allocate, room = [] }: { readonly allocate?: AllocateColumns | undefined; readonly room?: readonly string[] } = {},
): Promise<BarSeries> {
  const { asset, interval, file } = entry;
  const read = hasDuckDb() ? queryBars : readWhole;
  const bars = await read(entry, fromMs, toMs, { allocate, room });
  if (bars.barCount === 0) {
    const held = `${entry.firstTime} to ${entry.lastTime}`;
    const message = `no ${interval} bar of ${asset} opens from ${boundText(fromMs)} to ${boundText(toMs)} (held: ${held})${FETCH_HINT}`;
    throw new EngineError('EMPTY_WINDOW', message, {
      asset,
      interval,
      firstTime: entry.firstTime,
      lastTime: entry.lastTime,
    });
  }
  validateBars(bars, (index) => `${file} bar ${index + 1} of ${bars.barCount} read`);
  return bars;
}

async function queryBars(
  { path, file, intervalMs, columns, bars: held }: StoredBars,
  fromMs: number,
  toMs: number,
  memory: Parameters<typeof barsFromChunks>[3],
): Promise<BarSeries> {
  const further = inColumnOrder(columns.filter(isColumnName));
  const selected = [
    'epoch_ms("timestamp")::DOUBLE',
    'open, high, low, close, volume',
    ...further.map((name) => `coalesce(${sqlName(name)}, 'NaN'::DOUBLE)`),
  ];
  const window = [timeBound('>=', fromMs), timeBound('<', toMs)].filter((bound) => bound !== null);
  const from = `FROM ${parquetSource(path)}${window.length > 0 ? ` WHERE ${window.join(' AND ')}` : ''}`;
  const use = held < LONG_BARS_MIN ? withDuckDb : aloneInDuckDb;
  try {
    return await use(async (connection) => {
      const count = window.length === 0 ? held : await readCount(connection, `SELECT count(*) ${from}`);
      const chunks = await connection.stream(`SELECT ${selected.join(', ')} ${from}`);
      return barsFromChunks(chunks, count, { intervalMs, further }, memory);
    });
  } catch (error) {
    throw new EngineError('INVALID_DATA', `${file} cannot be read, import it again: ${duckDbReason(error)}`, { path });
  }
}

/** From so many bars on, the memory that the shared instance keeps is more than an instance costs. */
const LONG_BARS_MIN = 500_000;

async function readCount(connection: DuckDBConnection, sql: string): Promise<number> {
  const [[count] = []] = (await connection.runAndReadAll(sql)).getRows();
  return Number(count);
}

/** The same without DuckDB. */
async function readWhole(
  { path, file, intervalMs, columns }: StoredBars,
  fromMs: number,
  toMs: number,
  memory: Parameters<typeof barsFromChunks>[3],
): Promise<BarSeries> {
  const further = columns.filter(isColumnName);
  try {
    const plain = await readPlainParquet(path, ['timestamp', ...priceColumns, ...further]);
    return barsFromPlain(plain, { intervalMs, further, fromMs, toMs }, memory);
  } catch (error) {
    throw new EngineError('INVALID_DATA', `${file} cannot be read, import it again: ${duckDbReason(error)}`, { path });
  }
}

/**
 * A bound on the stored column itself, which lets DuckDB skip row groups; null for an infinite
 * bound. Bars open at whole milliseconds.
 */
function timeBound(operator: '>=' | '<', ms: number): string | null {
  if (!Number.isFinite(ms)) return null;
  return `"timestamp" ${operator} make_timestamp_ms(${Math.ceil(ms)})`;
}

const boundText = (ms: number): string => (Number.isFinite(ms) ? isoTime(ms) : ms < 0 ? 'the first' : 'the last');

/** A series that is replaced this often during one read changes faster than it can be read. */
const TRIES_MAX = 50;

/**
 * Finds what is held and reads its files. Another process may replace them meanwhile, which deletes
 * the files found: then it reads their replacements. Files that fail twice while nothing replaces
 * them are damaged.
 *
 * @param find the entry with its times of import, anew at each call
 * @throws as `read` for files that are damaged
 */
export async function readHeld<Held, Read>(
  find: () => Promise<Held>,
  read: (held: Held) => Promise<Read>,
): Promise<Read> {
  let failed: { readonly held: Held } | null = null;
  for (let tries = 1; ; tries++) {
    const held = await find();
    try {
      return await read(held);
    } catch (error) {
      const isDamaged = error instanceof EngineError && error.code === 'INVALID_DATA';
      const isSame = failed !== null && isDeepStrictEqual(failed.held, held);
      if (!isDamaged || isSame || tries === TRIES_MAX) throw error;
      failed = { held };
    }
  }
}
