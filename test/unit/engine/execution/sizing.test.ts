import assert from 'node:assert/strict';
import test from 'node:test';
import { exhaustedFrom, simulate } from '../../../../engine/execution/index.js';
import { configOf, inputOf } from '../../../support/execution.js';
import { randomBars } from '../../../support/random.js';

const curve = (...values: number[]) => Float64Array.from(values);

test('an account is exhausted from the bar on which it falls below its floor for good', () => {
  const v1 = configOf({ position_size_calc: 'v1', min_balance_threshold: 0.1 });
  assert.equal(exhaustedFrom(curve(10_000, 999, 1_001, 999, 998), v1), 3);
  assert.equal(exhaustedFrom(curve(10_000, 999, 1_000), v1), null);
  assert.equal(exhaustedFrom(curve(), v1), null);
});

test('an account that keeps a reserve is exhausted when the rest is less than the smallest entry', () => {
  const v2 = configOf({
    ...{ position_size_calc: 'v2', min_balance_threshold: 0.1, min_trade_amount: 25, fee_pct: 0.01 },
  });
  assert.equal(exhaustedFrom(curve(10_000, 1_025.24), v2), 1);
  assert.equal(exhaustedFrom(curve(10_000, 1_025.26), v2), null);
});

test('a run whose costs eat the account enters no trade after the bar on which it is exhausted', () => {
  for (const position_size_calc of ['v1', 'v2'] as const) {
    const bars = randomBars({ seed: 5, barCount: 3_000, volatility: 0.002 });
    const entries = Array.from({ length: 1_500 }, (_, i) => 2 * i);
    const settings = {
      position_size_calc,
      max_hold_bars: 1,
      max_risk_per_trade: 0.5,
      fee_pct: 0.05,
      fixed_stop_pct: 0.2,
      stop_loss_calculation: 'fixed' as const,
      slippage_pct: 0.01,
    };
    const input = inputOf(bars, entries, [], settings);
    const { equity, trades } = simulate(input);
    const from = exhaustedFrom(equity, input.config)!;
    assert.ok(from > 0 && from < 2_900, `${from}`);
    assert.ok(trades.length > 15 && trades.every(({ entryBar }) => entryBar <= from + 1));
  }
});
