import assert from 'node:assert/strict';
import test from 'node:test';
import { exhaustedFrom } from '../../../../engine/execution/index.js';
import { configOf } from '../../../support/execution.js';

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
