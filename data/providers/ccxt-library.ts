import { EngineError, quote } from '../../engine/errors.js';
import { withoutEnd } from '../../engine/text.js';
import { nearestNames } from '../bars/assets.js';
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
const importCcxt = (): Promise<unknown> => import(packageName);

/** @throws NOT_FOUND with the command that installs it */
async function loadCcxt(importLibrary: () => Promise<unknown>): Promise<CcxtLibrary> {
  try {
    return (await importLibrary()) as CcxtLibrary;
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    const message = 'fetching needs the package ccxt, which is not installed: npm install ccxt';
    throw new EngineError('NOT_FOUND', message, { package: 'ccxt' });
  }
}

interface ExchangeOptions {
  /** The name of the exchange in ccxt, in any case. */
  readonly exchange: string;
  /** Origin of a proxy or mirror that answers in place of the exchange's own hosts. */
  readonly apiUrl?: string | undefined;
  /** The listings of futures and options are megabytes from other hosts. */
  readonly isSpotOnly: boolean;
  readonly timeoutMs: number;
  /** Minimum time between two requests of unit weight; by default the exchange's own. */
  readonly rateLimitMs?: number | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** Lets tests simulate an installation without ccxt. */
  readonly importLibrary?: (() => Promise<unknown>) | undefined;
}

/**
 * An exchange of ccxt whose requests go through `fetch`. No keys are used.
 * @throws NOT_FOUND when ccxt is not installed or does not know the exchange
 */
export async function openExchange(options: ExchangeOptions): Promise<CcxtExchange> {
  const { apiUrl, isSpotOnly, timeoutMs, rateLimitMs, importLibrary = importCcxt } = options;
  const library = await loadCcxt(importLibrary);
  const name = options.exchange.trim().toLowerCase();
  const Exchange = Object.hasOwn(library.exchanges, name) ? library.exchanges[name] : undefined;
  if (Exchange === undefined) {
    const nearest = nearestNames(name, Object.keys(library.exchanges));
    const hint = nearest.length > 0 ? `, did you mean ${nearest.join(' or ')}?` : '';
    throw new EngineError('NOT_FOUND', `ccxt knows no exchange ${quote(options.exchange)}${hint}`, { nearest });
  }
  const exchange = new Exchange({
    enableRateLimit: true,
    timeout: timeoutMs,
    fetchImplementation: options.fetch,
    ...(rateLimitMs === undefined ? {} : { rateLimit: rateLimitMs }),
  });
  if (apiUrl !== undefined) exchange.urls.api = redirected(exchange.urls.api, withoutEnd(apiUrl, '/'));
  if (isSpotOnly) askForSpotOnly(exchange);
  return exchange;
}

/**
 * Every address of the exchange's API with another origin. ccxt stores them as a string or a tree
 * of strings.
 */
function redirected(urls: unknown, origin: string): unknown {
  if (typeof urls === 'string') return urls.replace(/^https?:\/\/[^/]+/, () => origin);
  if (typeof urls !== 'object' || urls === null) return urls;
  return Object.fromEntries(Object.entries(urls).map(([key, value]) => [key, redirected(value, origin)]));
}

function askForSpotOnly({ options }: CcxtExchange): void {
  const listings = options.fetchMarkets as { types?: unknown } | undefined;
  if (Array.isArray(listings?.types) && listings.types.includes('spot')) listings.types = ['spot'];
}

const limitErrors = ['RateLimitExceeded', 'DDoSProtection'];
const passingErrors = ['OperationFailed', 'NetworkError', 'ExchangeNotAvailable', 'OnMaintenance', 'RequestTimeout'];

/** Why a failure of the library may pass; null for one that will not. */
export function passingReason({ name }: Error): 'rate limit' | 'server' | null {
  if (limitErrors.includes(name)) return 'rate limit';
  return passingErrors.includes(name) ? 'server' : null;
}
