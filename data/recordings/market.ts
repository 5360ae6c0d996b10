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
