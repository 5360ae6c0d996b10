import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CandleSource, Candles } from '../../../../data/upstreams/assets/index.js';
import { type Sourced, UpstreamFault } from '../../../../data/upstreams/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { riskInputs, riskScores } from '../../../../service/crypto-assets/book.js';
import { AssetMarkets } from '../../../../service/crypto-assets/markets.js';
import { SqlCryptoAssetStore } from '../../../../service/crypto-assets/store.js';
import { type ClaimedUpdate, SqlAssetUpdates } from '../../../../service/crypto-assets/updates.js';
import type { State } from '../../../../service/state/index.js';
import { exchangeOf, profileOf, TestAssetSource } from '../../../support/asset-source.js';
import { onEachStore } from '../../../support/backends.js';
import { deleteRows } from '../../../support/shared-state.js';
import { uuid } from '../../../support/uuid.js';

const best = profileOf('A');

test('what is unknown scores 0', () => {
  const unknown = { marketCapUsd: null, volatility30d: null, drawdown30d: null, top10HoldersPct: null };
  const profile = { ...best, ...unknown, volume24hUsd: 0, exchanges: [], launchedAtMs: null };
  assert.deepEqual(new Set(Object.values(riskScores(profile))), new Set([0]));
  const inputs = riskInputs(profile);
  assert.deepEqual([inputs.market_cap_usd, inputs.volume_to_market_cap, inputs.age_days], [null, null, null]);
});

const factors = [
  'market_cap',
  'liquidity',
  'exchange',
  'volatility',
  'price_stability',
  'supply_distribution',
] as const;

test('the overall score is the sum of the factors by their weights', () => {
  const none = { ...best, exchanges: [] };
  assert.equal(riskScores(none).overall, 80);
  assert.equal(riskScores({ ...best, volatility30d: 9 }).overall, 90);
  assert.equal(riskScores({ ...best, drawdown30d: 0.9 }).overall, 90);
  assert.equal(riskScores({ ...best, top10HoldersPct: 99 }).overall, 90);
  // Without a market cap, half of the liquidity is unknown too.
  assert.equal(riskScores({ ...best, marketCapUsd: null }).overall, 100 - 25 - 12.5);
});

const steps: readonly [
  field: string,
  factor: (typeof factors)[number] | 'age',
  make: (value: number) => object,
  at: number[],
][] = [
  ['market cap', 'market_cap', (marketCapUsd) => ({ marketCapUsd }), [10e9, 1e9, 100e6, 10e6, 1e6]],
  ['age', 'age', (days) => ({ launchedAtMs: best.asOfMs - days * 86_400_000 }), [1_825, 1_095, 365, 180, 30]],
  ['volatility', 'volatility', (volatility30d) => ({ volatility30d }), [0.3, 0.5, 0.8, 1.2, 2]],
  ['drawdown', 'price_stability', (drawdown30d) => ({ drawdown30d }), [0.05, 0.1, 0.2, 0.35, 0.5]],
  ['holders', 'supply_distribution', (top10HoldersPct) => ({ top10HoldersPct }), [10, 20, 35, 50, 70]],
];

for (const [field, factor, make, bounds] of steps) {
  test(`the tiers of ${field} begin at their bounds`, () => {
    const scoreOf = (value: number) => riskScores({ ...best, ...make(value) })[factor];
    const isLargeGood = (bounds[0] as number) > (bounds[4] as number);
    const worse = (value: number) => (isLargeGood ? value * 0.999 : value * 1.001);
    assert.deepEqual(bounds.map(scoreOf), [100, 80, 60, 40, 20]);
    assert.deepEqual(
      bounds.map((bound) => scoreOf(worse(bound))),
      [80, 60, 40, 20, 0],
    );
  });
}

test('liquidity is half volume, half volume by market cap', () => {
  const liquidity = (volume24hUsd: number, marketCapUsd: number) =>
    riskScores({ ...best, volume24hUsd, marketCapUsd }).liquidity;
  assert.equal(liquidity(1e9, 2e12), (100 + 0) / 2);
  assert.equal(liquidity(100e6, 2e9), (80 + 100) / 2);
  assert.equal(liquidity(99e3, 1e6), (0 + 100) / 2);
  assert.equal(liquidity(10e6, 1e9), (60 + 60) / 2);
});

