import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type DefiPort, GeneratedDefi, GeneratedDefiPro } from '../../../../data/upstreams/defi/index.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import {
  DEFILLAMA_KEY,
  DEFILLAMA_NOW,
  openDefiLlama,
  openDefiLlamaPro,
  startDefiLlama,
} from '../../../support/defillama-server.js';
import { openSampleMarket } from '../../../support/sample-market.js';

const sumOf = (byChain: Readonly<Record<string, number>>): number => Object.values(byChain).reduce((a, b) => a + b, 0);

function assertNear(actual: number, expected: number, name = ''): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${name} ${actual} is not ${expected}`);
}

const assertDescending = (values: readonly number[]): void => {
  assert.deepEqual(
    values,
    [...values].sort((a, b) => b - a),
  );
};

const unknownNames = ['no such thing', '', '..', '__proto__', 'constructor'];

/** What every source of value locked must do. All know Aave, on several chains, and Ethereum. */
function defiPortContract(name: string, open: (t: TestContext) => Promise<{ port: DefiPort; source: string }>) {
  const check = (statement: string, act: (port: DefiPort, source: string) => Promise<void>) =>
    test(`${name}: ${statement}`, async (t) => {
      const { port, source } = await open(t);
      await act(port, source);
    });

  check('the value of a protocol is the sum of its chains', async (port, source) => {
    const found = await port.protocol('aave');
    assert.equal(found.source, source);
    assert.ok(found.value !== null);
    assert.deepEqual([found.value.slug, found.value.name, found.value.category], ['aave', 'Aave', 'Lending']);
    assert.ok(Object.keys(found.value.chains).length > 1);
    assertNear(sumOf(found.value.chains), found.value.tvlUsd);
  });

  check('a protocol is found by slug and by name, in any case', async (port) => {
    const { value } = await port.protocol('aave');
    for (const spelling of ['AAVE', 'Aave', ' aave']) assert.deepEqual((await port.protocol(spelling)).value, value);
  });

  check('a chain has its ten largest protocols, the largest first', async (port, source) => {
    const found = await port.chain('ethereum');
    assert.equal(found.source, source);
    assert.ok(found.value !== null);
    assert.equal(found.value.name, 'Ethereum');
    const { topProtocols } = found.value;
    assert.equal(topProtocols.length, 10);
    assertDescending(topProtocols.map(({ tvlUsd }) => tvlUsd));
    const aave = topProtocols.find(({ slug }) => slug === 'aave');
    assert.equal(aave?.tvlUsd, (await port.protocol('aave')).value?.chains.Ethereum, 'its value on this chain');
    assert.ok(topProtocols.every(({ tvlUsd, category }) => tvlUsd > 0 && category !== 'CEX'));
  });

  check('a chain is found in any spelling', async (port) => {
    const { value } = await port.chain('Ethereum');
    for (const spelling of ['ETHEREUM', 'eThErEuM']) assert.deepEqual((await port.chain(spelling)).value, value);
    for (const spelling of ['OP Mainnet', 'op-mainnet', 'optimism']) {
      assert.equal((await port.chain(spelling)).value?.name, 'OP Mainnet', spelling);
    }
  });

  check('unknown protocols and chains are null', async (port) => {
    for (const unknown of unknownNames) {
      assert.equal((await port.protocol(unknown)).value, null, unknown);
      assert.equal((await port.chain(unknown)).value, null, unknown);
    }
  });

  check('the supply of stablecoins is the sum over chains and the sum over coins', async (port, source) => {
    const found = await port.stablecoins();
    assert.equal(found.source, source);
    const { totalUsd, byChain, coins } = found.value;
    assert.ok(totalUsd > 0 && coins.length > 1);
    assertNear(sumOf(byChain), totalUsd, 'chains');
    assertNear(
      coins.reduce((sum, { supplyUsd }) => sum + supplyUsd, 0),
      totalUsd,
      'coins',
    );
    assertDescending(coins.map(({ supplyUsd }) => supplyUsd));
  });
}

const market = openSampleMarket();
const price = () => market.latestPrice('ETH');

defiPortContract('held', async () => ({ port: new GeneratedDefi(price), source: 'generated' }));
defiPortContract('DefiLlama', async (t) => ({ port: openDefiLlama(await startDefiLlama(t)), source: 'defillama' }));

test('DefiLlama: versions of a protocol are found alone and summed up', async (t) => {
  const port = openDefiLlama(await startDefiLlama(t));
  const { value: whole } = await port.protocol('aave');
  assert.deepEqual([whole?.tvlUsd, whole?.chains], [31_000, { Ethereum: 26_000, Polygon: 5_000 }]);
  const { value: version } = await port.protocol('Aave V3');
  assert.deepEqual([version?.slug, version?.chains], ['aave-v3', { Ethereum: 25_000, Polygon: 5_000 }]);
  const { value: empty } = await port.protocol('empty');
  assert.deepEqual([empty?.tvlUsd, empty?.category], [0, 'Other']);
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
