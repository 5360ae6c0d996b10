import { join } from 'node:path';
import { type RecordedColumns, readColumns } from './read-columns.js';

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