test('listings on better exchanges score more, up to 100', () => {
  const scoreOf = (...tiers: number[]) =>
    riskScores({ ...best, exchanges: tiers.map((tier, i) => exchangeOf(`e${i}`, tier)) }).exchange;
  assert.deepEqual([scoreOf(), scoreOf(3), scoreOf(2), scoreOf(1)], [0, 5, 15, 30]);
  assert.deepEqual([scoreOf(1, 1, 2, 3), scoreOf(1, 1, 1, 1), scoreOf(...Array(20).fill(2))], [80, 100, 100]);
});

const evaluation = (symbol: string, n: number, price = 1) => ({
  id: uuid(n),
  profile: profileOf(symbol, { priceUsd: price }),
  source: 'recorded',
  revision: 'r1',
  isApprovedAtFirst: true,
});

async function emptied({ db }: State) {
  await deleteRows(db);
  return { store: new SqlCryptoAssetStore(db), updates: new SqlAssetUpdates(db) };
}

onEachStore('crypto assets', emptied, (check, checkBoth) => {
  check('a status can take the approval away, and forbids it', async ({ store }) => {
    await store.keep(evaluation('BTC', 1), 10);
    const vulnerable = { security_status: 'vulnerable', suspends: false } as const;
    const compromised = { security_status: 'compromised', suspends: true } as const;
    const banned = { regulatory_status: 'banned', suspends: true } as const;
    assert.equal((await store.setStatus('BTC', vulnerable, 20))?.row.is_approved, true);
    const set = await store.setStatus('BTC', compromised, 30);
    assert.deepEqual([set?.wasApproved, set?.row.is_approved, set?.row.security_status], [true, false, 'compromised']);
    assert.equal((await store.setStatus('BTC', compromised, 40))?.wasApproved, false);
    assert.equal(await store.setApproval('BTC', true, 50), null);
    await store.setStatus('BTC', vulnerable, 60);
    await store.setStatus('BTC', banned, 60);
    assert.equal(await store.setApproval('BTC', true, 70), null);
    await store.setStatus('BTC', { regulatory_status: 'approved', suspends: false }, 80);
    assert.equal((await store.setApproval('BTC', true, 90))?.is_approved, true);
    assert.deepEqual(
      [await store.setStatus('NOPE', banned, 1), await store.setApproval('NOPE', false, 1)],
      [null, null],
    );
  });

  checkBoth('of calls that set a bad status together, one suspends', async ({ store }) => {
    await store.keep(evaluation('BTC', 1), 10);
    const compromised = { security_status: 'compromised', suspends: true } as const;
    const all = await Promise.all(Array.from({ length: 8 }, () => store.setStatus('BTC', compromised, 20)));
    assert.equal(all.filter((set) => set?.wasApproved === true).length, 1);
  });

  checkBoth('one update is unfinished at a time, and goes on where it was left', async ({ updates }) => {
    const added = await Promise.all([1, 2, 3].map((n) => updates.add(uuid(n), ['A', 'B', 'C'], n)));
    assert.deepEqual(added.filter((isAdded) => isAdded).length, 1);
    const [dead, heir] = [uuid(11), uuid(12)];
    const claimed = await updates.claim(dead, 100, 200);
    assert.deepEqual([claimed?.place, claimed?.symbols], [0, ['A', 'B', 'C']]);
    const second = await updates.advance(claimed as ClaimedUpdate, { symbol: 'A', error: 'late' }, 110, 210);
    assert.equal(second?.place, 1);
    assert.equal(await updates.claim(heir, 209, 300), null, 'the lease lasts');
    const taken = await updates.claim(heir, 210, 310);
    assert.equal(taken?.place, 1, 'A is done');
    assert.equal(await updates.advance(second as ClaimedUpdate, null, 220, 320), null, 'it was taken over');
    assert.equal(await updates.hold(second as ClaimedUpdate, 999), false);
    const last = await updates.advance(taken as ClaimedUpdate, null, 230, 330);
    assert.equal(await updates.advance(last as ClaimedUpdate, null, 240, 340), null, 'it is finished');
    assert.equal(await updates.claim(heir, 1_000, 2_000), null);
    const [row] = await updates.newest(1);
    assert.deepEqual([row?.place, row?.finished_at_ms, row?.failures], [3, 240, [{ symbol: 'A', error: 'late' }]]);
  });
});

