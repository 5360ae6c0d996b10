import { join } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import { duckDbReason, parquetSource, sqlName, vectorItems, withDuckDb } from '../duckdb.js';

export type RecordedTrades = RecordedColumns<'price' | 'quantity' | 'buyer_is_maker'>;
export type RecordedQuotes = RecordedColumns<'bid_price' | 'bid_quantity' | 'ask_price' | 'ask_quantity'>;

/**
 * Reads the trades of a bundled market, in the order of the exchange. Sizes are in the base asset.
 * @param name of its files: `BTC`, `BTC-PERP`
 * @throws INVALID_DATA when the file is missing or damaged
 */
export const readRecordedTrades = (folder: string, name: string): Promise<RecordedTrades> =>
  readColumns(join(folder, `${name}-trades.parquet`), ['price', 'quantity', 'buyer_is_maker']);

/** The same for the changes of its best bid and ask. */
export const readRecordedQuotes = (folder: string, name: string): Promise<RecordedQuotes> =>
  readColumns(join(folder, `${name}-quotes.parquet`), ['bid_price', 'bid_quantity', 'ask_price', 'ask_quantity']);

/** Where each bundled series is: a file of the folder of recordings, and its column. */
const places = {
  /** The rate of a settlement, a fraction of the position's value; every 8 hours. */
  'BTC-PERP funding': ['BTC-PERP-funding-8h.parquet', 'funding_rate'],
  'ETH-PERP funding': ['ETH-PERP-funding-8h.parquet', 'funding_rate'],
  /** Crypto Fear & Greed Index, 0 (extreme fear) to 100 (extreme greed); daily. */
  'fear and greed': ['fear-greed-1d.parquet', 'value'],
  /** Ethereum mainnet, for each day. */
  'ethereum transactions': ['ethereum-activity-1d.parquet', 'transactions'],
  'ethereum active addresses': ['ethereum-activity-1d.parquet', 'active_addresses'],
  'ethereum blocks': ['ethereum-activity-1d.parquet', 'blocks'],
  /** Mean seconds between two blocks. */
  'ethereum block time': ['ethereum-activity-1d.parquet', 'block_time_s'],
} as const satisfies Readonly<Record<string, readonly [file: string, column: string]>>;

type RecordedSeriesName = keyof typeof places;

export const recordedSeriesNames = Object.keys(places) as readonly RecordedSeriesName[];

/** One recorded value a time, as published: not filled, interpolated or smoothed. */
interface RecordedSeries {
  /**
   * Epoch ms, ascending: the settlement of a funding rate, with its published jitter of a few ms;
   * for a daily series the day's 00:00 UTC. A day is complete, and so known, only 24 hours later.
   */
  readonly time: Float64Array;
  readonly value: Float64Array;
}

/**
 * Reads a bundled series.
 * @param folder holds the recordings: `sample/recordings` of the package
 * @throws INVALID_DATA when its file is missing or damaged
 */
export async function readRecordedSeries(folder: string, name: RecordedSeriesName): Promise<RecordedSeries> {
  const [file, column] = places[name];
  const { time, values } = await readColumns(join(folder, file), [column]);
  return { time, value: values[column] };
}

/** A recorded table: when each row happened, and its values. */
interface RecordedColumns<Name extends string> {
  /** Epoch ms, ascending; rows of the same time keep their recorded order. */
  readonly time: Float64Array;
  /** By name, each as long as `time`; true is 1 and false is 0. */
  readonly values: Readonly<Record<Name, Float64Array>>;
}

/**
 * Reads columns of a recorded Parquet file whose time is its column `timestamp`.
 * @param window SQL condition on the rows; default all
 * @throws INVALID_DATA when the file is missing or damaged
 */
export async function readColumns<Name extends string>(
  path: string,
  names: readonly Name[],
  window = 'true',
): Promise<RecordedColumns<Name>> {
  const selected = ['epoch_ms("timestamp")', ...names.map(sqlName)].map((column) => `CAST(${column} AS DOUBLE)`);
  try {
    return await withDuckDb(async (connection) => {
      const result = await connection.run(`SELECT ${selected} FROM ${parquetSource(path)} WHERE ${window}`);
      const chunks = await result.fetchAllChunks();
      const rowCount = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
      const column = (index: number): Float64Array => {
        const values = new Float64Array(rowCount);
        let from = 0;
        for (const chunk of chunks) {
          values.set(vectorItems<Float64Array>(chunk.getColumnVector(index)), from);
          from += chunk.rowCount;
        }
        return values;
      };
      const values = Object.fromEntries(names.map((name, k) => [name, column(k + 1)])) as Record<Name, Float64Array>;
      return { time: column(0), values };
    });
  } catch (error) {
    throw new EngineError('INVALID_DATA', `${path} cannot be read: ${duckDbReason(error)}`, { path });
  }
}
