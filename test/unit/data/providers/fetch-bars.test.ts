import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import {
  type BarProvider,
  type BarRow,
  type FetchRequest,
  type FetchSurroundings,
  fetchBars,
  openCcxt,
} from '../../../../data/providers/index.js';
import { waitBefore } from '../../../../data/providers/retry.js';
import { retryAfterMs } from '../../../../data/providers/transport.js';
import { type BarSeries, sliceBars } from '../../../../engine/series/bars.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/intervals.js';
import { bytesOf, refuses, tempFolder } from '../../../support/data-fixtures.js';
import { type ExchangeOptions, startExchange, type TestExchange } from '../../../support/exchange.js';
import { randomBars, seededRandom } from '../../../support/random.js';

const bars = randomBars({ seed: 11, barCount: 60 });
const startMs = bars.time[0];
const endMs = bars.time[59] + HOUR_MS;
const request: FetchRequest = { asset: 'BTC', symbol: 'BTC/USDT', intervalMs: HOUR_MS, startMs };

const openTestExchange = (t: TestContext, options: Partial<ExchangeOptions> = {}) =>
  startExchange(t, { bars, nowMs: endMs, pageMax: 20, ...options });

async function fetchFrom(
  exchange: TestExchange,
  home: string,
  changes: Partial<FetchRequest> = {},
  surroundings: Partial<FetchSurroundings> = {},
) {
  const wanted = { ...request, ...changes };
  const provider = await openCcxt({
    exchange: 'binance',
    symbol: wanted.symbol,
    apiUrl: exchange.url,
    rateLimitMs: 1,
    timeoutMs: 2_000,
  });
  return fetchBars(provider, wanted, {
    home,
    now: () => exchange.settings.nowMs,
    random: seededRandom(1),
    sleep: async () => {},
    ...surroundings,
  });
}

const stored = async (home: string): Promise<BarSeries> =>
  (await openBars({ home }).load({ asset: 'BTC', intervalMs: HOUR_MS })).bars;

const without = (from: number, to: number): BarSeries => {
  const parts = [sliceBars(bars, 0, from), sliceBars(bars, to, bars.barCount)];
  const join = (name: 'time' | 'open' | 'high' | 'low' | 'close' | 'volume') =>
    Float64Array.from(parts.flatMap((part) => [...part[name]]));
  return {
    ...bars,
    barCount: bars.barCount - (to - from),
    time: join('time'),
    open: join('open'),
    high: join('high'),
    low: join('low'),
    close: join('close'),
    volume: join('volume'),
  };
};

test('bars come page by page and end in the catalogue, bit for bit as the exchange sent them', async (t) => {
  const home = tempFolder(t);
  const exchange = await openTestExchange(t);
  const shares: number[] = [];
  const fetched = await fetchFrom(exchange, home, { licence: 'CC0' }, { onProgress: ({ done }) => shares.push(done) });
  assert.deepEqual(bytesOf(await stored(home)), bytesOf(bars));
  assert.deepEqual(
    exchange.klines,
    [0, 20, 40].map((i) => ({ symbol: 'BTCUSDT', interval: '1h', startTime: bars.time[i], limit: 1_000 })),
  );
  assert.deepEqual(
    exchange.paths.slice(0, 2),
    ['/api/v3/exchangeInfo', '/api/v3/time'],
    'no listing except that of spot',
  );
  const { status, pages, retries, gaps, missingBefore, missingAfter, entry } = fetched;
  assert.deepEqual(
    { status, pages, retries, gaps, missingBefore, missingAfter },
    { status: 'added', pages: 3, retries: 0, gaps: [], missingBefore: 0, missingAfter: 0 },
  );
  assert.deepEqual(shares, [1 / 3, 2 / 3, 1]);
  assert.equal(entry.exchange, 'binance BTC/USDT');
  assert.equal(entry.licence, 'CC0');
  assert.equal(entry.origin.source, `fetched from binance at ${exchange.url}`);
  assert.deepEqual(await readdir(join(home, 'fetch')), []);
  const [checked] = await openBars({ home }).check();
  assert.deepEqual(checked.problems, []);
});

test('the bar that is still forming is left out, by the earlier of the two clocks', async (t) => {
  for (const [theirs, ours] of [
    [endMs - 1, endMs],
    [endMs - 1, endMs + DAY_MS],
    [endMs + DAY_MS, endMs - 1],
  ] as const) {
    const home = tempFolder(t);
    const exchange = await openTestExchange(t, { nowMs: theirs });
    await fetchFrom(exchange, home, {}, { now: () => ours });
    assert.deepEqual(bytesOf(await stored(home)), bytesOf(sliceBars(bars, 0, 59)));
  }
});

test('a fetch extends stored bars at both ends without requesting them again', async (t) => {
  const home = tempFolder(t);
  const exchange = await openTestExchange(t, { nowMs: bars.time[30] });
  await fetchFrom(exchange, home, { startMs: bars.time[10] });
  assert.equal((await stored(home)).barCount, 20);
  const before = exchange.klines.length;
  exchange.settings = { ...exchange.settings, nowMs: endMs };
  const { status, fetchedBars, entry } = await fetchFrom(exchange, home);
  assert.deepEqual([status, fetchedBars], ['extended', 40]);
  assert.deepEqual(
    exchange.klines.slice(before).map(({ startTime }) => startTime),
    [bars.time[0], bars.time[29], bars.time[49]],
  );
  assert.deepEqual(bytesOf(await stored(home)), bytesOf(bars));
  assert.equal(entry.origin.source, `fetched from binance at ${exchange.url}`);

  const asked = exchange.klines.length;
  assert.equal((await fetchFrom(exchange, home)).status, 'unchanged');
  assert.equal(exchange.klines.length, asked, 'nothing is missing, so nothing is requested');
});

