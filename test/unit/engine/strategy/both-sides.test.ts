import assert from 'node:assert/strict';
import test from 'node:test';
import { type BarSeries, getBit, HOUR_MS, type Mask, sliceBars } from '../../../../engine/series/index.js';
import {
  evaluateRules,
  parseStrategy,
  planStrategy,
  type StrategyDefinition,
} from '../../../../engine/strategy/index.js';
import { randomBars } from '../../../support/random.js';

/** Short sides, choices of rules, and rules that are negated, remembered or read on another asset. */

const rule = (name: string, more: object = {}, role = 'TRIGGER') => ({
  ...{ name, signal_type: role, timeframe: null, params: {} },
  ...more,
});
const cross = rule('ema_cross_up', { params: { window_fast: 3, window_slow: 8 } });
const up = rule('is_above_sma', { params: { window: 10 } }, 'FILTER');
const down = rule('ema_cross_down', { params: { window_fast: 3, window_slow: 8 } });
const read = (json: object): StrategyDefinition => parseStrategy(json, 'relaxed', { takesSides: true });
const bars = randomBars({ seed: 7, barCount: 600, gapChance: 0.03 });

const masksOf = (json: object, series: BarSeries = bars, others = {}) =>
  evaluateRules(planStrategy(read(json), HOUR_MS), series, others);
const entryOf = (entry: object, series: BarSeries = bars, others = {}) => masksOf({ entry }, series, others).entry;
const answers = (mask: Mask, { barCount }: BarSeries = bars) =>
  Array.from({ length: barCount }, (_, bar) => getBit(mask, bar));

test('every list is checked at every depth, with field, bound and value', () => {
  const wrong: readonly [json: object, message: RegExp][] = [
    [{ entry: [cross], short_entry: [up] }, /^short_entry must have exactly 1 TRIGGER, has 0$/],
    [{ entry: [cross], short_exit: [down] }, /^short_exit must stand beside short_entry, which is missing$/],
    [{ short_entry: [down], exit: [cross] }, /^exit must stand beside entry, which is missing$/],
    [{ entry: { any: [] } }, /^entry\.any must be 1 to 8 lists of rules, was \[\]$/],
    [{ entry: { any: [[cross], [up]] } }, /^entry\.any\[1\] must have exactly 1 TRIGGER, has 0$/],
    [{ entry: { any: [[cross, { ...up, params: 3 }]] } }, /^entry\.any\[0\]\[1\]\.params must be an object, was 3$/],
    [{ entry: [{ ...cross, negate: 'yes' }] }, /^entry\[0\]\.negate must be true or false, was "yes"$/],
    [{ entry: [{ ...cross, within_bars: 0 }] }, /^entry\[0\]\.within_bars must be a whole number 1\.\.500, was 0$/],
    [{ entry: [{ ...cross, asset: '' }] }, /^entry\[0\]\.asset must be the name of an asset such as BTC, was ""$/],
  ];
  for (const [json, message] of wrong) assert.throws(() => read(json), { message }, JSON.stringify(json));
});

test('negate is true where the signal has a value and is false, and within_bars remembers', () => {
  const plain = answers(entryOf([up, { ...cross, within_bars: 500 }]));
  const above = answers(masksOf({ entry: [{ ...cross, within_bars: 500 }, up] }).entryFilter);
  const notAbove = answers(masksOf({ entry: [cross, { ...up, negate: true }] }).entryFilter);
  assert.ok(plain.some(Boolean));
  for (let bar = 0; bar < bars.barCount; bar++) {
    assert.equal(notAbove[bar], bar >= 9 && !above[bar], `bar ${bar}`); // warming up before bar 9
  }
  const crossed = answers(entryOf([cross]));
  const lately = answers(entryOf([{ ...cross, within_bars: 4 }]));
  const notLately = answers(entryOf([{ ...cross, within_bars: 4, negate: true }]));
  for (let bar = 0; bar < bars.barCount; bar++) {
    const expected = crossed.slice(Math.max(0, bar - 3), bar + 1).some(Boolean);
    assert.equal(lately[bar], expected, `bar ${bar}`);
    if (bar >= 20) assert.equal(notLately[bar], !expected, `bar ${bar}`);
    else if (notLately[bar]) assert.ok(!expected);
  }
});

/** What a rule on another asset says by the page alone: the newest bar that has closed, or nothing. */
function expectedOf(own: Mask, other: BarSeries, role: string): boolean[] {
  return Array.from({ length: bars.barCount }, (_, bar) => {
    const close = (k: number) => (other.time[k] ?? Number.POSITIVE_INFINITY) + other.intervalMs;
    const seen = (at: number) => Array.from(other.time).findLastIndex((time) => time + other.intervalMs <= at);
    const now = (bars.time[bar] ?? 0) + bars.intervalMs;
    const before = bar === 0 ? (bars.time[0] ?? 0) : (bars.time[bar - 1] ?? 0) + bars.intervalMs;
    const k = seen(now);
    if (k === -1) return false;
    return getBit(own, k) && (role === 'FILTER' || close(k) > before);
  });
}

test('a rule on another asset reads its bars from their close on', () => {
  for (const seed of [1, 2, 3]) {
    const other = randomBars({
      seed: 90 + seed,
      barCount: 500,
      gapChance: 0.1,
      startMs: (seed - 2) * 30 * HOUR_MS + Date.UTC(2024, 0, 1),
    });
    const trigger = { ...cross, asset: 'ETH' };
    const filter = { ...up, asset: 'ETH' };
    const masks = masksOf({ entry: [trigger, filter] }, bars, { ETH: other });
    const own = masksOf({ entry: [cross, up] }, other);
    assert.deepEqual(answers(masks.entryTrigger), expectedOf(own.entryTrigger, other, 'TRIGGER'));
    assert.deepEqual(answers(masks.entryFilter), expectedOf(own.entryFilter, other, 'FILTER'));
    assert.ok(answers(masks.entryTrigger).some(Boolean) && answers(masks.entryFilter).some(Boolean));
  }
});

test('a rule on an asset that has shown no bar for ten days has no value, negated or not, until it shows one', () => {
  const own = randomBars({ seed: 3, barCount: 800 });
  const whole = randomBars({ seed: 4, barCount: 800 });
  const [end, again] = [200, 600];
  const parts = [sliceBars(whole, 0, end), sliceBars(whole, again, 800)] as const;
  const column = (name: 'time' | 'open' | 'high' | 'low' | 'close' | 'volume') =>
    Float64Array.from(parts.flatMap((part) => [...part[name]]));
  const other = {
    ...{ ...whole, barCount: end + 800 - again, time: column('time'), open: column('open'), high: column('high') },
    ...{ low: column('low'), close: column('close'), volume: column('volume') },
  };
  const [held, negated] = [{}, { negate: true }].map((more) =>
    answers(masksOf({ entry: [cross, { ...up, ...more, asset: 'ETH' }] }, own, { ETH: other }).entryFilter, own),
  );
  // The last bar before the hole speaks at its own close and for 240 hours after it.
  const speaks = held?.map((holds, bar) => holds || negated?.[bar]);
  const last = end - 1 + 240;
  assert.deepEqual(
    speaks?.slice(20),
    Array.from({ length: 780 }, (_, i) => i + 20 <= last || i + 20 >= again),
  );
});
