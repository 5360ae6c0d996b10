import assert from 'node:assert/strict';
import test from 'node:test';
import { type BarSeries, HOUR_MS } from '../../../../engine/series/index.js';
import { signals } from '../../../../engine/signals/index.js';
import {
  evaluateRules,
  evaluateWithGaps,
  parseStrategy,
  planStrategy,
  type RuleGaps,
} from '../../../../engine/strategy/index.js';
import { randomBars } from '../../../support/random.js';

const BARS = 3_000;
const market = randomBars({ seed: 3, barCount: BARS, flatChance: 0 });

/** The close as a further column, undefined from bar `from` up to `to`. */
function withHole(from: number, to: number): BarSeries {
  const x = market.close.slice().fill(NaN, from, to);
  return { ...market, columns: { x } };
}

const ruleOf = (name: string, params: object = {}, timeframe: string | null = null) => ({
  ...{ name, signal_type: 'TRIGGER', timeframe, params },
});
const when = (text: string) => ruleOf('formula', { when: text });

function gapsOf(entry: object, bars: BarSeries, first = 0): readonly RuleGaps[] {
  const plan = planStrategy(parseStrategy({ entry: [entry] }, 'relaxed'), HOUR_MS, Object.keys(bars.columns));
  assert.deepEqual(plan.denied, []);
  const { masks, gaps } = evaluateWithGaps(plan, bars, first);
  assert.deepEqual(masks, evaluateRules(plan, bars));
  return gaps;
}

test('no signal of the catalogue is undefined on clean bars after its warm-up', () => {
  let evaluated = 0;
  const named = signals.flatMap((signal) => {
    const plan = planStrategy(parseStrategy({ entry: [ruleOf(signal.name)] }, 'relaxed'), HOUR_MS);
    if (plan.entry === null) return []; // it needs a column or a formula
    evaluated++;
    return evaluateWithGaps(plan, market, 0).gaps.map((gap) => `${signal.name}: ${gap.undefinedBars} of ${gap.bars}`);
  });
  assert.ok(evaluated > 100);
  assert.deepEqual(named, []);
});

test('a hole counts the bars on which a rule has no value, a late start those before it', () => {
  const hole = withHole(1_000, 1_600);
  const one = { side: 'entry', rule: 0 };
  assert.deepEqual(gapsOf(when('column(x) > 0'), hole), [{ ...one, bars: BARS, undefinedBars: 600 }]);
  assert.deepEqual(gapsOf(when('sma(column(x), 10) > 0'), hole), [{ ...one, bars: BARS - 9, undefinedBars: 609 }]);
  assert.deepEqual(gapsOf(when('column(x) > 0'), hole, 1_500), [{ ...one, bars: 1_500, undefinedBars: 100 }]);
  assert.deepEqual(gapsOf(when('column(x) > 0'), withHole(0, 900)), [{ ...one, bars: BARS, undefinedBars: 900 }]);
  assert.deepEqual(gapsOf(when('close > 0'), hole), []);
});
