import { derivedUuid } from '../../data/hashes/index.js';
import type { Pair, Quote, Trade } from '../../data/upstreams/trades/index.js';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, parseIsoTime } from '../../engine/series/index.js';
import { requireFields, wrongValue } from '../api-error.js';
import type { PeriodBar } from './period-bars.js';

/**
 * Digits that a double holds exactly. Published prices and sizes have fewer; a sum may have dust
 * behind them.
 */
const DIGITS = 15;

/** A number as a decimal without an exponent: 0.00009, never 9e-5. */
function decimal(value: number): string {
  const text = String(Number(value.toPrecision(DIGITS)));
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  const digits = first + rest;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  // A double of 1e21 or more has no digits after the point.
  return `${sign}${digits.padEnd(point, '0')}`;
}

/** Every record names its instrument; the id is the same on every machine. */
const instrumentFields = (name: string) => ({ instrument_id: derivedUuid('instrument', name), instrument_name: name });

export type Shows<Row, Shown> = (instrument: string) => (row: Row) => Shown;

export const showTrades = (instrument: string) => {
  const named = instrumentFields(instrument);
  return ({ timeMs, price, size, takerSide }: Trade) => ({
    ...named,
    time_exchange: isoTime(timeMs),
    price: decimal(price),
    size: decimal(size),
    taker_side: takerSide,
  });
};

export const showQuotes = (instrument: string) => {
  const named = instrumentFields(instrument);
  return ({ timeMs, askPrice, askSize, bidPrice, bidSize }: Quote) => ({
    ...named,
    time_exchange: isoTime(timeMs),
    ask_price: decimal(askPrice),
    ask_size: decimal(askSize),
    bid_price: decimal(bidPrice),
    bid_size: decimal(bidSize),
  });
};

export const showBars = (instrument: string) => {
  const named = instrumentFields(instrument);
  return ({ startMs, endMs, open, high, low, close, volume, trades }: PeriodBar) => ({
    ...named,
    start: isoTime(startMs),
    end: isoTime(endMs),
    price_open: decimal(open),
    price_high: decimal(high),
    price_low: decimal(low),
    price_close: decimal(close),
    volume: decimal(volume),
    trades,
  });
};

/** Most rows of a history. */
const LIMIT_MAX = 1_000;

/** The periods of bars, by name. */
const periods = {
  ONE_MINUTE: MINUTE_MS,
  FIVE_MINUTES: 5 * MINUTE_MS,
  FIFTEEN_MINUTES: 15 * MINUTE_MS,
  THIRTY_MINUTES: 30 * MINUTE_MS,
  ONE_HOUR: HOUR_MS,
  FOUR_HOURS: 4 * HOUR_MS,
  ONE_DAY: DAY_MS,
} as const;

export type Period = keyof typeof periods;

export const periodMs = (period: Period): number => periods[period];

interface PairRequest {
  readonly base: string;
  readonly quote: string;
}

export const readPair = ({ base, quote }: PairRequest): Pair => ({
  base: base.trim().toUpperCase(),
  quote: quote.trim().toUpperCase(),
});

export function readPeriod(text: string | undefined): Period {
  if (text !== undefined && Object.hasOwn(periods, text)) return text as Period;
  throw wrongValue('period', `one of ${Object.keys(periods).join(', ')}`, text, 'INVALID_FIELD');
}

interface WindowRequest {
  readonly start_time?: string;
  readonly end_time?: string;
}

/** The time from `start_time`, inclusive, to `end_time`, exclusive. */
export function readWindow(request: WindowRequest): { readonly fromMs: number; readonly toMs: number } {
  requireFields(request, ['start_time', 'end_time']);
  const fromMs = readTime('start_time', request.start_time);
  const toMs = readTime('end_time', request.end_time);
  if (fromMs <= toMs) return { fromMs, toMs };
  throw wrongValue('start_time', `at or before end_time (${request.end_time})`, request.start_time, 'INVALID_FIELD');
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Epoch ms of an RFC 3339 time; digits below the millisecond are cut off. */
export function readTime(field: string, text: string | undefined): number {
  const ms = text !== undefined && rfc3339.test(text) ? parseIsoTime(text.toUpperCase()) : NaN;
  if (!Number.isNaN(ms)) return ms;
  throw wrongValue(field, 'an RFC 3339 time such as 2024-08-09T00:00:00Z', text, 'INVALID_FIELD');
}

export function readLimit(limit: number | undefined, byDefault: number): number {
  const given = limit ?? byDefault;
  if (Number.isInteger(given) && given >= 1 && given <= LIMIT_MAX) return given;
  throw wrongValue('limit', `an integer 1..${LIMIT_MAX}`, given, 'INVALID_FIELD');
}
