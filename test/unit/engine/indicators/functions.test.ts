import assert from 'node:assert/strict';
import test from 'node:test';
import { close, columnOf, defineKernel } from '../../../../engine/indicators/column.js';
import { Frame } from '../../../../engine/indicators/frame.js';
import { type FunctionParam, indicatorFunctions } from '../../../../engine/indicators/functions.js';
import { randomBars, seededRandom } from '../../../support/random.js';

const LATE = 9;
/** Has no value on its first bars, as an indicator in warm-up. */
const late = columnOf(
  defineKernel('LATE', null, ([x], _, [out]) => {
    out.set(x);
    out.fill(NaN, 0, LATE);
  }),
  [close],
);

const bars = randomBars({ seed: 3, barCount: 400, tick: 1e-6, flatChance: 0, volatility: 0.03 });

/** Windows of a few bars at least: one bar alone often has no range and no change. */
const drawn = ({ isWhole, min, max }: FunctionParam, random: () => number): number =>
  isWhole ? Math.max(min, 4) + Math.floor(random() * 20) : min + random() * (Math.min(max, 3) - min);

for (const [name, { takesColumn, params, bars: needed, build }] of indicatorFunctions) {
  test(`${name} has values once it has had the bars that it asks for`, () => {
    const random = seededRandom(7);
    for (let round = 0; round < 6; round++) {
      const args = params.map((param) => drawn(param, random));
      const count = needed(...args);
      const whole = Frame.of(bars).column(build(close, ...args));
      assert.equal(whole.length, bars.barCount);
      assert.ok(whole.slice(count - 1).every(Number.isFinite), `${args} after ${count} bars`);
      if (!takesColumn) continue;
      const delayed = Frame.of(bars).column(build(late, ...args));
      assert.ok(delayed.slice(0, LATE).every(Number.isNaN), `${args} where its input has none`);
      assert.ok(delayed.slice(count - 1 + LATE).every(Number.isFinite), `${args} over a column that begins late`);
    }
  });
}
