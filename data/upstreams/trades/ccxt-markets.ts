import { z } from 'zod';
import { EngineError } from '../../../engine/errors.js';
import { HOUR_MS } from '../../../engine/series/index.js';
import { type CcxtExchange, openExchange, passingReason } from '../../providers/ccxt-library.js';
import { UpstreamFault } from '../fault.js';
import { type ReceiveRules, receive } from '../receive.js';
import { defaultLimits, type UpstreamLimits } from '../upstream.js';
import type { HistoryWindow, Pair } from './port.js';

export interface MarketsOptions {
  /** The name of the exchange in ccxt. */
  readonly exchange: string;
  /** Origin of a proxy or mirror of the exchange. */
  readonly apiUrl?: string | undefined;
  readonly limits?: Partial<UpstreamLimits>;
  /** Minimum time between two requests; by default the exchange's own. */
  readonly rateLimitMs?: number | undefined;
  /** Lets tests simulate an installation without ccxt. */
  readonly importLibrary?: () => Promise<unknown>;
}

/** The markets of one exchange. Spot markets and perpetuals are listed by different hosts. */
export class Markets {
  readonly #options: MarketsOptions;
  readonly #opened = new Map<boolean, Promise<CcxtExchange>>();
  /** Of the request in progress. */
  #rules: ReceiveRules | null = null;

  constructor(options: MarketsOptions) {
    this.#options = options;
  }

  /** Runs `use` with the exchange and its symbol of a pair; null where it has no such market. */
  async with<T>(
    pair: Pair,
    rules: ReceiveRules,
    use: (exchange: CcxtExchange, symbol: string) => Promise<T>,
  ): Promise<T | null> {
    this.#rules = rules;
    try {
      const exchange = await this.#open(!pair.base.endsWith(PERPETUAL));
      const symbol = symbols(pair).find((one) => Object.hasOwn(exchange.markets ?? {}, one));
      return symbol === undefined ? null : await use(exchange, symbol);
    } catch (error) {
      throw asFault(error, rules);
    }
  }

  /** Opens the exchange and reads its markets once; a failure is not kept. */
  #open(isSpotOnly: boolean): Promise<CcxtExchange> {
    const opened = this.#opened.get(isSpotOnly) ?? this.#listed(isSpotOnly);
    this.#opened.set(isSpotOnly, opened);
    opened.catch(() => this.#opened.delete(isSpotOnly));
    return opened;
  }

  async #listed(isSpotOnly: boolean): Promise<CcxtExchange> {
    const exchange = await openExchange({
      ...this.#options,
      isSpotOnly,
      // The deadline comes first.
      timeoutMs: 2 * (this.#options.limits?.deadlineMs ?? defaultLimits.deadlineMs),
      fetch: (input, init) => this.#fetch(input, init),
    });
    await exchange.loadMarkets();
    const kind = isSpotOnly ? 'spot' : 'swap';
    const isListed = Object.values(exchange.markets ?? {}).some(({ type }) => type === kind);
    if (isListed || exchange.has[kind] !== true) return exchange;
    throw new UpstreamFault(exchange.id, 'shape', 'a list of markets that is not as documented');
  }

  async #fetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    const url = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init.headers));
    // biome-ignore lint/style/noNonNullAssertion: a request is made only within `with`
    const rules = this.#rules!;
    const json = await receive({ url, headers }, { ...rules, absentStatuses: [] });
    return new Response(JSON.stringify(json), { headers: { 'Content-Type': 'application/json' } });
  }
}

const PERPETUAL = '-PERP';

/** What ccxt calls the market of a pair: the pair itself, or for USD its usual stand-in. */
function symbols({ base, quote }: Pair): string[] {
  const quotes = quote === 'USD' ? ['USD', 'USDT'] : [quote];
  if (!base.endsWith(PERPETUAL)) return quotes.map((each) => `${base}/${each}`);
  const asset = base.slice(0, -PERPETUAL.length);
  return quotes.map((each) => `${asset}/${each}:${each}`); // linear: settled in the quote currency
}

