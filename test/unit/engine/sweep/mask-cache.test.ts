import assert from 'node:assert/strict';
import test from 'node:test';
import { columnOf, defineKernel, source } from '../../../../engine/indicators/column.js';
import { Frame } from '../../../../engine/indicators/frame.js';
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

test('columns that were read lately stay within the limit, those not read for longest go', () => {
  const runs = new Map<number, number>();
  const counted = defineKernel('counted', null, ([x], [k], [out]) => {
    runs.set(k!, (runs.get(k!) ?? 0) + 1);
    out!.set(x!);
  });
  const frame = Frame.of(bars);
  const read = (k: number) => {
    frame.use++;
    frame.column(columnOf(counted, [source('close')], [k]));
  };
  for (let k = 1; k <= 20; k++) {
    read(0);
    read(k);
    frame.releaseBefore(frame.use - 5);
    assert.ok(frame.bytes <= 6 * COLUMN_BYTES, `${frame.bytes} bytes`);
  }
  assert.equal(runs.get(0), 1, 'the column that every work reads was computed once');
  assert.deepEqual(new Set(runs.values()), new Set([1]));
  read(1);
  assert.equal(runs.get(1), 2, 'a column that was given back is computed again');
  frame.release();
  assert.equal(frame.bytes, 0);
});

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
