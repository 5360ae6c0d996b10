import assert from 'node:assert/strict';
import test from 'node:test';
import { type AuditInput, auditStrategy } from '../../../../engine/audit/index.js';
import { resolveConfig, type SimulationInput, simulate } from '../../../../engine/execution/index.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { parseStrategy, planStrategy } from '../../../../engine/strategy/index.js';
import { randomBars, seededRandom } from '../../../support/random.js';

/** Stops that move at a close and act from the next bar on, and a planted one that does not. */

const bars = randomBars({ seed: 12, barCount: 1_500, gapChance: 0.01 });
const rule = (name: string) => ({ name, signal_type: 'TRIGGER', timeframe: null, params: {} });
const strategies = {
  long: { entry: [rule('ema_cross_up')] },
  short: { short_entry: [rule('ema_cross_down')] },
  both: { entry: [rule('ema_cross_up')], short_entry: [rule('ema_cross_down')], short_exit: [rule('ema_cross_up')] },
};
const config = (request: object) =>
  resolveConfig({
    request: { fee_pct: 0, slippage_pct: 0, atr_long_weight: 0, target_calculation: 'none', ...request },
    interval: HOUR_MS,
    takesPositionFields: true,
  }).config;

const audit = (strategy: object, request: object, extra: Partial<AuditInput> = {}) =>
  auditStrategy({
    plan: planStrategy(parseStrategy(strategy, 'relaxed', { takesSides: true }), HOUR_MS),
    bars,
    first: 400,
    config: config(request),
    cutCount: 6,
    random: seededRandom(1),
    ...extra,
  });

/** The engine, but a stop is moved by the bar that it is tested against, not by the bars before. */
const withOwnBar: typeof simulate = (input: SimulationInput) => {
  const [high, low] = [input.bars.high.slice(), input.bars.low.slice()];
  for (let i = 0; i + 1 < high.length; i++) {
    high[i] = Math.max(high[i] ?? 0, input.bars.high[i + 1] ?? 0);
    low[i] = Math.min(low[i] ?? 0, input.bars.low[i + 1] ?? 0);
  }
  // The stop itself is hit by the true bars: the ranges of the moves are one bar early only on the
  // side that moves the stop.
  const isShort = input.shortEntry !== undefined;
  return simulate({ ...input, bars: { ...input.bars, ...(isShort ? { low } : { high }) } });
};

for (const [side, strategy] of Object.entries(strategies)) {
  for (const request of [{ trailing_distance: 1 }, { break_even_at: 0.5, break_even_offset_pct: -0.001 }]) {
    test(`the stops of the engine are clean: ${side}, ${JSON.stringify(request)}`, () => {
      const { findings } = audit(strategy, request);
      assert.deepEqual(findings, []);
    });
  }
}

test('a planted trailing stop of a short that uses the low of its own bar is caught', () => {
  const { findings } = audit(strategies.short, { trailing_distance: 1 }, { run: withOwnBar });
  assert.ok(
    findings.some(({ kind, what }) => kind === 'look-ahead' && what === 'stops'),
    JSON.stringify(findings),
  );
});
