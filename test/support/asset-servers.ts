import { readFileSync } from 'node:fs';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../engine/series/index.js';
import { goldenPath } from './tree.js';
import type { UpstreamAnswer } from './upstream-server.js';

/** What the servers below take for the present, unless they are told. */
export const ASSETS_NOW_MS = Date.parse('2025-06-01T12:00:00Z');

export const SECRET_KEY = 'a-key-that-nobody-may-see';

/** A price that rises and falls, the same for the same time. */
const priceAt = (timeMs: number): number => 100_000 * (1 + 0.05 * Math.sin(timeMs / (5 * DAY_MS)));

/** What CoinGecko answers that no window changes; `ASSETS_NOW_MS` stands in its times. */
const { markets, details, exchanges, trending, global } = JSON.parse(
  readFileSync(goldenPath('upstreams/coingecko.json'), 'utf8'),
) as { readonly markets: readonly { readonly symbol: string }[] } & Readonly<
  Record<'details' | 'exchanges' | 'trending' | 'global', Record<string, unknown>>
>;

/** Auto granularity of market_chart: 5 minutes for a day, hours to 90 days, then days. */
const chartStep = (days: number): number => {
  if (days <= 1) return 5 * MINUTE_MS;
  return days <= 90 ? HOUR_MS : DAY_MS;
};

/** Length of a candle of /ohlc. */
const ohlcStep = (days: number): number => {
  if (days <= 2) return 30 * MINUTE_MS;
  return days <= 30 ? 4 * HOUR_MS : 4 * DAY_MS;
};

interface Span {
  readonly nowMs: number;
  readonly days: number;
}

function every<T>(stepMs: number, { nowMs, days }: Span, make: (timeMs: number) => T): T[] {
  const first = Math.ceil((nowMs - days * DAY_MS) / stepMs) * stepMs;
  const count = Math.floor((nowMs - first) / stepMs) + 1;
  return Array.from({ length: count }, (_, i) => make(first + i * stepMs));
}

/** CoinGecko with two coins and a third of the same symbol. */
export const coinGeckoAnswers =
  (nowMs = ASSETS_NOW_MS): UpstreamAnswer =>
  ({ path, query, headers }) => {
    if (headers['x-cg-demo-api-key'] !== SECRET_KEY) return undefined;
    const symbols = query.get('symbols')?.split(',');
    const [, , id = '', what] = path.split('/');
    if (path === '/coins/markets') {
      return symbols === undefined ? markets.slice(0, 2) : markets.filter(({ symbol }) => symbols.includes(symbol));
    }
    if (path === '/exchanges') return exchanges;
    if (path === '/search/trending') return trending;
    if (path === '/global') return global;
    if (!path.startsWith('/coins/') || !(id in details)) return undefined;
    const span = { nowMs, days: Number(query.get('days')) };
    if (what === 'ohlc') return ohlc(span);
    return what === 'market_chart' ? marketChart(span) : details[id];
  };

function ohlc(span: Span): unknown {
  if (![1, 7, 14, 30, 90, 180, 365].includes(span.days)) return undefined;
  const stepMs = ohlcStep(span.days);
  return every(stepMs, span, (closeMs) => {
    const [open, close] = [priceAt(closeMs - stepMs), priceAt(closeMs)];
    return [closeMs, open, Math.max(open, close), Math.min(open, close), close];
  });
}

const marketChart = (span: Span) => ({
  prices: every(chartStep(span.days), span, (timeMs) => [timeMs, priceAt(timeMs)]),
  market_caps: [],
  total_volumes: every(chartStep(span.days), span, (timeMs) => [timeMs, 24 * priceAt(timeMs)]),
});

const periods: Readonly<Record<string, number>> = { '1HRS': HOUR_MS, '4HRS': 4 * HOUR_MS, '1DAY': DAY_MS };

/** CoinAPI with BTC and ETH on Binance; it knows no other symbol. */
export const coinApiAnswers =
  (nowMs = ASSETS_NOW_MS): UpstreamAnswer =>
  ({ path, query, headers }) => {
    if (headers['x-coinapi-key'] !== SECRET_KEY) return undefined;
    if (!/^\/v1\/ohlcv\/BINANCE_SPOT_(BTC|ETH)_USDT\/history$/.test(path)) return undefined;
    const stepMs = periods[query.get('period_id') ?? ''] ?? 0;
    const startMs = Date.parse(query.get('time_start') ?? '');
    const count = Math.min(Number(query.get('limit')), Math.floor((nowMs - startMs) / stepMs));
    return Array.from({ length: count }, (_, i) => period(startMs + i * stepMs, stepMs, i === 1));
  };

/** @param isQuiet whether nothing was traded */
function period(timeMs: number, stepMs: number, isQuiet: boolean) {
  const [open, close] = [priceAt(timeMs), priceAt(timeMs + stepMs)];
  const time = (ms: number) => `${isoTime(ms).slice(0, -1)}.0000000Z`;
  return {
    time_period_start: time(timeMs),
    time_period_end: time(timeMs + stepMs),
    price_open: isQuiet ? null : open,
    price_high: isQuiet ? null : Math.max(open, close),
    price_low: isQuiet ? null : Math.min(open, close),
    price_close: isQuiet ? null : close,
    volume_traded: isQuiet ? 0 : 12.5,
    trades_count: isQuiet ? 0 : 3,
  };
}