const candles: Candles = {
  intervalMs: HOUR_MS,
  candles: [{ timeMs: 0, open: 1, high: 2, low: 1, close: 2, volume: 3 }],
};

type Outcome = 'fresh' | 'stale' | 'unknown' | 'down';

/** A provider of candles with a fixed outcome, and whether it was asked. */
function provider(name: string, outcome: Outcome, asked: string[]): CandleSource {
  return {
    async candles(): Promise<Sourced<Candles | null>> {
      asked.push(name);
      if (outcome === 'down') throw new UpstreamFault(name, 'server', 'HTTP 503');
      const value = outcome === 'unknown' ? null : candles;
      return { value, source: name, asOfMs: null, ageMs: 5_000, maxAgeMs: 60_000, isStale: outcome === 'stale' };
    },
  };
}

/** Asks for candles of a provider while both have an outcome. @returns who served, or the code */
async function served(coinapi: Outcome, coingecko: Outcome, wanted?: string) {
  const asked: string[] = [];
  const markets = new AssetMarkets({
    source: new TestAssetSource(true, ['BTC']),
    candles: {
      coinapi: provider('coinapi', coinapi, asked),
      coingecko: provider('coingecko', coingecko, asked),
    },
  });
  const request = { symbol: 'btc', ...(wanted === undefined ? {} : { provider: wanted }) };
  try {
    const answer = await markets.candles(request);
    return [answer.provider, answer.is_stale, asked.join(' ')];
  } catch (error) {
    return [error instanceof UpstreamFault ? error.message : (error as { code: string }).code, null, asked.join(' ')];
  }
}

test('the provider asked for serves, and the other one where it fails', async () => {
  const both = 'coinapi coingecko';
  assert.deepEqual(await served('fresh', 'fresh'), ['coinapi', false, 'coinapi']);
  assert.deepEqual(await served('fresh', 'fresh', 'coingecko'), ['coingecko', false, 'coingecko']);
  assert.deepEqual(await served('down', 'fresh'), ['coingecko', false, both]);
  assert.deepEqual(await served('fresh', 'down', 'coingecko'), ['coinapi', false, 'coingecko coinapi']);
  assert.deepEqual(await served('unknown', 'fresh'), ['coingecko', false, both]);
  assert.deepEqual(await served('stale', 'fresh'), ['coingecko', false, both]);
  assert.deepEqual(await served('stale', 'stale'), ['coinapi', true, both], 'an old answer is better than an error');
  assert.deepEqual(await served('stale', 'down'), ['coinapi', true, both]);
  assert.deepEqual(await served('down', 'stale'), ['coingecko', true, both]);
  assert.deepEqual(await served('down', 'down'), ['coinapi: HTTP 503', null, both], 'the error of the first');
  assert.deepEqual(await served('down', 'unknown'), ['coinapi: HTTP 503', null, both], 'the first may know it');
  assert.deepEqual(await served('unknown', 'unknown'), ['RESOURCE_NOT_FOUND', null, both]);
});

test('with one live provider it serves under both names; without one the held data do', async () => {
  const asked: string[] = [];
  const source = new TestAssetSource(false, ['BTC']);
  source.candlesFound = async () => ({
    value: candles,
    source: 'recorded',
    asOfMs: 0,
    ageMs: 0,
    maxAgeMs: 0,
    isStale: false,
  });
  const one = new AssetMarkets({ source, candles: { coingecko: provider('coingecko', 'fresh', asked) } });
  const none = new AssetMarkets({ source, candles: {} });
  for (const name of ['coinapi', 'coingecko']) {
    assert.equal((await one.candles({ symbol: 'BTC', provider: name })).provider, 'coingecko');
    assert.equal((await none.candles({ symbol: 'BTC', provider: name })).provider, 'recorded');
  }
});
