import assert from 'node:assert/strict';
import test from 'node:test';
import { type DefiProPort, GeneratedDefi, GeneratedDefiPro } from '../../../../../data/upstreams/defi/index.js';
import { DAY_MS, HOUR_MS } from '../../../../../engine/series/index.js';
import {
  DEFILLAMA_KEY,
  DEFILLAMA_NOW,
  openDefiLlama,
  openDefiLlamaPro,
  startDefiLlama,
} from '../../../../support/defillama-server.js';
import { openSampleMarket } from '../../../../support/sample-market.js';
import { testUpstreamFaults } from '../../../../support/upstream-server.js';
import { defiPortContract, defiProPortContract } from './defi-port-contract.js';

const market = openSampleMarket();
const price = () => market.latestPrice('ETH');

defiPortContract('held', async () => ({ port: new GeneratedDefi(price), source: 'generated' }));
defiPortContract('DefiLlama', async (t) => ({ port: openDefiLlama(await startDefiLlama(t)), source: 'defillama' }));

defiProPortContract('held, paid reads', async () => ({
  port: new GeneratedDefiPro({ market }),
  nowMs: await market.nowMs('ETH'),
  source: 'generated',
}));
defiProPortContract('DefiLlama, paid reads', async (t) => ({
  port: openDefiLlamaPro(await startDefiLlama(t)),
  nowMs: DEFILLAMA_NOW,
  source: 'defillama',
}));

for (const read of ['protocol', 'chain', 'stablecoins'] as const) {
  testUpstreamFaults(`DefiLlama ${read}`, async (t, limits) => {
    const server = await startDefiLlama(t);
    const adapter = openDefiLlama(server, limits);
    return { server, ask: () => adapter[read](read === 'chain' ? 'ethereum' : 'aave'), secret: DEFILLAMA_KEY };
  });
}

const paidReads = [
  'tokenUnlocks',
  'perpFunding',
  'treasuries',
  'etfFlows',
  'lendingRates',
] as const satisfies readonly (keyof DefiProPort)[];

for (const read of paidReads) {
  testUpstreamFaults(`DefiLlama ${read}`, async (t, limits) => {
    const server = await startDefiLlama(t);
    const adapter = openDefiLlamaPro(server, limits);
    return { server, ask: () => adapter[read](), secret: DEFILLAMA_KEY };
  });
}

test('DefiLlama: versions of a protocol are found alone and summed up', async (t) => {
  const port = openDefiLlama(await startDefiLlama(t));
  const { value: whole } = await port.protocol('aave');
  assert.deepEqual([whole?.tvlUsd, whole?.chains], [31_000, { Ethereum: 26_000, Polygon: 5_000 }]);
  const { value: version } = await port.protocol('Aave V3');
  assert.deepEqual([version?.slug, version?.chains], ['aave-v3', { Ethereum: 25_000, Polygon: 5_000 }]);
  const { value: empty } = await port.protocol('empty');
  assert.deepEqual([empty?.tvlUsd, empty?.category], [0, 'Other']);
});

test('DefiLlama: a chain without protocols is known, and its value is its own', async (t) => {
  const port = openDefiLlama(await startDefiLlama(t));
  assert.deepEqual((await port.chain('OP Mainnet')).value, { name: 'OP Mainnet', tvlUsd: 0, topProtocols: [] });
  assert.equal((await port.chain('ethereum')).value?.tvlUsd, 26_500.5);
});

test('DefiLlama: coins are valued at their price, those of the dollar at one without it', async (t) => {
  const { value } = await openDefiLlama(await startDefiLlama(t)).stablecoins();
  assert.deepEqual(value, {
    totalUsd: 1_120,
    byChain: { Tron: 600, Ethereum: 520 },
    coins: [
      { symbol: 'USDT', name: 'Tether', supplyUsd: 1_000 },
      { symbol: 'EURC', name: 'Euro Coin', supplyUsd: 120 },
    ],
  });
});

test('DefiLlama: a list that is gone is a fault, and names no address', async (t) => {
  const { url, ...server } = await startDefiLlama(t);
  const wrongKey = openDefiLlamaPro({ ...server, url: `${url}/elsewhere` });
  await assert.rejects(wrongKey.perpFunding(), { name: 'UpstreamFault', message: 'defillama: HTTP 404' });
});

test('DefiLlama: one list answers for all protocols', async (t) => {
  const server = await startDefiLlama(t);
  const port = openDefiLlama(server);
  for (const name of ['aave', 'protocol-1', 'unknown']) await port.protocol(name);
  assert.equal(server.requests.length, 1);
});

