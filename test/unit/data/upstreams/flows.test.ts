import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type FlowsPort, Nansen } from '../../../../data/upstreams/flows/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { nansenAnswers } from '../../../support/nansen-server.js';
import { onChainWorld, tokenOf } from '../../../support/onchain-world.js';
import { startUpstream, type UpstreamAnswer } from '../../../support/upstream-server.js';

const DAY_MS = 24 * HOUR_MS;
const KEY = 'nansen-secret-key';
const world = onChainWorld();

async function open(t: TestContext, limits = {}, answer: UpstreamAnswer = nansenAnswers(world.flows)) {
  const server = await startUpstream(t, answer);
  const now = await world.flows.nowMs(null);
  return { server, port: new Nansen({ baseUrl: server.url, key: KEY, limits, clock: () => now }) };
}

const { flows } = world;
const rows = { filters: {}, orderBy: [], page: 1, perPage: 100 };
const ETH = tokenOf('ETH');
const UNI = tokenOf('uniswap');

test('generated: trading has each chain and token once, by net flow', async () => {
  const found = await flows.trading({ chains: ['ethereum', 'solana'], timeframe: '24h' });
  assert.equal(found.source, 'generated');
  assert.equal(found.isStale, false);
  const nets = found.value.map(({ inflowUsd, outflowUsd }) => inflowUsd - outflowUsd);
  assert.deepEqual(
    nets,
    [...nets].sort((a, b) => b - a),
  );
  assert.deepEqual(new Set(found.value.map(({ chain }) => chain)), new Set(['ethereum', 'solana']));
  assert.equal(new Set(found.value.map(({ chain, symbol }) => chain + symbol)).size, found.value.length);
  for (const row of found.value) assert.ok(row.inflowUsd >= 0 && row.outflowUsd >= 0 && row.walletCount >= 0);
});

test('generated: trades in perpetuals filter by side, token, kind and new positions', async () => {
  const read = async (filters: object) =>
    (await flows.perpTrades({ ...rows, perPage: 1_000, filters: { ...filters } })).value;
  const all = await read({});
  const cases: readonly [object, (row: (typeof all)[number]) => boolean][] = [
    [{ side: 'Short' }, ({ side }) => side === 'Short'],
    [{ token_symbol: 'ETH' }, ({ token_symbol }) => token_symbol === 'ETH'],
    [{ action: 'Buy - Add Long' }, ({ action }) => action === 'Buy - Add Long'],
    [{ type: 'Market' }, ({ type }) => type === 'Market'],
    [{ value_usd: { min: 50_000 } }, ({ value_usd }) => value_usd >= 50_000],
    [{ only_new_positions: true }, ({ action }) => action.includes('Add')],
  ];
  for (const [filters, holds] of cases) {
    const some = await read(filters);
    assert.ok(some.length > 0 && some.length < all.length, JSON.stringify(filters));
    assert.ok(some.every(holds), JSON.stringify(filters));
  }
});

test('generated: another ledger over the same bars draws the same bytes, in any order of questions', async () => {
  const token = tokenOf('LINK');
  const other = onChainWorld();
  const now = await other.flows.nowMs(token);
  const rows = { filters: {}, orderBy: [], page: 1, perPage: 1_000 };
  const read = (world: ReturnType<typeof onChainWorld>, days: number) =>
    world.flows.tokenDexTrades({ token, chain: 'ethereum', fromMs: now - days * DAY_MS, toMs: now, ...rows });
  await read(other, 30);
  const week = await read(other, 7);
  assert.deepEqual((await read(world, 7)).value, week.value);
  const day = (await read(world, 1)).value!;
  assert.deepEqual(day, week.value!.slice(0, day.length), 'a window changes nothing in the hours that it shares');
});

test('nansen: each question has the answer that its server was asked for', async (t) => {
  const { port } = await open(t);
  const now = await flows.nowMs(null);
  const window = { fromMs: now - 2 * DAY_MS, toMs: now };
  const ofToken = { token: ETH, chain: 'ethereum', ...window } as const;
  const chains = ['ethereum', 'solana'] as const;
  const many = ['ethereum', 'arbitrum', 'avalanche', 'base', 'bnb', 'optimism', 'polygon', 'solana'] as const;
  const questions: readonly ((port: FlowsPort) => Promise<{ readonly value: unknown }>)[] = [
    (asked) => asked.trading({ chains: many, timeframe: '24h' }), // more than one question of theirs takes
    (asked) => asked.trading({ chains, timeframe: '7d', token: ETH, labels: ['Fund'] }),
    (asked) => asked.holdings({ chains, labels: ['Fund'], valueUsdMin: 5e6, limit: 4 }),
    (asked) => asked.dexTrades({ chains, ...rows, filters: { min_amount_usd: 20_000 } }),
    (asked) => asked.tokenDexTrades({ ...ofToken, ...rows, filters: { min_amount_usd: 1_000 } }),
    (asked) => asked.intelligence({ token: ETH, chain: 'ethereum', timeframe: '1d' }),
    (asked) => asked.holders(UNI),
    (asked) => asked.balances({ ...ofToken, group: 'exchange' }),
  ];
  for (const ask of questions) assert.deepEqual((await ask(port)).value, (await ask(flows)).value, String(ask));
  // They say nothing of the single groups of wallets.
  const hours = async (asked: FlowsPort) =>
    (await asked.tokenFlows({ ...ofToken, ...rows, label: 'whale' })).value?.map((row) => [
      ...[row.date, row.price_usd, row.token_amount, row.total_outflows_count],
    ]);
  assert.deepEqual(await hours(port), await hours(flows));
  const { value: shorts } = await port.perpTrades({ ...rows, filters: { side: 'Short', only_new_positions: true } });
  assert.ok(shorts.length > 0 && shorts.every(({ side, action }) => side === 'Short' && action.includes('Add')));
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

test('a field that nansen leaves out or sets to null counts as 0', async (t) => {
  const rows = { filters: {}, orderBy: [], page: 1, perPage: 10 };
  const { port } = await open(t, {}, () => ({ data: [{ chain: 'ethereum', token_symbol: 'X', buy_volume: null }] }));
  const { value } = await port.trading({ chains: ['ethereum'], timeframe: '24h' });
  assert.deepEqual(value, [{ symbol: 'X', chain: 'ethereum', inflowUsd: 0, outflowUsd: 0, walletCount: 0 }]);
  await assert.rejects(port.perpTrades(rows), /nansen: an answer whose data\.0\.\w+ is not as documented/);
});
