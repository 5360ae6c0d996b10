import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { resolveParams } from '../../../../engine/indicators/index.js';
import { allocateBars, type BarSeries } from '../../../../engine/series/bars.js';
import { bitIndices, countBits, getBit, type Mask } from '../../../../engine/series/bits.js';
import { HOUR_MS, parseInterval } from '../../../../engine/series/intervals.js';
import { evaluateSignal, requireSignal, type SignalType } from '../../../../engine/signals/index.js';
import { evaluateRules, parseStrategy, planStrategy } from '../../../../engine/strategy/index.js';
import type { RefBar } from '../../../reference/execution.js';
import { alignRule } from '../../../reference/timeframes.js';
import { barsOf, type PriceRow } from '../../../support/execution.js';
import { randomBars, seededRandom } from '../../../support/random.js';
import { executionBars } from '../../../support/reference.js';
import { goldenPath } from '../../../support/tree.js';

const signalCases: readonly (readonly [name: string, params: Readonly<Record<string, number>>])[] = [
  ['is_above_sma', { window: 3 }],
  ['sma_cross_up', { window_fast: 1, window_slow: 3 }],
  ['bullish_engulfing_trigger', {}],
  ['rsi_oversold', { window: 2, threshold: 50 }],
];

/** Interval of the run, timeframe of the rule, and bars enough for a few coarse ones. */
const timeframeCases: readonly (readonly [interval: string, timeframe: string, barCount: number])[] = [
  ['5m', '30m', 360],
  ['5m', '1h', 500],
  ['1h', '4h', 300],
  ['1h', '1d', 480],
  ['1d', '1w', 240],
];

/** Bars with single holes, sometimes with a long one, that begin at any time of day. */
function holedBars(seed: number, intervalMs: number, barCount: number): BarSeries {
  const random = seededRandom(seed);
  const startMs = Date.UTC(2024, 0, 1) + intervalMs * Math.floor(random() * 300);
  const bars = randomBars({ seed, barCount, intervalMs, startMs, gapChance: 0.08, tick: 0.5 });
  if (random() < 0.5) return bars;
  const from = Math.floor(barCount * (0.3 + 0.4 * random()));
  const hole = intervalMs * Math.floor(random() * 60);
  for (let i = from; i < barCount; i++) bars.time[i] += hole;
  return bars;
}

function fromReference(rows: readonly RefBar[], intervalMs: number): BarSeries {
  const bars = allocateBars(rows.length, intervalMs);
  for (const [i, { t, o, h, l, c, v }] of rows.entries()) {
    bars.time[i] = t;
    bars.open[i] = o;
    bars.high[i] = h;
    bars.low[i] = l;
    bars.close[i] = c;
    bars.volume[i] = v;
  }
  return bars;
}

/**
 * An entry of one rule in the given role. A FILTER needs a TRIGGER beside it: one that is always
 * true on the interval of the run.
 */
function entryMask(bars: BarSeries, name: string, params: object, timeframe: string, role: SignalType): Mask {
  const rule = { name, signal_type: role, timeframe, params };
  const always = { name: 'is_above_sma', signal_type: 'TRIGGER', timeframe: null, params: { window: 200 } };
  const plan = planStrategy(
    parseStrategy({ entry: role === 'TRIGGER' ? [rule] : [always, rule] }, 'relaxed', { takesWeeks: true }),
    bars.intervalMs,
  );
  assert.deepEqual(plan.denied, []);
  const [planned] = plan.entry!.filter((each) => each.role === role);
  return evaluateRules({ ...plan, entry: [planned] }, bars).entry;
}

interface Example {
  readonly title: string;
  /** Hours in which bars open. */
  readonly hours: readonly number[];
  /** Bars on which the formula `when` is true, in either role. */
  readonly rules: readonly (Readonly<Record<SignalType, readonly number[]>> & { readonly when: string })[];
}

const { examples }: { examples: Example[] } = JSON.parse(readFileSync(goldenPath('timeframes.json'), 'utf8'));

