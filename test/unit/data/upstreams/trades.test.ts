import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readRecordedTrades } from '../../../../data/recordings/index.js';
import { UpstreamFault, type UpstreamLimits } from '../../../../data/upstreams/index.js';
import { CcxtTrades, openHeldTrades, type Trade, type TradesPort } from '../../../../data/upstreams/trades/index.js';
import { EngineError } from '../../../../engine/errors.js';
import { binanceAnswers, type ServedMarket } from '../../../support/trades-exchange.js';
import { root } from '../../../support/tree.js';
import { startUpstream, testUpstreamFaults, upstreamFaults } from '../../../support/upstream-server.js';

const folder = join(root, 'sample/recordings');
const recorded = openHeldTrades(folder);
const spot = { base: 'BTC', quote: 'USDT' };
const perpetual = { base: 'BTC-PERP', quote: 'USDT' };
interface TradesUnderTest {
  readonly port: TradesPort;
  /** All trades of BTC/USDT that the implementation can give, oldest first. */
  readonly spotTrades: readonly Trade[];
}

const everything = { fromMs: 0, toMs: 8e15, isAscending: true, limit: 1_000 };

/** What every implementation of the port promises. */
function testTradesContract(name: string, open: (t: TestContext) => Promise<TradesUnderTest>): void {
  const rowsOf = async <Row>(answer: Promise<{ value: { rows: readonly Row[] } | null }>) => (await answer).value?.rows;

  test(`${name}: a window holds its first moment and not its last, in either order`, async (t) => {
    const { port, spotTrades } = await open(t);
    const [fromMs, toMs] = [spotTrades[200].timeMs, spotTrades[600].timeMs];
    const expected = spotTrades.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
    assert.ok(expected.length > 100);
    const window = { fromMs, toMs, limit: 1_000 };
    assert.deepEqual(await rowsOf(port.trades(spot, { ...window, isAscending: true })), expected);
    assert.deepEqual(await rowsOf(port.trades(spot, { ...window, isAscending: false })), expected.toReversed());
  });

  test(`${name}: a limit keeps the oldest when ascending and the newest otherwise`, async (t) => {
    const { port, spotTrades } = await open(t);
    const [fromMs, toMs] = [spotTrades[0].timeMs, spotTrades.at(-1)!.timeMs + 1];
    for (const limit of [1, 7, 1_000]) {
      const window = { fromMs, toMs, limit };
      assert.deepEqual(await rowsOf(port.trades(spot, { ...window, isAscending: true })), spotTrades.slice(0, limit));
      const newest = spotTrades.slice(-limit).toReversed();
      assert.deepEqual(await rowsOf(port.trades(spot, { ...window, isAscending: false })), newest);
    }
  });

  test(`${name}: a window without trades is empty`, async (t) => {
    const { port, spotTrades } = await open(t);
    const day = { fromMs: spotTrades[0].timeMs - 86_400_000, toMs: spotTrades[0].timeMs };
    for (const isAscending of [true, false]) {
      const { value } = await port.trades(spot, { ...everything, ...day, isAscending });
      assert.deepEqual([value?.instrument, value?.rows], ['BTC/USDT', []]);
      const held = name === 'held' ? { firstMs: spotTrades[0].timeMs, lastMs: spotTrades.at(-1)?.timeMs } : null;
      assert.deepEqual(value?.held, held, 'says where there are trades, if they are recorded');
    }
  });

  test(`${name}: USD names the market in USDT, -PERP the perpetual, and the latest row is the newest`, async (t) => {
    const { port, spotTrades } = await open(t);
    const inDollars = (await port.latestTrade({ base: 'BTC', quote: 'USD' })).value;
    assert.deepEqual(inDollars, (await port.latestTrade(spot)).value);
    assert.deepEqual(inDollars?.rows, [spotTrades.at(-1)]);
    const [future, ready] = [(await port.latestTrade(perpetual)).value, inDollars];
    assert.equal(future?.instrument, 'BTC-PERP/USDT');
    assert.notDeepEqual(future?.rows, ready?.rows);
    assert.equal((await port.latestQuote(perpetual)).value?.instrument, 'BTC-PERP/USDT');
  });

  test(`${name}: an unknown pair is null`, async (t) => {
    const { port } = await open(t);
    for (const pair of [
      { base: 'NOPE', quote: 'USDT' },
      { base: 'BTC', quote: 'NOPE' },
      { base: 'NOPE-PERP', quote: 'USDT' },
      { base: '__proto__', quote: 'USDT' },
    ]) {
      assert.equal((await port.latestTrade(pair)).value, null);
      assert.equal((await port.latestQuote(pair)).value, null);
      assert.equal((await port.trades(pair, everything)).value, null);
      assert.equal((await port.quotes(pair, everything)).value, null);
    }
  });

  test(`${name}: past quotes are those that were recorded`, async (t) => {
    const { port } = await open(t);
    const midnight = Date.UTC(2024, 7, 9);
    const window = { fromMs: midnight, toMs: midnight + 1_000, limit: 1_000 };
    const answer = await port.quotes(spot, { ...window, isAscending: true });
    const rows = answer.value?.rows ?? [];
    assert.equal(answer.source, 'recorded');
    assert.ok(rows.length > 10 && rows.every(({ timeMs }) => timeMs >= midnight && timeMs < midnight + 1_000));
    assert.ok(rows.every(({ askPrice, bidPrice }) => askPrice > bidPrice));
    assert.deepEqual(await rowsOf(port.quotes(spot, { ...window, isAscending: false })), rows.toReversed());
  });
}

