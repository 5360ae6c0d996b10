import { derivedUuid } from '../../data/hashes/index.js';
import type { Quote, Trade } from '../../data/upstreams/trades/index.js';
import { isoTime } from '../../engine/series/index.js';
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
