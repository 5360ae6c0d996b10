import assert from 'node:assert/strict';
import test from 'node:test';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { evaluateWithGaps, KeptRules, parseStrategy, planStrategy } from '../../../../engine/strategy/index.js';
import { randomBars } from '../../../support/random.js';

const bars = randomBars({ seed: 5, barCount: 1_500, flatChance: 0 });
const FIRST = 300;

const plan = (window: number, negate = false) =>
  planStrategy(
    parseStrategy(
      {
        entry: [
          {
            name: 'is_above_sma',
            signal_type: 'TRIGGER',
            timeframe: null,
            params: { window },
            ...(negate && { negate }),
          },
          { name: 'rsi_cross_up', signal_type: 'FILTER', timeframe: '4h', params: { window: 14, threshold: 50 } },
        ],
        exit: [{ name: 'sma_cross_down', signal_type: 'TRIGGER', timeframe: null, params: {} }],
      },
      'relaxed',
      { takesSides: true },
    ),
    HOUR_MS,
  );

test('kept rules are those of a new evaluation, in any order and after columns were dropped', () => {
  const kept = new KeptRules(bars, FIRST, {}, 0);
  for (const window of [10, 11, 10, 40, 10]) {
    for (const negate of [false, true]) {
      const asked = plan(window, negate);
      assert.deepEqual(kept.evaluate(asked), evaluateWithGaps(asked, bars, FIRST));
    }
  }
  kept.release();
});

test('more rules than are kept are computed again', () => {
  const kept = new KeptRules(bars, FIRST, {}, 1_000_000);
  for (let i = 0; i < 1_100; i++) kept.evaluate(plan(1 + (i % 200), i % 2 === 0));
  const asked = plan(1);
  assert.deepEqual(kept.evaluate(asked), evaluateWithGaps(asked, bars, FIRST));
});
