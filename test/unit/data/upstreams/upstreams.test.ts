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
import { startUpstream } from '../../../support/upstream-server.js';
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
