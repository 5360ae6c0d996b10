import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AuditInput,
  auditStrategy,
  laterColumn,
  laterMask,
  rotatedColumn,
  rotatedMask,
} from '../../../../engine/audit/index.js';
import { resolveConfig } from '../../../../engine/execution/index.js';
import { type Column, close, columnOf, defineKernel } from '../../../../engine/indicators/column.js';
import { EMA } from '../../../../engine/indicators/smoothing.js';
import { type BarSeries, createMask, getBit, HOUR_MS, setBit } from '../../../../engine/series/index.js';
import { above, type Condition, crossesAbove } from '../../../../engine/signals/condition.js';
import { defineSignal, type Signal } from '../../../../engine/signals/signal.js';
import type { PlannedRule, StrategyPlan } from '../../../../engine/strategy/index.js';
import { randomBars, seededRandom } from '../../../support/random.js';

const FIRST = 400;
const bars = randomBars({ seed: 12, barCount: 1_600, gapChance: 0.01 });
const { config } = resolveConfig({
  request: { fee_pct: 0, slippage_pct: 0, atr_long_weight: 0, min_balance_threshold: 0 },
  interval: HOUR_MS,
});

/** A signal that the library would never contain. */
const plant = (name: string, condition: Condition): Signal =>
  defineSignal({
    name,
    category: 'trend',
    type: 'TRIGGER',
    family: 'none',
    bias: 'bullish',
    requires: ['Close'],
    params: {},
    indicators: [],
    description: name,
    definition: name,
    minBars: () => 1,
    condition: () => condition,
  });

const rule = (signal: Signal): PlannedRule => ({ signal, params: {}, role: 'TRIGGER', timeframeMs: HOUR_MS });
const planOf = (signal: Signal): StrategyPlan => ({
  intervalMs: HOUR_MS,
  entry: [rule(signal)],
  exit: [],
  denied: [],
  warnings: [],
});

const audit = (plan: StrategyPlan, series: BarSeries = bars, extra: Partial<AuditInput> = {}) =>
  auditStrategy({ plan, bars: series, first: FIRST, config, cutCount: 20, random: seededRandom(1), ...extra });

const kernel = (name: string, fill: (x: Float64Array, out: Float64Array) => void): Column =>
  columnOf(
    defineKernel(name, null, ([x], _, [out]) => fill(x, out)),
    [close],
  );

const leaks: Record<string, Condition> = {
  'tomorrow is higher': above(
    kernel('TOMORROW', (x, out) => {
      for (let t = 0; t < x.length; t++) out[t] = t + 1 < x.length ? x[t + 1] : NaN;
    }),
    close,
  ),
  'scaled by the highest price of the whole series': above(
    kernel('OF_HIGHEST', (x, out) => {
      const top = x.reduce((best, value) => Math.max(best, value), 0);
      for (let t = 0; t < x.length; t++) out[t] = x[t] / top;
    }),
    0.97,
  ),
  'a centred average': crossesAbove(
    close,
    kernel('CENTRED', (x, out) => {
      for (let t = 0; t < x.length; t++) out[t] = (x[Math.max(0, t - 5)] + x[t] + x[Math.min(x.length - 1, t + 5)]) / 3;
    }),
  ),
};

for (const [name, condition] of Object.entries(leaks)) {
  test(`a planted leak is caught: ${name}`, () => {
    const { findings } = audit(planOf(plant('leaky', condition)));
    assert.ok(findings.some(({ kind, what }) => kind === 'look-ahead' && what === 'entry rule leaky'));
  });
}

test('a planted signal that depends on the start of the data is caught, and named as such', () => {
  const sinceStart = kernel('SINCE_START', (x, out) => {
    for (let t = 0; t < x.length; t++) out[t] = x[t] / x[0];
  });
  const { findings, drifts } = audit(planOf(plant('anchored', above(sinceStart, 1.01))));
  assert.ok(findings.some(({ kind, what }) => kind === 'warm-up' && what === 'entry rule anchored'));
  assert.ok(findings.every(({ kind }) => kind === 'warm-up'));
  assert.ok(drifts.every(({ relative }) => relative > 1e-3));
});

test('a slow average that has not settled drifts, a fast one does not', () => {
  const drift = (window: number) => audit(planOf(plant('average', crossesAbove(close, EMA(close, window))))).drifts;
  assert.deepEqual(
    drift(200).map(({ historyBars }) => historyBars),
    [300, 200],
  );
  assert.ok(drift(200).every(({ relative }) => relative > 1e-6));
  const fast = drift(5);
  assert.equal(fast.length, 2);
  assert.ok(fast.every(({ relative }) => relative < 1e-12));
});

const maskOf = (...bars: readonly number[]) => {
  const mask = createMask(70);
  for (const bar of bars) setBit(mask, bar);
  return mask;
};
const barsOf = (mask: ReturnType<typeof createMask>) =>
  Array.from({ length: 70 }, (_, bar) => bar).filter((bar) => getBit(mask, bar));

test('later signals come one bar later, and the last is lost', () => {
  assert.deepEqual(barsOf(laterMask(maskOf(0, 31, 69), 70)), [1, 32]);
  assert.deepEqual([...laterColumn(Float64Array.of(1, 2, 3))], [NaN, 1, 2]);
  assert.deepEqual([...laterColumn(new Float64Array())], []);
});

test('rotated signals keep their number and their rows; bars of history stay', () => {
  const mask = maskOf(3, 10, 11, 69);
  assert.deepEqual(barsOf(rotatedMask(mask, 70, 10, 2)), [3, 11, 12, 13]);
  assert.deepEqual(barsOf(rotatedMask(mask, 70, 10, 60)), barsOf(mask), 'a whole turn changes nothing');
  assert.deepEqual(barsOf(rotatedMask(mask, 70, 10, 1_202)), [3, 11, 12, 13]);
  assert.deepEqual([...rotatedColumn(Float64Array.of(9, 1, 2, 3), 1, 1)], [9, 3, 1, 2]);
});
