import { EngineError, quote } from '../../engine/errors.js';
import { formatInterval } from '../../engine/series/index.js';
import { nearestNames } from '../bars/assets.js';
import { oneLine } from '../one-line.js';
import { type CcxtExchange, openExchange, passingReason } from './ccxt-library.js';
import { type BarProvider, type BarRow, ProviderFault, type ProviderOptions } from './provider.js';
import { createTransport, TIMEOUT_MS, type Transport } from './transport.js';

interface CcxtOptions extends ProviderOptions {
  readonly now?: (() => number) | undefined;
  /** Lets tests simulate an installation without ccxt. */
  readonly importLibrary?: (() => Promise<unknown>) | undefined;
}

/**
 * Page size where ccxt does not state one. A fetch skips a hole page by page, so a value above the
 * exchange's real page size would lose bars.
 */
const PAGE_BARS_UNKNOWN = 100;

/**
 * Bars of any exchange that ccxt supports, from its public API. No keys are used.
 *
 * @throws NOT_FOUND when ccxt is not installed or does not know the exchange; INVALID_FIELD when
 *   the exchange offers no bars
 */
export async function openCcxt(options: CcxtOptions): Promise<BarProvider> {
  const { symbol, apiUrl, timeoutMs = TIMEOUT_MS, now = Date.now } = options;
  const transport = createTransport({ timeoutMs, now });
  const exchange = await openExchange({
    ...options,
    isSpotOnly: !symbol.includes(':'), // derivatives are listed apart from spot markets
    timeoutMs: timeoutMs + 5_000, // the transport's own timeout comes first and covers the body
    fetch: transport.fetch,
  });
  const name = options.exchange.trim().toLowerCase();
  if (exchange.has.fetchOHLCV !== true) {
    throw new EngineError('INVALID_FIELD', `${name} offers no bars to fetch`, { field: 'exchange' });
  }
  exchange.filterBySinceLimit = (rows) => rows; // leave filtering to `checkPage`

  const call = async <T>(signal: AbortSignal, question: () => Promise<T>): Promise<T> => {
    transport.signal = signal;
    try {
      return await question();
    } catch (error) {
      throw translate(error, exchange, transport);
    }
  };
  return {
    name,
    via: apiUrl,
    open: (symbol, intervalMs, signal) =>
      call(signal, async () => {
        timeframe(exchange, intervalMs);
        await exchange.loadMarkets();
        return { pageBarsMax: pageBars(exchange, symbol) };
      }),
    fetchTime: (signal) =>
      call(signal, async () => (exchange.has.fetchTime === true ? ((await exchange.fetchTime()) ?? null) : null)),
    fetchPage: (symbol, intervalMs, fromMs, limit, signal) =>
      call(signal, async () => {
        const rows = await exchange.fetchOHLCV(symbol, timeframe(exchange, intervalMs), fromMs, limit);
        return rows.map((row) => {
          const at = (i: number): number => row[i] ?? NaN;
          return [at(0), at(1), at(2), at(3), at(4), at(5)] satisfies BarRow;
        });
      }),
  };
}

/**
 * The exchange's own name of an interval. Its months and years vary in length, so they are not
 * offered.
 */
function timeframe(exchange: CcxtExchange, intervalMs: number): string {
  const names = Object.keys(exchange.timeframes ?? {}).filter((name) => /[mhdw]$/.test(name));
  const found = names.find((name) => exchange.parseTimeframe(name) * 1_000 === intervalMs);
  if (found !== undefined) return found;
  const message = `${exchange.id} has no ${formatInterval(intervalMs)} bars, it has ${names.join(', ')}`;
  throw new EngineError('INVALID_FIELD', message, { field: 'interval', offered: names });
}

function pageBars(exchange: CcxtExchange, symbol: string): number {
  const market = Object.hasOwn(exchange.markets ?? {}, symbol) ? exchange.markets?.[symbol] : undefined;
  if (market === undefined) {
    const symbols = Object.keys(exchange.markets ?? {});
    const nearest = nearestNames(symbol, symbols);
    const base = `${symbol.split('/', 1)[0]}/`;
    const known = nearest.length > 0 ? nearest : symbols.filter((name) => name.startsWith(base)).slice(0, 5);
    const hint = known.length > 0 ? `, did you mean ${known.join(' or ')}?` : '';
    throw new EngineError('NOT_FOUND', `${exchange.id} has no market ${quote(symbol)}${hint}`, { nearest: known });
  }
  const features = exchange.features?.[market.type];
  const kind = market.linear === true ? features?.linear : market.inverse === true ? features?.inverse : undefined;
  return (kind ?? features)?.fetchOHLCV?.limit ?? PAGE_BARS_UNKNOWN;
}

const isClientError = (status: number): boolean => status >= 400 && status < 500;

/**
 * Translates an error of the library into one of ours. An exchange may report a rate limit in an
 * answer of status 200, which only ccxt recognises.
 */
function translate(error: unknown, { id }: CcxtExchange, { status, signal }: Transport): unknown {
  signal.throwIfAborted();
  if (error instanceof ProviderFault || error instanceof EngineError || !(error instanceof Error)) return error;
  const message = oneLine(error.message);
  const reason = passingReason(error);
  if (reason !== null && !(reason === 'server' && isClientError(status))) return new ProviderFault(reason, message);
  const refusal = status === 0 || status === 200 ? message : `HTTP ${status}: ${message}`;
  return new EngineError('INVALID_DATA', `${id} refused: ${refusal}`, { exchange: id, reason: error.name });
}
