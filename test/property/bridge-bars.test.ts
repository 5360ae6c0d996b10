import assert from 'node:assert/strict';
import test from 'node:test';
import { allocateBars, DAY_MS, HOUR_MS, MINUTE_MS, priceColumns, sliceBars } from '../../engine/series/index.js';
import { bridgeBars } from '../../engine/synthetic/index.js';
import { aggregateBars } from '../../engine/timeframes/index.js';
import { randomBars } from '../support/random.js';
import { runs } from '../support/scale.js';

const intervals = [2 * MINUTE_MS, 5 * MINUTE_MS, HOUR_MS, DAY_MS];

test('generated bars merge to the held bar in every bit, directly and by way of each interval between', () => {
  for (let seed = 0; seed < runs(6, 600); seed++) {
    const intervalMs = intervals[seed % intervals.length] ?? HOUR_MS;
    const tick = [0, 0.01, 1e-6][seed % 3];
    const held = randomBars({
      seed,
      barCount: 20,
      intervalMs,
      gapChance: 0.1,
      flatChance: 0.1,
      ...(tick ? { tick } : {}),
    });
    const minutes = bridgeBars(held, MINUTE_MS, BigInt(seed));
    assert.equal(minutes.barCount, (held.barCount * intervalMs) / MINUTE_MS);
    assert.deepEqual(aggregateBars(minutes, intervalMs).bars, { ...held, columns: {}, carried: [] });
    for (const between of [2, 5, 15, 60, 240].map((count) => count * MINUTE_MS)) {
      if (between >= intervalMs || intervalMs % between !== 0) continue;
      const coarser = aggregateBars(minutes, between).bars;
      assert.deepEqual(aggregateBars(coarser, intervalMs).bars, { ...held, columns: {}, carried: [] });
    }
    for (let i = 0; i < minutes.barCount; i++) {
      const [open, high, low, close] = [minutes.open, minutes.high, minutes.low, minutes.close].map((x) => x[i] ?? NaN);
      assert.ok(high >= Math.max(open, close) && low <= Math.min(open, close) && (minutes.volume[i] ?? -1) >= 0);
    }
    const one = bridgeBars(sliceBars(held, 3, 4), MINUTE_MS, BigInt(seed));
    const from = (3 * intervalMs) / MINUTE_MS;
    assert.deepEqual(one, sliceBars(minutes, from, from + one.barCount), 'each window shows the same');
  }
});

test('generated prices keep the decimals of their bar, and volumes are short fractions but one', () => {
  const held = allocateBars(1, HOUR_MS);
  const bar = { open: 1834.31, high: 1841.5, low: 1829.02, close: 1835.77, volume: 12_345.67891 };
  for (const name of priceColumns) held[name][0] = bar[name];
  const minutes = bridgeBars(held, MINUTE_MS, 7n);
  const places = (value: number) => value.toString().split('.')[1]?.length ?? 0;
  const prices = [...minutes.open, ...minutes.high, ...minutes.low, ...minutes.close];
  assert.ok(prices.every((price) => places(price) <= 2));
  assert.equal([...minutes.volume].filter((volume) => places(volume) > 3).length, 1);
});
