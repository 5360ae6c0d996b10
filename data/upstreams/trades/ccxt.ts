import { z } from 'zod';
import type { CcxtExchange } from '../../providers/ccxt-library.js';
import type { UpstreamState } from '../activity.js';
import { mapSourced, type Sourced } from '../sourced.js';
import { type Adapter, Upstream } from '../upstream.js';
import { history, Markets, type MarketsOptions, tradeSchema, type WireTrade } from './ccxt-markets.js';
import type { AboutPair, HistoryWindow, Pair, Quote, Trade, TradesPort } from './port.js';

interface CcxtTradesOptions extends MarketsOptions {
  /** Epoch ms. */
  readonly clock?: () => number;
  /** Answers for past quotes, which no exchange publishes. */
  readonly recorded: Pick<TradesPort, 'quotes'>;
}

/** How long answers count as fresh: the newest rows, and a window that ended a while ago. */
const LATEST_MS = 1_000;
const PAST_MS = 3_600_000;
const SETTLED_AFTER_MS = 60_000;

const found = <T extends z.ZodType>(rows: T) => z.object({ symbol: z.string(), rows }).nullable();
const tradesSchema = found(z.array(tradeSchema));
const level = z.tuple([z.number().positive(), z.number().nonnegative()]).rest(z.unknown());
const bookSchema = found(z.object({ timestamp: z.number(), asks: z.array(level), bids: z.array(level) }));

type Found<Rows> = { readonly symbol: string; readonly rows: Rows } | null;

/**
 * Trades and the top of the book from an exchange that ccxt supports, over its public interface:
 * https://docs.ccxt.com, `fetchTrades` and `fetchOrderBook`. ccxt is loaded by the first question.
 * Some exchanges join trades of the same order, time and price, and some keep only the newest ones.
 */
export class CcxtTrades implements TradesPort, Adapter {
  readonly #upstream: Upstream;
  readonly #markets: Markets;
  readonly #clock: () => number;
  readonly #recorded: Pick<TradesPort, 'quotes'>;

  constructor(options: CcxtTradesOptions) {
    const { clock = Date.now, recorded, apiUrl = '' } = options;
    const name = options.exchange.trim().toLowerCase();
    // The rate of the exchange allows one request at a time.
    const limits = { ...options.limits, concurrent: 1 };
    this.#upstream = new Upstream({ name, baseUrl: apiUrl, limits, clock });
    this.#markets = new Markets({ ...options, exchange: name });
    this.#clock = clock;
    this.#recorded = recorded;
  }

  get upstreams() {
    return [this.#upstream];
  }

  async latestTrade(pair: Pair): AboutPair<Trade> {
    const fetch = async (exchange: CcxtExchange, symbol: string) =>
      (await exchange.fetchTrades(symbol, undefined, 1)).slice(-1);
    const answer = await this.#ask({ path: 'latest trade', maxAgeMs: LATEST_MS }, pair, tradesSchema, fetch);
    return named(answer, pair, (rows) => rows.map(readTrade));
  }

  async trades(pair: Pair, window: HistoryWindow): AboutPair<Trade> {
    const now = this.#clock();
    const maxAgeMs = window.toMs < now - SETTLED_AFTER_MS ? PAST_MS : LATEST_MS;
    const answer = await this.#ask(
      { path: 'trades', query: { ...window }, maxAgeMs },
      pair,
      tradesSchema,
      (...market) => history(...market, { ...window, toMs: Math.min(window.toMs, now + 1) }),
    );
    return named(answer, pair, (rows) => rows.map(readTrade));
  }

  async latestQuote(pair: Pair): AboutPair<Quote> {
    const fetch = async (exchange: CcxtExchange, symbol: string) => {
      const book = await exchange.fetchOrderBook(symbol, 5);
      // Binance's spot book does not say when it was.
      return { ...book, timestamp: book.timestamp ?? this.#clock() };
    };
    const answer = await this.#ask({ path: 'latest quote', maxAgeMs: LATEST_MS }, pair, bookSchema, fetch);
    return named(answer, pair, ({ asks: [ask], bids: [bid], timestamp }) => {
      if (ask === undefined || bid === undefined) return [];
      return [{ timeMs: timestamp, askPrice: ask[0], askSize: ask[1], bidPrice: bid[0], bidSize: bid[1] }];
    });
  }

  quotes(pair: Pair, window: HistoryWindow): AboutPair<Quote> {
    return this.#recorded.quotes(pair, window);
  }

  state(): UpstreamState {
    return this.#upstream.state();
  }

  /** Null where the exchange has no such market. */
  #ask<Rows>(
    { path, query = {}, maxAgeMs }: { path: string; query?: Record<string, number | boolean>; maxAgeMs: number },
    pair: Pair,
    schema: z.ZodType<Found<Rows>>,
    fetch: (exchange: CcxtExchange, symbol: string) => Promise<unknown>,
  ): Promise<Sourced<Found<Rows>>> {
    const send = (rules: Parameters<Markets['with']>[1]) =>
      this.#markets.with(pair, rules, async (exchange, symbol) => ({ symbol, rows: await fetch(exchange, symbol) }));
    return this.#upstream.ask({ path, query: { ...query, ...pair }, schema, maxAgeMs, send });
  }
}

function named<Wire, Row>(
  answer: Sourced<Found<Wire>>,
  { base }: Pair,
  read: (rows: Wire) => readonly Row[],
): Awaited<AboutPair<Row>> {
  return mapSourced(answer, (value) => {
    if (value === null) return null;
    const [, quote] = value.symbol.split(/[/:]/);
    return { instrument: `${base}/${quote}`, rows: read(value.rows), held: null };
  });
}

const readTrade = ({ timestamp, price, amount, side }: WireTrade): Trade => ({
  timeMs: timestamp,
  price,
  size: amount,
  takerSide: side,
});
