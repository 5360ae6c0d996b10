import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBars, runBacktest, type Strategy } from '../../../../library/index.js';
import { randomBars } from '../../../support/random.js';

const strategy: Strategy = {
  entry: [{ name: 'ema_cross_up', signal_type: 'TRIGGER', params: { window_fast: 3, window_slow: 8 } }],
  exit: [{ name: 'ema_cross_down', signal_type: 'TRIGGER', params: { window_fast: 3, window_slow: 8 } }],
};
const costs = { fee_pct: 0.001, slippage_pct: 0.0005, atr_long_weight: 0 };
const market = randomBars({ seed: 3, barCount: 1_500 });

/** The same market in another unit of the price, and an account in another unit of the currency. */
async function run(priceUnit: number, balanceUnit: number, config: object = {}) {
  const scaled = (column: Float64Array): Float64Array => column.map((value) => value * priceUnit * balanceUnit);
  const { time, open, high, low, close, volume } = market;
  const bars = await loadBars({
    columns: {
      ...{ time, open: scaled(open), high: scaled(high), low: scaled(low), close: scaled(close) },
      volume: volume.map((value) => value / priceUnit),
    },
    interval: '1h',
  });
  const settings = { initial_balance: 10_000 * balanceUnit, ...costs, ...config };
  return runBacktest({ strategy, bars, config: settings });
}

const scales = [1e-8, 1e-5, 1e-3, 1, 1e3, 1e8];

test('a result does not depend on the unit of the price, or the limit that binds is named', async () => {
  const { metrics: expected, trades } = await run(1, 1);
  assert.ok(trades.length > 10);
  let bound = 0;
  for (const unit of scales) {
    const { metrics, result } = await run(unit, 1);
    const isEqual = Math.abs((metrics.total_return ?? NaN) - (expected.total_return ?? NaN)) < 1e-9;
    if (isEqual) continue;
    bound++;
    const { limited, too_small, verdict } = result.diagnostics;
    assert.ok((limited.max_units_per_trade ?? 0) + (too_small.max_units_per_trade ?? 0) > 0, `unit ${unit}`);
    if (result.trade_count === 0) assert.match(String(verdict), /max_units_per_trade makes positions smaller/);
    assert.match(result.warnings.join('\n'), /max_units_per_trade of 1000000 made \d+ of \d+ entries smaller/);
  }
  assert.ok(bound >= 2, 'the published cap binds at low prices');
});
