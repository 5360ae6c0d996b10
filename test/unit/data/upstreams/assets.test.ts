import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type BarStore, openBars } from '../../../../data/bars/index.js';
import { openStoredMarketData } from '../../../../data/providers/index.js';
import {
  type AssetSource,
  CANDLE_DAYS_MAX,
  type CandleSource,
  CoinGecko,
  openCoinApi,
  openHeldAssets,
} from '../../../../data/upstreams/assets/index.js';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../../engine/series/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { goldenPath, root } from '../../../support/tree.js';
import { startUpstream, type UpstreamAnswer } from '../../../support/upstream-server.js';

/** What the servers below take for the present, unless they are told. */
const ASSETS_NOW_MS = Date.parse('2025-06-01T12:00:00Z');

const SECRET_KEY = 'a-key-that-nobody-may-see';

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
const coinGeckoAnswers =
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
const coinApiAnswers =
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

/** What every source of candles promises; each of them knows BTC and ETH. */
function testCandleSource(name: string, open: (t: TestContext) => Promise<CandleSource>): void {
  for (const days of [1, 30, CANDLE_DAYS_MAX]) {
    test(`${name}: candles of ${days} days lie on their grid, in order and within the days`, async (t) => {
      const { value } = await (await open(t)).candles('BTC', days);
      assert.ok(value !== null);
      const { intervalMs, candles } = value;
      assert.ok(candles.length > 0 && candles.length <= days * 48, `${candles.length}`);
      const span = (candles.at(-1)?.timeMs ?? 0) + intervalMs - (candles[0]?.timeMs ?? 0);
      assert.ok(span <= days * DAY_MS, `${span / DAY_MS} days`);
      assert.ok(span >= days * DAY_MS - 2 * intervalMs, `${span / DAY_MS} days`);
      let before = 0;
      for (const { timeMs, open, high, low, close, volume } of candles) {
        assert.ok(timeMs > before && (timeMs - (candles[0]?.timeMs ?? 0)) % intervalMs === 0);
        assert.ok(low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close) && volume >= 0);
        before = timeMs;
      }
    });
  }

  test(`${name}: an unknown asset has no candles`, async (t) => {
    assert.equal((await (await open(t)).candles('NOPE', 30)).value, null);
  });
}

/**
 * What every source of assets promises.
 *
 * @param symbols of its assets, the largest first
 */
function testAssetSource(
  name: string,
  symbols: readonly string[],
  open: (t: TestContext) => Promise<AssetSource>,
): void {
  testCandleSource(name, open);

  test(`${name}: each listed asset appears once, and has a profile`, async (t) => {
    const source = await open(t);
    const { value: listed } = await source.listed();
    assert.deepEqual(
      listed.map(({ symbol }) => symbol),
      symbols,
    );
    assert.ok(listed.every(({ revision }) => (revision === null) === source.isLive));
    for (const { symbol, name } of listed) {
      const { value: profile } = await source.profile(symbol);
      assert.ok(profile !== null);
      assert.deepEqual([profile.symbol, profile.name], [symbol, name]);
      assert.ok(profile.priceUsd > 0 && (profile.marketCapUsd ?? 0) > profile.volume24hUsd);
      assert.ok((profile.volatility30d ?? 0) > 0 && (profile.drawdown30d ?? 1) < 1);
      assert.ok((profile.launchedAtMs ?? Infinity) < profile.asOfMs);
      const tiers = profile.exchanges.map(({ tier }) => tier);
      assert.ok(tiers.length > 0 && tiers.every((tier) => tier >= 1 && tier <= 3));
    }
  });

  test(`${name}: the market of an asset agrees with its profile`, async (t) => {
    const source = await open(t);
    const { value: snapshot } = await source.snapshot('ETH');
    const { value: profile } = await source.profile('ETH');
    assert.ok(snapshot !== null && profile !== null);
    assert.deepEqual([snapshot.symbol, snapshot.price], ['ETH', profile.priceUsd]);
    assert.equal(snapshot.marketCap, profile.marketCapUsd);
    assert.ok((snapshot.low24h ?? 0) <= snapshot.price && (snapshot.high24h ?? 0) >= snapshot.price);
    assert.ok(Math.abs(snapshot.change24hPct ?? 99) < 50 && Math.abs(snapshot.change7dPct ?? 99) < 50);
  });

  test(`${name}: unknown assets have neither profile nor market`, async (t) => {
    const source = await open(t);
    assert.equal((await source.profile('NOPE')).value, null);
    assert.equal((await source.snapshot('NOPE')).value, null);
  });
}

const SAMPLE = join(root, 'sample');

/** Assets over a home of its own and, unless `sampleDir` says otherwise, the bundled bars. */
function heldAssets(sampleDir?: string) {
  const bars = openBars({ home: temporaryFolder('assets'), sampleDir });
  return { bars, source: openHeldAssets({ bars, market: openStoredMarketData(bars) }) };
}

const bundled = ['BTC', 'ETH', 'XRP', 'BNB', 'SOL'];
testAssetSource('held', bundled, async () => heldAssets(SAMPLE).source);

