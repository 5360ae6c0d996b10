import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { UpstreamFault, type UpstreamLimits } from '../../../../../data/upstreams/index.js';
import { CcxtTrades, openHeldTrades, type Trade } from '../../../../../data/upstreams/trades/index.js';
import { EngineError } from '../../../../../engine/errors.js';
import { testTradesContract } from '../../../../support/trades-contract.js';
import { binanceAnswers, type ServedMarket } from '../../../../support/trades-exchange.js';
import { root } from '../../../../support/tree.js';
import { startUpstream, testUpstreamFaults } from '../../../../support/upstream-server.js';

const recorded = openHeldTrades(join(root, 'sample/recordings'));
const spot = { base: 'BTC', quote: 'USDT' };
const perpetual = { base: 'BTC-PERP', quote: 'USDT' };
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

testUpstreamFaults('ccxt', async (t, limits) => {
  const { server, port } = await start(t, { ...limits, deadlineMs: 1_200 });
  await port.latestQuote(spot); // reads the list of markets, so that the fault meets the trades
  return { server, secret: SECRET, ask: () => port.latestTrade(spot) };
});

testUpstreamFaults('ccxt, list of markets', async (t, limits) => {
  const { server, port } = await start(t, { ...limits, deadlineMs: 1_200 });
  return { server, secret: SECRET, ask: () => port.latestTrade(spot) };
});

test('an answer names the exchange; only a perpetual makes it list perpetuals', async (t) => {
  const { server, port } = await start(t);
  assert.equal((await port.latestTrade(spot)).source, 'binance');
  assert.deepEqual(
    new Set(server.requests.map(({ path }) => path)),
    new Set(['/api/v3/exchangeInfo', '/api/v3/aggTrades']),
  );
  await port.latestTrade(perpetual);
  assert.ok(server.requests.some(({ path }) => path === '/fapi/v1/exchangeInfo'));
  const state = port.state();
  assert.deepEqual(state, { name: 'binance', breaker: 'closed', fault: null });
});

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

test('one history is one answer, kept while it is fresh', async (t) => {
  const { server, port } = await start(t);
  const [first] = markets.spot.trades;
  const window = { fromMs: first.timeMs, toMs: first.timeMs + 10_000, isAscending: true, limit: 10 };
  const asked = async () => {
    await port.trades(spot, window);
    return server.requests.length;
  };
  assert.equal(await asked(), await asked());
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
