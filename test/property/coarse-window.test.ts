import assert from 'node:assert/strict';
import test from 'node:test';
import { DAY_MS, HOUR_MS, sliceBars } from '../../engine/series/index.js';
import { aggregateBars, coarseWindow } from '../../engine/timeframes/index.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

test('a window of coarse bars equals the aggregated window, with or without holes at its ends', () => {
  const random = seededRandom(1);
  for (let seed = 0; seed < runs(30, 2_000); seed++) {
    const startMs = Date.UTC(2024, 0, 1) + Math.floor(random() * 50) * HOUR_MS;
    const bars = randomBars({ seed, barCount: Math.floor(random() * 400), startMs, gapChance: random() * 0.6 });
    for (const coarseMs of [2 * HOUR_MS, 4 * HOUR_MS, DAY_MS, 7 * DAY_MS]) {
      const whole = aggregateBars(bars, coarseMs).bars;
      for (let cut = 0; cut < 20; cut++) {
        const from = Math.floor(random() * bars.barCount);
        const window = sliceBars(bars, from, from + Math.floor(random() * (bars.barCount - from + 1)));
        assert.deepEqual(coarseWindow(window, whole), aggregateBars(window, coarseMs).bars);
      }
    }
  }
});
