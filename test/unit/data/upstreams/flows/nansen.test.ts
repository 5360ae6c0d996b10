import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { Nansen } from '../../../../../data/upstreams/flows/index.js';
import { testFlowsPort } from '../../../../support/flows-port-contract.js';
import { nansenAnswers } from '../../../../support/nansen-server.js';
import { onChainWorld, tokenOf } from '../../../../support/onchain-world.js';
import { startUpstream, testUpstreamFaults, type UpstreamAnswer } from '../../../../support/upstream-server.js';

const KEY = 'nansen-secret-key';
const world = onChainWorld();

async function open(t: TestContext, limits = {}, answer: UpstreamAnswer = nansenAnswers(world.flows)) {
  const server = await startUpstream(t, answer);
  const now = await world.flows.nowMs(null);
  return { server, port: new Nansen({ baseUrl: server.url, key: KEY, limits, clock: () => now }) };
}

testFlowsPort('nansen', 'nansen', async (t) => (await open(t)).port);

testUpstreamFaults('nansen', async (t, limits) => {
  const server = await startUpstream(t, nansenAnswers(world.flows));
  const port = new Nansen({ baseUrl: server.url, key: KEY, limits });
  const ask = () => port.intelligence({ token: tokenOf('UNI'), chain: 'ethereum', timeframe: '1d' });
  return { server, ask, secret: KEY };
});

test('nansen gets the key in a header, the filters in its own names and the page asked for', async (t) => {
  const { server, port } = await open(t);
  await port.dexTrades({
    chains: ['ethereum', 'bitcoin'],
    filters: {
      min_amount_usd: 5,
      side: 'buy',
      include_smart_money_labels: ['Fund'],
      token_bought_age_days: { max: 3 },
    },
    orderBy: [{ field: 'value_usd', direction: 'DESC' }],
    page: 2,
    perPage: 50,
  });
  const [request] = server.requests;
  assert.equal(request?.path, '/api/v1/smart-money/dex-trades');
  assert.equal(request?.headers.apikey, KEY);
  assert.deepEqual(request?.body, {
    chains: ['ethereum'],
    filters: {
      include_smart_money_labels: ['Fund'],
      token_bought_age_days: { max: 3 },
      trade_value_usd: { min: 5 },
    },
    order_by: [{ field: 'trade_value_usd', direction: 'DESC' }],
    pagination: { page: 2, per_page: 50 },
  });
});

test('nansen is asked once for equal questions, and not at all for what it does not cover', async (t) => {
  const { server, port } = await open(t);
  const query = { token: tokenOf('UNI'), chain: 'ethereum', timeframe: '1d' } as const;
  const [first, second] = await Promise.all([port.intelligence(query), port.intelligence(query)]);
  assert.deepEqual((await port.intelligence(query)).value, first.value);
  assert.deepEqual(second.value, first.value);
  assert.equal(server.requests.length, 1);
  assert.deepEqual((await port.trading({ chains: ['bitcoin'], timeframe: '24h' })).value, []);
  assert.equal(server.requests.length, 1);
});

test('a field that nansen leaves out or sets to null counts as 0', async (t) => {
  const rows = { filters: {}, orderBy: [], page: 1, perPage: 10 };
  const { port } = await open(t, {}, () => ({ data: [{ chain: 'ethereum', token_symbol: 'X', buy_volume: null }] }));
  const { value } = await port.trading({ chains: ['ethereum'], timeframe: '24h' });
  assert.deepEqual(value, [{ symbol: 'X', chain: 'ethereum', inflowUsd: 0, outflowUsd: 0, walletCount: 0 }]);
  await assert.rejects(port.perpTrades(rows), /nansen: an answer whose data\.0\.\w+ is not as documented/);
});

test('a token that nansen does not know has no holders', async (t) => {
  const { port } = await open(t, {}, () => undefined);
  assert.equal((await port.holders(tokenOf('UNI'))).value, null);
});