/** The messages of the library hold addresses, so only the kind of its error is told. */
function asFault(error: unknown, { provider, signal }: ReceiveRules): unknown {
  if (error instanceof UpstreamFault || !(error instanceof Error)) return error;
  if (signal.aborted) return new UpstreamFault(provider, 'timeout', 'no complete answer before the deadline');
  if (error instanceof EngineError) {
    return error.code === 'INVALID_FIELD' ? error : new UpstreamFault(provider, 'refused', error.message);
  }
  return new UpstreamFault(provider, passingReason(error) ?? 'shape', `an answer that ccxt refuses (${error.name})`);
}

/** The most trades that exchanges give at a time. */
const PAGE_TRADES = 1_000;
/** Requests for one history; the rate of an exchange lets this many through before the deadline. */
const PAGES_MAX = 40;
/** The first stretch of a history that begins at its end; each next one is four times as long. */
const STRETCH_MS = 10_000;
/** Binance looks for trades in at most one hour. */
const STRETCH_MS_MAX = HOUR_MS;

/** A trade as ccxt gives it. */
export const tradeSchema = z.object({
  id: z.string().optional(),
  timestamp: z.number(),
  price: z.number().positive(),
  amount: z.number().nonnegative(),
  side: z.enum(['buy', 'sell']),
});
export type WireTrade = z.infer<typeof tradeSchema>;

/** The trades of a window, read in stretches from the end that its limit keeps. */
export async function history(exchange: CcxtExchange, symbol: string, window: HistoryWindow): Promise<WireTrade[]> {
  const { fromMs, toMs, isAscending, limit } = window;
  const rows: WireTrade[] = [];
  const pages = { left: PAGES_MAX };
  let stretchMs = isAscending ? STRETCH_MS_MAX : STRETCH_MS;
  let [from, to] = [fromMs, toMs]; // not read yet
  while (from < to && rows.length < limit) {
    const stretch = isAscending
      ? { fromMs: from, toMs: Math.min(to, from + stretchMs) }
      : { fromMs: Math.max(from, to - stretchMs), toMs: to };
    const read = await readStretch(exchange, symbol, stretch, isAscending ? limit - rows.length : Infinity, pages);
    rows.push(...(isAscending ? read : read.reverse()));
    if (isAscending) from = stretch.toMs;
    else to = stretch.fromMs;
    stretchMs = Math.min(4 * stretchMs, STRETCH_MS_MAX);
  }
  return rows.slice(0, limit);
}

/** The trades of a stretch, oldest first, page by page until one brings nothing new. */
async function readStretch(
  exchange: CcxtExchange,
  symbol: string,
  { fromMs, toMs }: Pick<HistoryWindow, 'fromMs' | 'toMs'>,
  limit: number,
  pages: { left: number },
): Promise<WireTrade[]> {
  const rows: WireTrade[] = [];
  const seen = new Set<string>();
  let since = fromMs;
  while (since < toMs && rows.length < limit) {
    if (pages.left-- === 0) throw tooManyPages();
    const until = toMs - 1; // ccxt's end is inclusive
    const page = z.array(tradeSchema).safeParse(await exchange.fetchTrades(symbol, since, PAGE_TRADES, { until }));
    if (!page.success) throw new UpstreamFault(exchange.id, 'shape', 'trades that are not as documented');
    const fresh = page.data
      .filter(({ id, timestamp }) => timestamp >= since && timestamp < toMs && !(id !== undefined && seen.has(id)))
      .sort(byTimeAndId);
    const newest = fresh.at(-1);
    if (newest === undefined) break;
    for (const { id } of fresh) if (id !== undefined) seen.add(id);
    rows.push(...fresh);
    // The next page may hold more trades of the last ms; without ids they could not be told apart.
    since = newest.id !== undefined && newest.timestamp > since ? newest.timestamp : newest.timestamp + 1;
  }
  return rows;
}

/** Ids are mostly numbers that count up; ccxt orders ids of one ms as text. */
function byTimeAndId(a: WireTrade, b: WireTrade): number {
  const [one, other] = [a.id ?? '', b.id ?? ''];
  return a.timestamp - b.timestamp || one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

const tooManyPages = () =>
  new EngineError('INVALID_FIELD', `the window needs more than ${PAGES_MAX} requests to the exchange; ask for less`, {
    field: 'start_time',
  });