test('an exchange that disagrees with a stored bar is a conflict that names the time; --replace accepts its bar', async (t) => {
  const home = tempFolder(t);
  const exchange = await openTestExchange(t, { nowMs: bars.time[30] });
  await fetchFrom(exchange, home);
  const revised: BarSeries = { ...bars, volume: bars.volume.map((volume) => volume + 1) };
  const catalogue = await readFile(join(home, 'bars/catalogue.json'), 'utf8');
  exchange.settings = { ...exchange.settings, bars: revised, nowMs: endMs };
  await refuses(fetchFrom(exchange, home), 'CONFLICT', /bars of 2024-01-02T05:00:00Z differ: .*--replace/);
  exchange.settings = { ...exchange.settings, bars: without(25, 35) };
  await refuses(fetchFrom(exchange, home), 'CONFLICT', /bars of 2024-01-02T05:00:00Z differ: .*has no bar, held is/);
  await refuses(
    fetchFrom(exchange, home, { symbol: 'BTC/USDC' }),
    'CONFLICT',
    /are from binance BTC\/USDT, not from binance BTC\/USDC/,
  );
  assert.equal(await readFile(join(home, 'bars/catalogue.json'), 'utf8'), catalogue);

  exchange.settings = { ...exchange.settings, bars: revised };
  assert.equal((await fetchFrom(exchange, home, { replace: true })).status, 'replaced');
  assert.deepEqual(bytesOf(await stored(home)), bytesOf(revised));
});

test('a refusal for bars that an exchange does not have names those it has', async (t) => {
  const home = tempFolder(t);
  const exchange = await openTestExchange(t);
  const open = (id: string) => openCcxt({ exchange: id, symbol: 'BTC/USDT', apiUrl: exchange.url });
  await refuses(open('binanec'), 'NOT_FOUND', /knows no exchange "binanec", did you mean binance/);
  await refuses(
    fetchFrom(exchange, home, { symbol: 'BTC/USDTT' }),
    'NOT_FOUND',
    /binance has no market "BTC\/USDTT", did you mean BTC\/USDT/,
  );
  await refuses(
    fetchFrom(exchange, home, { intervalMs: 7 * HOUR_MS }),
    'INVALID_FIELD',
    /binance has no 7h bars, it has .*1h/,
  );
  await refuses(fetchFrom(exchange, home, { endMs: startMs }), 'EMPTY_WINDOW', /no 1h bar opens/);
  exchange.settings = { ...exchange.settings, bars: sliceBars(bars, 0, 0) };
  await refuses(fetchFrom(exchange, home), 'EMPTY_WINDOW', /binance has no 1h bar of BTC\/USDT from/);
  assert.deepEqual(await openBars({ home }).list(), []);
});

test('a provider that answers by time windows is followed across a hole longer than a page', async (t) => {
  const home = tempFolder(t);
  const holed = without(12, 47);
  const asked: number[] = [];
  const provider: BarProvider = {
    name: 'windows',
    open: async () => ({ pageBarsMax: 10 }),
    fetchTime: async () => null,
    async fetchPage(_symbol, intervalMs, fromMs, limit) {
      asked.push((fromMs - startMs) / HOUR_MS);
      return Array.from(holed.time, (time, i): BarRow => {
        return [time, holed.open[i], holed.high[i], holed.low[i], holed.close[i], holed.volume[i]];
      }).filter(([time]) => time >= fromMs && time < fromMs + limit * intervalMs);
    },
  };
  const fetched = await fetchBars(provider, request, {
    home,
    now: () => endMs,
    random: seededRandom(1),
    sleep: async () => {},
  });
  assert.deepEqual(bytesOf(await stored(home)), bytesOf(holed));
  assert.deepEqual(asked, [0, 10, 12, 12, 22, 32, 42, 52], 'the first empty page is requested twice');
  assert.deepEqual([fetched.retries, fetched.gaps.length, fetched.gaps[0].bars], [1, 1, 35]);
  assert.equal(fetched.entry.origin.source, 'fetched from windows');
});

test('waits double up to a bound, with jitter, and are at least as long as the exchange asks for', () => {
  const rules = { triesMax: 9, backoffMs: 1_000, backoffMsMax: 5_000, retryAfterMsMax: 60_000 };
  const waits = (chance: number, retryAfter: number | null) =>
    [1, 2, 3, 4, 5].map((attempt) => waitBefore(attempt, retryAfter, rules, () => chance));
  assert.deepEqual(waits(0, null), [500, 1_000, 2_000, 2_500, 2_500]);
  assert.deepEqual(waits(1, null), [1_000, 2_000, 4_000, 5_000, 5_000]);
  assert.deepEqual(waits(0, 7_000), [7_000, 7_000, 7_000, 7_000, 7_000]);
  const now = Date.UTC(2024, 0, 1);
  assert.equal(retryAfterMs('3', now), 3_000);
  assert.equal(retryAfterMs('Mon, 01 Jan 2024 00:01:00 GMT', now), 60_000);
  assert.equal(retryAfterMs('soon', now), null);
  assert.equal(retryAfterMs(null, now), null);
});
