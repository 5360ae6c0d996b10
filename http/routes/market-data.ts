import type { Route } from '../route.js';
import { flagInQuery, id, numberInQuery, textInQuery, time, z } from '../zod.js';
import { held, provenance } from './provenance.js';

const tag = 'Market data';
const success = z.literal(true);

const decimal = (description: string) => z.string().openapi({ description: `decimal, ${description}` });

const instrument = { instrument_id: id(), instrument_name: z.string() };

const trade = {
  ...instrument,
  time_exchange: time(),
  price: decimal('in the quote currency'),
  size: decimal('in the base asset'),
  taker_side: z.enum(['buy', 'sell']),
};

const quote = {
  ...instrument,
  time_exchange: time(),
  ask_price: decimal('in the quote currency'),
  ask_size: decimal('in the base asset'),
  bid_price: decimal('in the quote currency'),
  bid_size: decimal('in the base asset'),
};

const bar = {
  ...instrument,
  start: time(),
  end: time().openapi({ description: 'exclusive' }),
  price_open: decimal('in the quote currency'),
  price_high: decimal('in the quote currency'),
  price_low: decimal('in the quote currency'),
  price_close: decimal('in the quote currency'),
  volume: decimal('in the base asset'),
  trades: z.int().openapi({ description: 'number of trades; 0 where they were not recorded' }),
};

const gaps = z
  .array(z.object({ start: time(), end: time(), bars: z.int() }))
  .openapi({ description: 'stretches without held bars, which are not filled; ends are exclusive' });

const periods = [
  ...['ONE_MINUTE', 'FIVE_MINUTES', 'FIFTEEN_MINUTES', 'THIRTY_MINUTES'],
  ...['ONE_HOUR', 'FOUR_HOURS', 'ONE_DAY'],
];
const period = textInQuery('required', { enum: periods });

const window = {
  start_time: textInQuery('required, RFC 3339, inclusive'),
  end_time: textInQuery('required, RFC 3339, exclusive'),
};

const history = z
  .object({
    ...window,
    limit: numberInQuery('rows, 1..1000, default 100', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
    asc: flagInQuery('oldest first; default false, newest first', { default: false }),
  })
  .partial();

const page = { count: z.int(), limit: z.int(), asc: z.boolean() };
const periodBar = z.object({ success, period: z.string(), ...bar, gaps, ...provenance });

export const marketDataRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/marketdata/health',
    rpc: 'MarketData.GetHealth',
    summary: 'Tell where trades and quotes come from, and whether that works',
    tag,
    response: z.object({
      success,
      status: z.enum(['healthy', 'degraded']),
      provider: z.string(),
      problem: z.string().nullable(),
      recorded: z.array(z.string()).openapi({ description: 'pairs whose trades and quotes are recorded' }),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/marketdata/trades/{base}/{quote}/latest',
    rpc: 'MarketData.GetLatestTrade',
    summary: 'Read the latest trade of a pair',
    tag,
    response: z.object({ success, ...trade, ...provenance }),
  },
  {
    method: 'get',
    path: '/marketdata/trades/{base}/{quote}/history',
    rpc: 'MarketData.ListTrades',
    summary: 'Read the trades of a pair in a window of time',
    tag,
    query: history,
    response: z.object({ success, ...page, trades: z.array(z.object(trade)), held, ...provenance }),
  },
  {
    method: 'get',
    path: '/marketdata/quotes/{base}/{quote}/latest',
    rpc: 'MarketData.GetLatestQuote',
    summary: 'Read the best ask and bid of a pair',
    tag,
    response: z.object({ success, ...quote, ...provenance }),
  },
  {
    method: 'get',
    path: '/marketdata/quotes/{base}/{quote}/history',
    rpc: 'MarketData.ListQuotes',
    summary: 'Read the recorded quotes of a pair in a window of time',
    tag,
    query: history,
    response: z.object({ success, ...page, quotes: z.array(z.object(quote)), held, ...provenance }),
  },
  {
    method: 'get',
    path: '/marketdata/ohlcv/{base}/{quote}/latest',
    rpc: 'MarketData.GetLatestBar',
    summary: 'Read the newest complete bar of a period',
    tag,
    query: z.object({ period }).partial(),
    response: periodBar,
  },
  {
    method: 'get',
    path: '/marketdata/ohlcv/{base}/{quote}/interval',
    rpc: 'MarketData.ListMinuteBars',
    summary: 'Read the 1-minute bars of a pair in a window of time, oldest first',
    tag,
    query: z
      .object({
        ...window,
        limit: numberInQuery('bars, 1..1000, default 1000', {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          default: 1000,
        }),
      })
      .partial(),
    response: z.object({
      success,
      count: z.int(),
      limit: z.int(),
      bars: z.array(z.object(bar)),
      gaps,
      held,
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/marketdata/ohlcv/{base}/{quote}/period',
    rpc: 'MarketData.GetPeriodBar',
    summary: 'Read the bar of a period that ends at a time, or last ended before it',
    tag,
    query: z.object({ period, end_time: textInQuery('required, RFC 3339') }).partial(),
    response: periodBar,
  },
];
