import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { contentHash } from '../../../../data/bars/index.js';
import { HOUR_MS, MINUTE_MS, validateBars } from '../../../../engine/series/index.js';
import { marketConditions, type SyntheticMarket, synthesizeBars } from '../../../../engine/synthetic/index.js';

const hourly: SyntheticMarket = {
  intervalMs: HOUR_MS,
  barCount: 720,
  startMs: Date.UTC(2024, 0, 1),
  initialPrice: 100,
  volatility: 0.6,
  condition: 'neutral',
  traderCount: 100,
  seed: 42,
};

test('the bars of a seed never change', () => {
  // A change detector: with other bars, the dataset names that clients hold would mean other data.
  assert.equal(contentHash(synthesizeBars(hourly)), 'dd58b076d00663d11901a06a60e0b5013e0c226d119e5987355bd699801ed1f6');
  assert.notEqual(contentHash(synthesizeBars({ ...hourly, seed: 43 })), contentHash(synthesizeBars(hourly)));
});

const markets: fc.Arbitrary<SyntheticMarket> = fc.record({
  intervalMs: fc.constantFrom(5 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS),
  barCount: fc.integer({ min: 1, max: 400 }),
  startMs: fc.constant(0),
  initialPrice: fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
  volatility: fc.double({ min: 0.01, max: 3, noNaN: true }),
  condition: fc.constantFrom(...marketConditions),
  traderCount: fc.integer({ min: 1, max: 1_000_000 }),
  seed: fc.maxSafeNat(),
});

test('every series is sound, begins at its price, and opens where it closed', () => {
  fc.assert(
    fc.property(markets, (market) => {
      const bars = synthesizeBars(market);
      validateBars(bars, (index) => `bar ${index}`);
      assert.equal(bars.open[0], market.initialPrice);
      for (let i = 1; i < bars.barCount; i++) {
        assert.equal(bars.open[i], bars.close[i - 1]);
        assert.ok(bars.volume[i]! > 0);
      }
    }),
    { numRuns: 60 },
  );
});

const logReturns = ({ close }: { close: Float64Array }) =>
  Array.from(close.subarray(1), (price, i) => Math.log(price / close[i]!));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test('returns have the requested volatility, and large moves follow large ones', () => {
  const bars = synthesizeBars({ ...hourly, barCount: 40_000 });
  const squares = logReturns(bars).map((value) => value * value);
  const annualized = Math.sqrt(mean(squares) * 365 * 24);
  assert.ok(Math.abs(annualized - 0.6) < 0.06, `${annualized}`);
  const average = mean(squares);
  const lagged = mean(squares.slice(1).map((value, i) => (value - average) * (squares[i]! - average)));
  const variance = mean(squares.map((value) => (value - average) ** 2));
  assert.ok(lagged / variance > 0.05, 'squared returns are correlated');
});
