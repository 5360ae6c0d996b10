import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { derivedColumns } from '../../../../engine/execution/derived.js';
import { cashCurve, simulate, simulateByStep } from '../../../../engine/execution/index.js';
import { allocateBars, createMask, HOUR_MS, MINUTE_MS, maskWithBars } from '../../../../engine/series/index.js';
import { barsOf, configOf, inputOf, type PriceRow, plainSettings } from '../../../support/execution.js';
import { randomBars } from '../../../support/random.js';

/** One bar at 100 that moves by 1 to either side. */
const calm: PriceRow = [100, 101, 99, 100];
const calmBars = (count: number): PriceRow[] => Array.from({ length: count }, () => calm);

test('the door refuses sizes that do not fit and invalid configs', () => {
  const input = inputOf(barsOf(calmBars(40)), [], [], {});
  for (const run of [simulate, simulateByStep]) {
    for (const first of [-1, 41, 1.5, NaN]) assert.throws(() => run({ ...input, first }), RangeError);
    assert.throws(() => run({ ...input, entry: createMask(32) }), RangeError);
    assert.throws(() => run({ ...input, exit: createMask(65) }), RangeError);
    assert.throws(() => run({ ...input, config: { ...input.config, fee_pct: 2 } }), EngineError);
  }
});

test('the newest ATR columns are kept, as many as fit into 32 MB', () => {
  for (const [barCount, kept] of [
    [1 << 20, 3],
    [(1 << 20) - 1, 4],
  ]) {
    const columns = derivedColumns(allocateBars(barCount, 5 * MINUTE_MS));
    const atrs = [1, 2, 3, 4, 5, 6].map((period) => columns.atr(period));
    for (let period = 6; period > 6 - kept; period--) assert.equal(columns.atr(period), atrs[period - 1]);
    assert.notEqual(columns.atr(6 - kept), atrs[5 - kept]);
  }
});

test('equity is written into the given memory, and refused where it does not fit', () => {
  const bars = randomBars({ seed: 4, barCount: 300 });
  const config = configOf({ stop_loss_calculation: 'fixed' });
  const entry = maskWithBars(300, [10, 60, 150]);
  const exit = maskWithBars(300, [40, 100]);
  const input = { bars, first: 0, entry, exit, config };
  const { equity: expected, movedRanges } = simulate(input);
  /** The values that a lender may read. */
  const measuredOf = (values: Float64Array, ranges: Int32Array) => {
    const wanted = new Set([values.length - 1]);
    for (let r = 0; r < ranges.length; r += 2) {
      for (let k = Math.max(0, ranges[r] - 1); k < ranges[r + 1]; k++) wanted.add(k);
    }
    return [...wanted].map((k) => values[k]);
  };
  for (const run of [simulate, simulateByStep]) {
    const equity = new Float64Array(300).fill(7);
    assert.equal(run({ ...input, equity }).equity, equity);
    assert.deepEqual(measuredOf(equity, movedRanges), measuredOf(expected, movedRanges));
    assert.throws(() => run({ ...input, equity: new Float64Array(299) }), /room for 300 bars, had 299/);
  }
});

test('a run with sides is one meaning in both simulations, with its cash at each close, and whole masks', () => {
  const bars = barsOf([50, 51, 49, 52, 53, 50, 48, 51].map((price) => [price, price + 1, price - 1, price]));
  const input = {
    ...inputOf(bars, [1], [3], {}),
    config: configOf({ ...plainSettings, leverage: 2 }, HOUR_MS, { takesPositionFields: true }),
  };
  const run = simulate(input);
  assert.deepStrictEqual(simulateByStep(input), run);
  assert.equal(cashCurve(input, run).length, run.equity.length);
  assert.throws(() => simulate({ ...input, shortEntry: new Uint32Array(9) }), /masks of 8 bars have 1 words, were 9/);
});
