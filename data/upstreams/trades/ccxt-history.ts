import { z } from 'zod';
import { EngineError } from '../../../engine/errors.js';
import { HOUR_MS } from '../../../engine/series/index.js';
import type { CcxtExchange } from '../../providers/ccxt-library.js';
import { UpstreamFault } from '../fault.js';
import type { HistoryWindow } from './port.js';

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
