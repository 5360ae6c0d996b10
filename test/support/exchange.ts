import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import {
  type BarProvider,
  type BarRow,
  type OpenProvider,
  type ProviderName,
  providers,
} from '../../data/providers/index.js';
import type { BarSeries } from '../../engine/series/bars.js';

/** The faults of one answer. */
export const exchangeFaults = [
  'rate limit',
  'ban',
  'server error',
  'reset',
  'truncated',
  'silent',
  'stalled',
  'repeated page',
  'unsorted page',
  'doubled rows',
  'empty page',
  'html',
  'broken bar',
] as const;

export type ExchangeFault = (typeof exchangeFaults)[number];

export interface KlinesRequest {
  readonly symbol: string;
  readonly interval: string;
  readonly startTime: number;
  readonly limit: number;
}

/** What an exchange and the provider that calls it agree on. */
interface Format {
  /** The exchange that the provider is asked for. */
  readonly exchange: string;
  /** The path at which bars are asked for. */
  readonly barsPath: string;
  read(query: URLSearchParams): KlinesRequest;
  row(bar: BarRow, intervalMs: number): readonly (number | string)[];
  /** Answers at other paths. */
  answer(path: string, nowMs: number): object | undefined;
}

/** Binance spot: numbers as texts, in twelve columns. */
const binance: Format = {
  exchange: 'binance',
  barsPath: '/api/v3/klines',
  read: (query) => ({
    symbol: query.get('symbol') ?? '',
    interval: query.get('interval') ?? '',
    startTime: Number(query.get('startTime')),
    limit: Number(query.get('limit')),
  }),
  row: ([time, ...values], intervalMs) => [
    ...[time, ...values.map(String), time + intervalMs - 1],
    ...['0.00000000', 7, '0.00000000', '0.00000000', '0'],
  ],
  answer(path, nowMs) {
    if (path === '/api/v3/time') return { serverTime: nowMs };
    if (path === '/api/v3/exchangeInfo') return exchangeInfo(nowMs);
    return /^\/[fd]api\/v1\/exchangeInfo$/.test(path) ? { symbols: [] } : undefined;
  },
};

/** An exchange for each provider; the tests of faults fetch from all of them. */
export const formats = { ccxt: binance } as const satisfies Readonly<Record<ProviderName, Format>>;

export interface ExchangeOptions {
  /** The provider that calls the server, by default ccxt. */
  readonly provider?: ProviderName;
  readonly bars: BarSeries;
  /**
   * The exchange's clock: bars that open later do not exist yet, and the last one may be forming.
   */
  readonly nowMs: number;
  /** The most bars of a page. */
  readonly pageMax?: number;
  /** The fault of the klines request with this number, counted from 0. */
  readonly fault?: (index: number) => ExchangeFault | undefined;
  readonly retryAfterSeconds?: number;
}

export interface TestExchange {
  readonly url: string;
  /** Paths of all requests. */
  readonly paths: readonly string[];
  readonly klines: readonly KlinesRequest[];
  /** May be changed while the server runs. */
  settings: ExchangeOptions;
}

/**
 * A server on this machine that answers as the public REST interface of an exchange does. Closed
 * when the test ends.
 */
export async function startExchange(t: TestContext, options: ExchangeOptions): Promise<TestExchange> {
  const paths: string[] = [];
  const klines: KlinesRequest[] = [];
  const format: Format = formats[options.provider ?? 'ccxt'];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    paths.push(pathname);
    response.setHeader('x-mbx-used-weight-1m', String(paths.length));
    const { settings } = exchange;
    const answer = format.answer(pathname, settings.nowMs);
    if (answer !== undefined) sendJson(response, answer);
    else if (pathname === format.barsPath) {
      klines.push(format.read(searchParams));
      answerKlines(request, response, settings, klines);
    } else sendJson(response, { code: -1, msg: 'no such path' }, 404);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve).unref(); // see receiver.ts
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const exchange: TestExchange = { url: `http://127.0.0.1:${port}`, paths, klines, settings: options };
  return exchange;
}

/** The provider that calls the server. */
export function providerFor(
  { url: apiUrl, settings: { provider = 'ccxt' } }: TestExchange,
  options: { readonly symbol: string; readonly timeoutMs: number },
): Promise<BarProvider> {
  const open: OpenProvider = providers[provider];
  return open({ exchange: formats[provider].exchange, apiUrl, rateLimitMs: 1, ...options });
}

