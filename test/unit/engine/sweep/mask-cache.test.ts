import assert from 'node:assert/strict';
import test from 'node:test';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { parseStrategy, planStrategy, ruleMasks } from '../../../../engine/strategy/index.js';
import { RuleFrames } from '../../../../engine/strategy/rules.js';
import { randomBars, seededRandom } from '../../../support/random.js';

const BARS = 2_000;
const COLUMN_BYTES = 8 * BARS;
const bars = randomBars({ seed: 5, barCount: BARS });

/** The rule of an SMA of a close, on some timeframe. */
function ruleOf(window: number, timeframe: string | null = null) {
  const entry = [{ name: 'is_above_sma', signal_type: 'TRIGGER', timeframe, params: { window } }];
  const plan = planStrategy(parseStrategy({ entry }, 'relaxed'), HOUR_MS);
  assert.ok(plan.entry !== null);
  return plan.entry[0]!;
}

test('the limit holds over all timeframes, and masks do not depend on it', () => {
  const random = seededRandom(7);
  const rules = Array.from({ length: 60 }, () => ruleOf(2 + Math.floor(40 * random()), random() < 0.3 ? '4h' : null));
  const expected = rules.map((rule) => ruleMasks([rule], bars)[0]);
  for (const bytesMax of [0, 3 * COLUMN_BYTES, 12 * COLUMN_BYTES, Infinity]) {
    const frames = new RuleFrames(bars);
    for (const [i, rule] of rules.entries()) {
      assert.deepEqual(frames.mask(rule), expected[i], `rule ${i}, ${bytesMax} bytes`);
      frames.keepColumns(bytesMax);
      assert.ok(frames.bytes <= bytesMax, `${frames.bytes} of ${bytesMax} bytes`);
    }
    if (bytesMax === 12 * COLUMN_BYTES) assert.ok(frames.bytes > 8 * COLUMN_BYTES, 'it does not drop all at once');
    frames.release();
  }
});