/** 40 days of hourly bars: 100 until the last 24 hours, then 90. */
async function importFalling(bars: BarStore, asset: string, endMs: number) {
  const lines = ['timestamp,open,high,low,close,volume'];
  for (let hour = 40 * 24; hour >= 1; hour--) {
    const price = hour <= 24 ? 90 : 100;
    lines.push([isoTime(endMs - hour * HOUR_MS), price, price + 1, price - 1, price, hour <= 24 ? 20 : 10].join(','));
  }
  const path = join(temporaryFolder('bars'), 'bars.csv');
  await writeFile(path, lines.join('\n'));
  await bars.import(path, { asset, exchange: 'Binance', replace: true });
}

const END_MS = Date.parse('2025-01-02T00:00:00Z');

test('prices, volumes, volatility and drawdown come from the bars', async () => {
  const { bars, source } = heldAssets();
  await importFalling(bars, 'FOO', END_MS);
  const { value: profile, source: from } = await source.profile('FOO');
  assert.ok(profile !== null);
  assert.equal(from, 'recorded');
  const { symbol, name, asOfMs, priceUsd, marketCapUsd, volume24hUsd, drawdown30d, launchedAtMs } = profile;
  assert.deepEqual({ symbol, name, asOfMs, priceUsd }, { symbol: 'FOO', name: 'FOO', asOfMs: END_MS, priceUsd: 90 });
  assert.deepEqual([marketCapUsd, launchedAtMs], [null, null], 'nothing is known of its supply');
  assert.equal(volume24hUsd, 24 * 20 * 90);
  assert.ok(Math.abs((drawdown30d ?? 0) - 0.1) < 1e-12);
  // One of thirty daily returns is ln 0.9, the others are 0.
  const expected = Math.abs(Math.log(0.9)) * Math.sqrt((1 / 29) * (1 - 1 / 30)) * Math.sqrt(365);
  assert.ok(Math.abs((profile.volatility30d ?? 0) - expected) < 1e-12);
  assert.deepEqual(
    profile.exchanges.map(({ name: exchange }) => exchange),
    ['binance'],
    'the exchange of its bars',
  );
  const { value: snapshot } = await source.snapshot('FOO');
  assert.deepEqual([snapshot?.high24h, snapshot?.low24h, snapshot?.marketCap], [91, 89, null]);
  assert.ok(Math.abs((snapshot?.change24hPct ?? 0) + 10) < 1e-9 && Math.abs((snapshot?.change7dPct ?? 0) + 10) < 1e-9);
});

test('an import shows at the next call, and changes the revision of its asset alone', async () => {
  const { bars, source } = heldAssets(SAMPLE);
  const { value: before } = await source.listed();
  await importFalling(bars, 'AVAX', END_MS);
  const { value: after } = await source.listed();
  assert.deepEqual(
    after.map(({ symbol, name }) => `${symbol} ${name}`),
    ['BTC Bitcoin', 'ETH Ethereum', 'XRP XRP', 'BNB BNB', 'SOL Solana', 'AVAX Avalanche'],
  );
  assert.deepEqual(after.slice(0, bundled.length), before);
  await importFalling(bars, 'AVAX', END_MS + DAY_MS);
  const { value: renewed } = await source.listed();
  assert.notEqual(renewed.at(-1)?.revision, after.at(-1)?.revision);
  assert.deepEqual(renewed.slice(0, bundled.length), before);
  assert.equal((await source.profile('AVAX')).value?.asOfMs, END_MS + DAY_MS);
});

const clock = () => ASSETS_NOW_MS;

async function coinGecko(t: TestContext) {
  const server = await startUpstream(t, coinGeckoAnswers());
  return { server, source: new CoinGecko({ key: SECRET_KEY, baseUrl: server.url, clock }) };
}

async function coinApi(t: TestContext) {
  const server = await startUpstream(t, coinApiAnswers());
  return { server, source: openCoinApi({ key: SECRET_KEY, baseUrl: server.url, clock }) };
}

testAssetSource('coingecko', ['BTC', 'ETH'], async (t) => (await coinGecko(t)).source);
testCandleSource('coinapi', async (t) => (await coinApi(t)).source);

test('the key goes into the header of its provider, never into the address', async (t) => {
  const [gecko, api] = [await coinGecko(t), await coinApi(t)];
  await gecko.source.listed();
  await api.source.candles('BTC', 1);
  for (const [request, header] of [
    [gecko.server.requests[0], 'x-cg-demo-api-key'],
    [api.server.requests[0], 'x-coinapi-key'],
  ] as const) {
    assert.equal(request?.headers[header], SECRET_KEY);
    assert.ok(![...(request?.query.values() ?? [])].includes(SECRET_KEY));
  }
});

test('coinapi: a period without a trade is no candle, and no more is asked than the days hold', async (t) => {
  const { server, source } = await coinApi(t);
  const { value } = await source.candles('ETH', 30);
  assert.equal(value?.intervalMs, 4 * HOUR_MS);
  assert.equal(value?.candles.length, (30 * DAY_MS) / (4 * HOUR_MS) - 1);
  const [request] = server.requests;
  assert.equal(request?.path, '/v1/ohlcv/BINANCE_SPOT_ETH_USDT/history');
  const query = Object.fromEntries(request?.query ?? []);
  assert.deepEqual(query, { period_id: '4HRS', time_start: '2025-05-02T12:00:00Z', limit: '181' });
});