function answerKlines(
  request: IncomingMessage,
  response: ServerResponse,
  settings: ExchangeOptions,
  klines: readonly KlinesRequest[],
): void {
  const asked = klines.at(-1)!;
  if (asked.symbol.replace('/', '') !== 'BTCUSDT') {
    sendJson(response, { code: -1121, msg: 'Invalid symbol.' }, 400);
    return;
  }
  const { retryAfterSeconds = 2, fault } = settings;
  const rows = rowsOf(settings, asked);
  const text = JSON.stringify(rows);
  const retryAfter = { 'retry-after': String(retryAfterSeconds) };
  const head = { 'content-type': 'application/json', 'content-length': String(text.length) };
  const limited = { code: -1003, msg: 'Too much request weight used; please use WebSocket.' };
  const answers: Readonly<Record<ExchangeFault, () => void>> = {
    'rate limit': () => sendJson(response, limited, 429, retryAfter),
    ban: () => sendJson(response, limited, 418, retryAfter),
    'server error': () => sendJson(response, { code: -1000, msg: 'An unknown error occurred.' }, 500),
    reset() {
      response.writeHead(200, head);
      response.write(text.slice(0, text.length / 2), () => request.socket.resetAndDestroy());
    },
    truncated() {
      response.setHeader('content-type', 'application/json');
      response.end(text.slice(0, text.length / 2));
    },
    silent() {},
    stalled() {
      response.writeHead(200, head);
      response.write(text.slice(0, text.length / 2));
    },
    'repeated page': () => sendJson(response, rowsOf(settings, klines[0])),
    'unsorted page': () => sendJson(response, [...rows.slice(2), ...rows.slice(0, 2)]),
    'doubled rows': () =>
      sendJson(
        response,
        rows.flatMap((row) => [row, row]),
      ),
    'empty page': () => sendJson(response, []),
    html() {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Down for maintenance</title>\n<h1>We will be back</h1>');
    },
    'broken bar': () => sendJson(response, rowsOf(settings, asked, broken)),
  };
  const wrong = fault?.(klines.length - 1);
  if (wrong === undefined) sendJson(response, rows);
  else answers[wrong]();
}

/** The second bar of a page with a high below its other prices. */
const broken = ([time, open, high, ...others]: BarRow, i: number): BarRow => [
  ...([time, open, i === 1 ? 1e-8 : high] as const),
  ...others,
];

/** Bars from `startTime` on, as `changed` makes them, in the columns of the exchange. */
function rowsOf(
  { bars, nowMs, pageMax = 1_000, provider = 'ccxt' }: ExchangeOptions,
  { startTime, limit }: KlinesRequest,
  changed: (bar: BarRow, i: number) => BarRow = (bar) => bar,
) {
  const format: Format = formats[provider];
  const rows: (readonly (number | string)[])[] = [];
  for (let i = 0; i < bars.barCount && rows.length < Math.min(limit, pageMax); i++) {
    const time = bars.time[i];
    if (time < startTime || time > nowMs) continue;
    const bar: BarRow = [time, bars.open[i], bars.high[i], bars.low[i], bars.close[i], bars.volume[i]];
    rows.push(format.row(changed(bar, rows.length), bars.intervalMs));
  }
  return rows;
}

/** The list of markets of Binance spot. */
export const exchangeInfo = (serverTime: number) => ({
  timezone: 'UTC',
  serverTime,
  rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6_000 }],
  exchangeFilters: [],
  symbols: [
    ['BTC', 'USDT'],
    ['BTC', 'USDC'],
    ['ETH', 'USDT'],
  ].map(([baseAsset, quoteAsset]) => ({
    symbol: `${baseAsset}${quoteAsset}`,
    status: 'TRADING',
    baseAsset,
    baseAssetPrecision: 8,
    quoteAsset,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ['LIMIT', 'MARKET'],
    icebergAllowed: true,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01000000', maxPrice: '1000000.00000000', tickSize: '0.01000000' },
      { filterType: 'LOT_SIZE', minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
    ],
    permissions: [],
    permissionSets: [['SPOT']],
  })),
});

function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers });
  response.end(JSON.stringify(value));
}
