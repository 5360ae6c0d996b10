import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import {
  WHALE_HISTORY_MS,
  WHALE_USD_MIN,
  WhaleAlert,
  type WhaleTransfer,
} from '../../../../data/upstreams/whales/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { onChainWorld, tokenOf } from '../../../support/onchain-world.js';
import { startUpstream, testUpstreamFaults } from '../../../support/upstream-server.js';
import { whaleAlertAnswers } from '../../../support/whale-alert-server.js';

const KEY = 'whale-alert-secret-key';
const world = onChainWorld();
const { whales } = world;

const party = ({ address, owner, isExchange }: WhaleTransfer['from']) => ({ address, owner, isExchange });
const plain = ({ hash, blockchain, symbol, amount, amountUsd, timeMs, from, to }: WhaleTransfer) => ({
  ...{ hash, blockchain, symbol, amount, amountUsd, timeMs },
  ...{ from: party(from), to: party(to) },
});

async function open(t: TestContext, limits = {}) {
  const server = await startUpstream(t, whaleAlertAnswers(world.whales));
  let now = await world.whales.nowMs(null);
  const port = new WhaleAlert({ baseUrl: server.url, key: KEY, limits, clock: () => now });
  const advance = (ms: number): void => {
    now += ms;
  };
  return { server, port, advance };
}

test('generated: transfers lie in the window, are worth the minimum, and come the newest first', async () => {
  const token = tokenOf('UNI');
  const now = await whales.nowMs(token);
  const backMs = 24 * HOUR_MS;
  const found = await whales.transfers({ token, usdMin: WHALE_USD_MIN, backMs });
  assert.equal(found.source, 'generated');
  const { transfers, isComplete } = found.value;
  assert.ok(isComplete && transfers.length > 0);
  for (const [i, row] of transfers.entries()) {
    assert.equal(row.symbol, 'UNI');
    assert.ok(row.amountUsd >= WHALE_USD_MIN && row.amount > 0);
    assert.ok(row.timeMs >= now - backMs && row.timeMs < now);
    assert.ok(i === 0 || row.timeMs <= transfers[i - 1]!.timeMs);
    assert.ok(row.hash !== '' && row.from.address !== '' && row.to.address !== '');
    for (const { isExchange, owner } of [row.from, row.to]) assert.ok(!isExchange || owner !== null);
  }
  assert.ok(transfers.some(({ to }) => to.isExchange) && transfers.some(({ from }) => from.isExchange));
});

test('whale-alert: an answer is that of its server, for all tokens and above any minimum', async (t) => {
  const { port } = await open(t);
  for (const query of [
    { token: tokenOf('ETH'), usdMin: WHALE_USD_MIN, backMs: 6 * HOUR_MS },
    { token: tokenOf('ETH'), usdMin: 5_000_000, backMs: 6 * HOUR_MS },
  ]) {
    const [told, own] = [await port.transfers(query), await whales.transfers(query)];
    assert.deepEqual(told.value.transfers, own.value.transfers.map(plain));
  }
  const { transfers } = (await port.transfers({ token: null, usdMin: 5_000_000, backMs: 3 * HOUR_MS })).value;
  assert.ok(new Set(transfers.map(({ symbol }) => symbol)).size > 2, 'all tokens');
});

testUpstreamFaults('whale-alert', async (t, limits) => {
  const { server, port } = await open(t, limits);
  const ask = () => port.transfers({ token: tokenOf('UNI'), usdMin: WHALE_USD_MIN, backMs: 24 * HOUR_MS });
  return { server, ask, secret: KEY };
});

test('a window with more transfers than an answer may read is read from its end', async (t) => {
  const { server, port } = await open(t);
  const now = await port.nowMs();
  const { transfers, isComplete } = (
    await port.transfers({ token: tokenOf('BTC'), usdMin: WHALE_USD_MIN, backMs: WHALE_HISTORY_MS })
  ).value;
  assert.equal(isComplete, false);
  assert.ok(transfers.length >= 100 && transfers.length <= 700);
  assert.ok(transfers[0]!.timeMs > now - HOUR_MS, 'the newest are there');
  assert.equal(new Set(transfers.map(({ hash }) => hash)).size, transfers.length);
  assert.ok(server.requests.length <= 10, `${server.requests.length} requests`);
});

test('an answer that the rate cuts short is not complete', async (t) => {
  const { port } = await open(t, { perMinute: 2, deadlineMs: 200 });
  const query = { token: tokenOf('ETH'), usdMin: WHALE_USD_MIN, backMs: 36 * HOUR_MS };
  const { transfers, isComplete } = (await port.transfers(query)).value;
  assert.equal(isComplete, false);
  assert.equal(transfers.length, 200);
});
