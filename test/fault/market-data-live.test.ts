import assert from 'node:assert/strict';
import test from 'node:test';
import type { Trade } from '../../data/upstreams/trades/index.js';
import { grpcApi } from '../support/api.js';
import { startTestService } from '../support/service.js';
import { binanceAnswers } from '../support/trades-exchange.js';
import { startUpstream } from '../support/upstream-server.js';

const spot = { base: 'BTC', quote: 'USDT' };
const trade: Trade = { timeMs: Date.UTC(2026, 0, 1), price: 90_000.5, size: 0.00000001, takerSide: 'sell' };
const market = { trades: [trade], book: { timeMs: 0, askPrice: 3, askSize: 1, bidPrice: 2, bidSize: 1 } };

test('a service with an exchange answers live, then from what it kept, then with one clear error', async (t) => {
  const server = await startUpstream(t, binanceAnswers({ spot: market, perpetual: market }));
  const service = await startTestService({ BARLINE_TRADES_EXCHANGE: 'binance', BARLINE_TRADES_URL: server.url });
  t.after(() => service.stop());
  const { token } = await service.login();
  const api = grpcApi(service.client, token);

  const url = `${service.origin}/api/v1/marketdata/trades/BTC/USDT/latest`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const live = (await response.json()) as Record<string, unknown>;
  assert.deepEqual([live.price, live.size, live.taker_side], ['90000.5', '0.00000001', 'sell']);
  assert.deepEqual([live.source, live.is_stale], ['binance', false]);
  assert.equal(response.headers.get('cache-control'), 'private, max-age=1');
  assert.match(response.headers.get('age') ?? '', /^\d$/);

  const past = { ...spot, start_time: '2024-08-09T00:00:00Z', end_time: '2024-08-09T00:00:01Z' };
  const { body: quotes } = await api.call('MarketData.ListQuotes', past);
  assert.ok(quotes.source === 'recorded' && quotes.count > 0, 'past quotes are the recorded ones');
  assert.equal((await api.call('MarketData.GetLatestTrade', { base: 'NO', quote: 'USDT' })).code, 'RESOURCE_NOT_FOUND');

  server.faults.push(...Array.from({ length: 100 }, () => 'reset' as const));
  let stale: Record<string, unknown>;
  do stale = (await api.call('MarketData.GetLatestTrade', spot)).body;
  while (stale.is_stale === false); // as long as the answer counts as fresh
  assert.deepEqual([stale.price, stale.source, stale.is_stale], [live.price, 'binance', true]);

  const { code, message } = await api.call('MarketData.GetLatestQuote', spot);
  assert.equal(code, 'INTERNAL_ERROR');
  assert.match(message ?? '', /^binance: no answer/);
  assert.ok(!message?.includes('127.0.0.1'));
  let health: Record<string, unknown>;
  do {
    await api.call('MarketData.GetLatestQuote', spot);
    health = (await api.call('MarketData.GetHealth', {})).body;
  } while (health.status === 'healthy'); // until the calls are held back
  assert.deepEqual([health.status, health.provider], ['degraded', 'binance']);
  assert.match(String(health.problem), /^binance: /);
});
