import { EngineError } from '../../engine/errors.js';
import { errorCode } from '../outage.js';

/**
 * The part of ccxt that we use. ccxt is an optional peer: neither its code nor its types are needed
 * to build and run the rest. The tests compare this with the real library.
 */
export interface CcxtExchange {
  readonly id: string;
  readonly has: Readonly<Record<string, boolean | 'emulated' | undefined>>;
  readonly urls: { api: unknown };
  readonly options: Readonly<Record<string, unknown>>;
  readonly timeframes?: Readonly<Record<string, unknown>>;
  readonly features?: Readonly<Record<string, CcxtFeatures | undefined>>;
  readonly markets?: Readonly<Record<string, CcxtMarket>>;
  filterBySinceLimit: (rows: unknown) => unknown;
  /** Seconds. */
  parseTimeframe(name: string): number;
  loadMarkets(): Promise<unknown>;
  fetchTime(): Promise<number | undefined>;
  fetchOHLCV(
    symbol: string,
    timeframe: string,
    sinceMs: number,
    limit: number,
  ): Promise<readonly (readonly (number | undefined)[])[]>;
  /** Oldest first. Without a time, the newest ones. */
  fetchTrades(
    symbol: string,
    sinceMs?: number,
    limit?: number,
    params?: { readonly until?: number },
  ): Promise<readonly unknown[]>;
  fetchOrderBook(symbol: string, limit: number): Promise<{ readonly timestamp?: number | undefined }>;
}

interface CcxtMarket {
  readonly type: string;
  readonly linear?: boolean;
  readonly inverse?: boolean;
}

interface CcxtFeatures {
  readonly fetchOHLCV?: { readonly limit?: number };
  readonly linear?: CcxtFeatures;
  readonly inverse?: CcxtFeatures;
}

interface CcxtLibrary {
  readonly exchanges: Readonly<Record<string, new (config: Readonly<Record<string, unknown>>) => CcxtExchange>>;
}

/**
 * A variable, so that the compiler does not resolve the package. Loading takes half a second, so
 * only a fetch loads it.
 */
const packageName: string = 'ccxt';
export const importCcxt = (): Promise<unknown> => import(packageName);

/** @throws NOT_FOUND with the command that installs it */
export async function loadCcxt(importLibrary: () => Promise<unknown>): Promise<CcxtLibrary> {
  try {
    return (await importLibrary()) as CcxtLibrary;
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    const message = 'fetching needs the package ccxt, which is not installed: npm install ccxt';
    throw new EngineError('NOT_FOUND', message, { package: 'ccxt' });
  }
}
