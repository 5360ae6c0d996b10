import assert from 'node:assert/strict';
import test from 'node:test';
import { riskInputs, riskScores } from '../../../../service/crypto-assets/book.js';
import { exchangeOf, profileOf } from '../../../support/asset-source.js';

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