async function spotTrades() {
  const { time, values } = await readRecordedTrades(folder, 'BTC');
  return Array.from(time, (timeMs, i) => ({
    timeMs,
    price: values.price[i],
    size: values.quantity[i],
    takerSide: values.buyer_is_maker[i] === 1 ? ('sell' as const) : ('buy' as const),
  }));
}

testTradesContract('held', async () => ({ port: openHeldTrades(folder), spotTrades: await spotTrades() }));

const SECRET = 'no key is sent';

/** A market that trades every few seconds, several times in some milliseconds. */
function market(basePrice: number, count: number): ServedMarket {
  const trades = Array.from(
    { length: count },
    (_, i): Trade => ({
      timeMs: Date.UTC(2024, 7, 9) + Math.floor(i / 3) * 2_000,
      price: basePrice + (i % 50) / 10,
      size: (i + 1) / 1_000,
      takerSide: i % 3 === 0 ? 'buy' : 'sell',
    }),
  );
  const book = { timeMs: 0, askPrice: basePrice + 0.5, askSize: 2, bidPrice: basePrice, bidSize: 3 };
  return { trades, book };
}

const markets = { spot: market(60_000, 5_000), perpetual: market(59_000, 100) };

async function start(t: TestContext, limits: Partial<UpstreamLimits> = {}) {
  const server = await startUpstream(t, binanceAnswers(markets));
  const port = new CcxtTrades({ exchange: 'Binance', apiUrl: server.url, rateLimitMs: 1, limits, recorded });
  return { server, port };
}

testTradesContract('ccxt', async (t) => ({ port: (await start(t)).port, spotTrades: markets.spot.trades }));

testUpstreamFaults(
  'ccxt',
  async (t, limits) => {
    const { server, port } = await start(t, { ...limits, deadlineMs: 1_200 });
    await port.latestQuote(spot); // reads the list of markets, so that the fault meets the trades
    return { server, secret: SECRET, ask: () => port.latestTrade(spot) };
  },
  upstreamFaults,
);

test('a list of markets that is nonsense is read again by the next question', async (t) => {
  const { server, port } = await start(t);
  const answer = binanceAnswers(markets);
  for (const [pair, path] of [
    [spot, '/api/v3/exchangeInfo'],
    [perpetual, '/fapi/v1/exchangeInfo'],
  ] as const) {
    server.answer = (request) => (request.path === path ? 'nonsense' : answer(request));
    await assert.rejects(port.latestTrade(pair), (error) => error instanceof UpstreamFault && error.reason === 'shape');
    server.answer = answer;
    assert.equal((await port.latestTrade(pair)).value?.rows.length, 1);
  }
});

test('a window of too many requests is refused with the field to narrow', async (t) => {
  const { port } = await start(t);
  const window = { fromMs: 0, toMs: Date.UTC(2024, 7, 10), isAscending: true, limit: 10 };
  await assert.rejects(
    port.trades(spot, window),
    (error) => error instanceof EngineError && error.code === 'INVALID_FIELD' && /ask for less/.test(error.message),
  );
});

test('without ccxt, or with an exchange that it does not know, a question says what to do', async () => {
  const missing = async () => {
    throw Object.assign(new Error('no such package'), { code: 'ERR_MODULE_NOT_FOUND' });
  };
  const refused = (pattern: RegExp) => (error: unknown) =>
    error instanceof UpstreamFault && error.reason === 'refused' && pattern.test(error.message);
  const without = new CcxtTrades({ exchange: 'binance', importLibrary: missing, recorded });
  await assert.rejects(without.latestTrade(spot), refused(/npm install ccxt/));
  const unknown = new CcxtTrades({ exchange: 'binanse', recorded });
  await assert.rejects(unknown.latestTrade(spot), refused(/binanse.*did you mean binance/));
});