test('DefiLlama: paid figures are as documented, and rows without them are left out', async (t) => {
  const server = await startDefiLlama(t);
  const port = openDefiLlamaPro(server);
  assert.deepEqual((await port.tokenUnlocks()).value, [
    {
      name: 'Arbitrum',
      token: 'arbitrum',
      circulating: 5e9,
      max: 1e10,
      events: [
        { timeMs: DEFILLAMA_NOW + DAY_MS, amount: 7, category: 'privateSale' },
        { timeMs: DEFILLAMA_NOW + 60 * DAY_MS, amount: 20, category: 'insiders' },
      ],
    },
  ]);
  assert.deepEqual((await port.perpFunding()).value, [
    { pool: 'BTCUSDT', venue: 'Binance', symbol: 'BTC', rate8h: 0.0001, openInterestUsd: 8e9 },
  ]);
  assert.deepEqual((await port.treasuries()).value[0], {
    name: 'Uniswap',
    token: 'UNI',
    totalUsd: 160,
    ownTokensUsd: 100,
    stablecoinsUsd: 10,
  });
  assert.deepEqual((await port.etfFlows()).value, [
    { dayMs: Date.UTC(2025, 7, 20), asset: 'ETH', ticker: 'ETHA', flowUsd: 5 },
    { dayMs: Date.UTC(2025, 7, 19), asset: 'BTC', ticker: 'IBIT', flowUsd: -68_700_000 },
  ]);
  assert.deepEqual((await port.lendingRates()).value, [
    {
      pool: 'e880e828',
      protocol: 'aave-v3',
      chain: 'Ethereum',
      symbol: 'WETH',
      supplyApy: 0.025,
      borrowApy: 0.05,
      totalBorrowUsd: 8e9,
    },
  ]);
  assert.ok(server.requests.every(({ path }) => path.startsWith(`/pro/${DEFILLAMA_KEY}/`)));
});

test('held: the same question has the same answer in any instance', async () => {
  for (const read of paidReads) {
    assert.deepEqual(
      await new GeneratedDefiPro({ market })[read](),
      await new GeneratedDefiPro({ market })[read](),
      read,
    );
  }
  assert.deepEqual(await new GeneratedDefi(price).chain('Base'), await new GeneratedDefi(price).chain('base'));
});

test('held: value locked moves with the price held; a chain holds what its protocols hold', async () => {
  const at = (usd: number) => new GeneratedDefi(async () => ({ price: usd, timeMs: 0 })).protocol('lido');
  assert.equal((await at(4_000)).value?.tvlUsd, 2 * ((await at(2_000)).value?.tvlUsd ?? 0));
  const { value } = await new GeneratedDefi(price).chain('Hyperliquid L1');
  assert.equal(value?.topProtocols.length, 1);
  assert.equal(value?.topProtocols[0]?.tvlUsd, value?.tvlUsd);
});

test('held: a recorded funding rate takes the place of a modelled one', async () => {
  const nowMs = await market.nowMs('ETH');
  const rateAt = async (timeMs: number) => {
    const settlements = {
      time: Float64Array.of(timeMs - 8 * HOUR_MS, timeMs),
      value: Float64Array.of(-0.001, 0.00123),
    };
    const funding = { ETH: async () => settlements };
    const { value } = await new GeneratedDefiPro({ market, funding }).perpFunding();
    const eth = value.filter(({ symbol }) => symbol === 'ETH');
    for (const { rate8h } of eth) assert.ok(Math.abs(rate8h - (eth[0]?.rate8h ?? 0)) < 0.0001, 'venues agree');
    return eth.find(({ venue }) => venue === 'Binance')?.rate8h;
  };
  assert.equal(await rateAt(nowMs - HOUR_MS), 0.00123);
  assert.equal(await rateAt(nowMs + HOUR_MS), -0.001, 'not one from the future');
  assert.ok(![0.00123, -0.001].includes((await rateAt(nowMs - 10 * DAY_MS)) ?? 0.00123), 'not one of last week');
});

test('held: funds gain on days of rising prices and trade on weekdays from their launch on', async () => {
  const { value: flows } = await new GeneratedDefiPro({ market }).etfFlows();
  const { bars } = await market.load({ asset: 'BTC', intervalMs: DAY_MS });
  const returns = new Map(Array.from(bars.time, (time, i) => [time, (bars.close[i] ?? 1) / (bars.open[i] ?? 1) - 1]));
  let agreement = 0;
  for (const { dayMs, asset, flowUsd } of flows) {
    assert.ok(![0, 6].includes(new Date(dayMs).getUTCDay()));
    if (asset === 'BTC') agreement += flowUsd * (returns.get(dayMs) ?? 0);
  }
  assert.ok(agreement > 0);
});
