import assert from 'node:assert/strict';
import test from 'node:test';
import { Frame } from '../../../../../engine/indicators/frame.js';
import { resolveParams } from '../../../../../engine/indicators/index.js';
import { DAY_MS, getBit, HOUR_MS } from '../../../../../engine/series/index.js';
import { evaluateBars } from '../../../../../engine/signals/bar-objects.js';
import { FormulaProblem, readFormula } from '../../../../../engine/signals/formula-language/index.js';
import { requireSignal, signalMask } from '../../../../../engine/signals/index.js';
import { randomBars } from '../../../../support/random.js';

/** The clock, and what happened before: `barssince`, `valuewhen`, `percentrank`. */

const MONDAY = Date.UTC(2024, 0, 1);
const bars = randomBars({ seed: 4, barCount: 24 * 40, startMs: MONDAY });
const formula = requireSignal('formula');

const holds = (when: string, series = bars): boolean[] => {
  const mask = signalMask(formula, resolveParams(formula, { when }), Frame.of(series));
  return Array.from({ length: series.barCount }, (_, bar) => getBit(mask, bar));
};

test('the clock tells the close of a bar in UTC, midnight belongs to the new day', () => {
  const hours = holds('hour() == 0');
  const mondays = holds('weekday() == 1');
  const sundays = holds('weekday() == 7');
  const firsts = holds('day() == 1');
  const february = holds('month() == 2');
  for (let bar = 0; bar < bars.barCount; bar++) {
    const close = MONDAY + (bar + 1) * HOUR_MS;
    const days = Math.floor((close - MONDAY) / DAY_MS);
    assert.equal(hours[bar], (bar + 1) % 24 === 0);
    assert.equal(mondays[bar], days % 7 === 0);
    assert.equal(sundays[bar], days % 7 === 6);
    assert.equal(firsts[bar], days === 0 || days === 31);
    assert.equal(february[bar], days >= 31 && days < 60);
  }
  assert.ok(holds('minute() == 0').every(Boolean));
});

test('barssince counts from 0, and is undefined before the first time', () => {
  const up = holds('close > open');
  const since = [0, 1, 2, 3].map((n) => holds(`barssince(close > open) == ${n}`));
  const known = holds('barssince(close > open) >= 0');
  for (let bar = 0; bar < bars.barCount; bar++) {
    const last = up.slice(0, bar + 1).lastIndexOf(true);
    assert.equal(known[bar], last !== -1);
    for (const [n, is] of since.entries()) assert.equal(is[bar], last !== -1 && bar - last === n);
  }
});

test('valuewhen keeps the value of the bar on which the condition held', () => {
  const up = holds('close > open');
  const same = holds('valuewhen(close > open, close) == close');
  for (let bar = 0; bar < bars.barCount; bar++) {
    const last = up.slice(0, bar + 1).lastIndexOf(true);
    assert.equal(same[bar], last !== -1 && bars.close[last] === bars.close[bar]);
  }
});

test('percentrank compares with the values before, not with itself', () => {
  const top = holds('percentrank(close, 10) == 100');
  const bottom = holds('percentrank(close, 10) == 0');
  for (let bar = 0; bar < bars.barCount; bar++) {
    const before = Array.from(bars.close.subarray(Math.max(0, bar - 10), bar));
    const now = bars.close[bar] ?? Number.NaN;
    assert.equal(top[bar], bar >= 10 && before.every((value) => value <= now));
    assert.equal(bottom[bar], bar >= 10 && before.every((value) => value > now));
  }
});

test('bars as objects have their length from their times; one alone has none', () => {
  const rows = Array.from({ length: 3 }, (_, i) => ({
    ...{
      timestamp: new Date(MONDAY + (20 + i) * HOUR_MS).toISOString(),
      open: 1,
      high: 1,
      low: 1,
      close: 1,
      volume: 1,
    },
  }));
  const ask = (when: string, given: typeof rows) => evaluateBars(formula, resolveParams(formula, { when }), given);
  assert.equal(ask('hour() == 23', rows), true);
  assert.equal(ask('hour() == 22', rows), false);
  assert.equal(ask('hour() >= 0', rows.slice(0, 1)), false);
});

test('nested conditions stay small, and wrong arguments are told with their place', () => {
  const nested = (depth: number): string => (depth === 0 ? 'close > open' : `barssince(${nested(depth - 1)}) > 2`);
  assert.ok(holds(nested(12)).length > 0);
  const wrong: readonly [string, RegExp][] = [
    ['barssince(close) > 1', /a condition is needed here/],
    ['valuewhen(close > open, close > 1) > 1', /a number is needed here/],
    ['percentrank(close, 0) > 1', /the number of bars of percentrank must be a whole number 1\.\.2000/],
    ['hour(1) > 1', /expected|must be|was/],
    ['hour > 1', /hour is a function: write hour\(\.\.\.\)/],
    ['wekday() > 1', /did you mean weekday/],
  ];
  for (const [when, message] of wrong) {
    assert.throws(
      () => readFormula(when),
      (error: Error) => error instanceof FormulaProblem && message.test(error.message),
      when,
    );
  }
});