/** A formula over the cells of the newest bar, in the words of JavaScript. */
const asFunction = (when: string) =>
  new Function('open', 'high', 'low', 'close', 'volume', `return ${when.replaceAll('and', '&&')}`);

for (const { title, hours, rules } of examples) {
  test(`the engine and the definition agree with the worked example: ${title}`, () => {
    const bars = barsOf(hours.map((h): PriceRow => [h, h + 2, h - 1, h + 1]));
    for (const [i, hour] of hours.entries()) bars.time[i] = Date.UTC(2024, 0, 1, hour);
    for (const { when, ...expected } of rules) {
      for (const role of ['TRIGGER', 'FILTER'] as const) {
        const mask = entryMask(bars, 'formula', { when }, '4h', role);
        const rule = asFunction(when);
        const defined = alignRule(executionBars(bars), HOUR_MS, 4 * HOUR_MS, role, (prefix) => {
          const { o, h, l, c, v } = prefix[prefix.length - 1];
          return rule(o, h, l, c, v);
        });
        assert.deepEqual([...bitIndices(mask)], expected[role], `${role} ${when}`);
        assert.deepEqual(
          defined.flatMap((answer, bar) => (answer ? [bar] : [])),
          expected[role],
          `${role} ${when}, by the definition`,
        );
      }
    }
  });
}

let seed = 1;
for (const [interval, timeframe, barCount] of timeframeCases) {
  for (const role of ['TRIGGER', 'FILTER'] as const) {
    test(`a ${role} on ${timeframe} in a run on ${interval} answers as the definition rebuilt at every close`, () => {
      const intervalMs = parseInterval(interval);
      const coarseMs = parseInterval(timeframe);
      let trueBars = 0;
      for (const [name, given] of signalCases) {
        const bars = holedBars(seed++, intervalMs, barCount);
        const signal = requireSignal(name);
        const params = resolveParams(signal, given);
        const expected = alignRule(executionBars(bars), intervalMs, coarseMs, role, (prefix) =>
          evaluateSignal(signal, params, fromReference(prefix, coarseMs)),
        );
        const mask = entryMask(bars, name, given, timeframe, role);
        const actual = expected.map((_, bar) => getBit(mask, bar));
        assert.deepEqual(actual, expected, `${name}, seed ${seed - 1}`);
        trueBars += countBits(mask);
      }
      assert.ok(trueBars > 0, 'some rule is true somewhere');
    });
  }
}

/** The bars at which a formula that is always true fires on a timeframe. */
function fired(bars: BarSeries, timeframe: string): Date[] {
  const mask = entryMask(bars, 'formula', { when: 'close > 0' }, timeframe, 'TRIGGER');
  return [...bitIndices(mask)].map((bar) => new Date(bars.time[bar]));
}

test('a weekly trigger fires once a week, at the close of Sunday, and only where weeks are taken', () => {
  const bars = randomBars({ seed: 4, barCount: 24 * 40, intervalMs: HOUR_MS, startMs: Date.UTC(2024, 0, 1) });
  for (const name of ['1w', '7d']) {
    const times = fired(bars, name).map((time) => time.toISOString().slice(5, 13));
    assert.deepEqual(times, ['01-07T23', '01-14T23', '01-21T23', '01-28T23', '02-04T23']);
  }
  const rule = { name: 'is_above_sma', signal_type: 'TRIGGER', timeframe: '1w', params: { window: 1 } };
  const [denied] = planStrategy(parseStrategy({ entry: [rule] }, 'relaxed'), HOUR_MS).denied;
  assert.equal(denied.reason, 'unsupported_timeframe');
  const twoWeeks = parseStrategy({ entry: [{ ...rule, timeframe: '2w' }] }, 'relaxed', { takesWeeks: true });
  assert.match(planStrategy(twoWeeks, HOUR_MS).denied[0].message, /^unknown timeframe "2w", known are: .*1d$/);
});
