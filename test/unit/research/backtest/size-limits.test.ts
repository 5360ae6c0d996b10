import assert from 'node:assert/strict';
import test from 'node:test';
import { loadBars, runBacktest, type Strategy } from '../../../../library/index.js';
import { randomBars, seededRandom } from '../../../support/random.js';
import { runs } from '../../../support/scale.js';

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

test('the same for the unit of the currency, once amounts follow it', async () => {
  const { metrics: expected } = await run(1, 1);
  for (const unit of scales) {
    const config = { min_trade_amount: 25 * unit, max_trade_amount: 10_000_000 * unit };
    const { metrics } = await run(1, unit, config);
    if (unit < 1e-6) continue; // cash below a millionth counts as none
    assert.ok(Math.abs((metrics.total_return ?? NaN) - (expected.total_return ?? NaN)) < 1e-9, `unit ${unit}`);
    const { result } = await run(1, unit);
    const named = { ...result.diagnostics.limited, ...result.diagnostics.denied };
    const isEqual = Math.abs((result.metrics.total_return ?? NaN) - (expected.total_return ?? NaN)) < 1e-9;
    if (!isEqual) assert.ok('max_trade_amount' in named || 'min_trade_amount' in named, `unit ${unit}`);
  }
});

test('prices and balances from 1e-8 to 1e8 together give one result, or the limit that binds is named', async () => {
  const { metrics: expected } = await run(1, 1);
  const random = seededRandom(36);
  let equal = 0;
  let bound = 0;
  for (let i = 0; i < runs(8, 100); i++) {
    const [price, balance] = [10 ** (16 * random() - 8), 10 ** (16 * random() - 8)];
    const amounts = { min_trade_amount: 25 * balance, max_trade_amount: 10_000_000 * balance };
    const { metrics, result } = await run(price, balance, i % 2 === 0 ? amounts : {});
    if (Math.abs((metrics.total_return ?? NaN) - (expected.total_return ?? NaN)) < 1e-9) {
      equal++;
      continue;
    }
    const { limited, too_small, denied, verdict } = result.diagnostics;
    const limits = Object.keys({ ...limited, ...too_small, ...denied }).filter((name) => name !== 'cash');
    assert.ok(
      limits.some((name) => /^m(ax|in)_|insufficient_cash/.test(name)),
      `price ${price}, balance ${balance}: ${verdict}`,
    );
    bound++;
  }
  assert.ok(equal > 0 && bound > 0, `${equal} equal, ${bound} bound`);
});

test('an entry while all cash is invested says so', async () => {
  const { result } = await run(1, 1, { max_risk_per_trade: 0.9, exit_on_loss_after_bars: null, max_open_positions: 5 });
  const { limited, too_small, denied } = result.diagnostics;
  assert.ok((limited.cash ?? 0) > 0, 'sizes are cut to the cash');
  assert.equal(too_small.cash ?? 0, denied.min_trade_amount ?? 0);
});

test('a cap in amounts is counted, and warned of from a tenth of the entries on', async () => {
  const { result } = await run(1, 1, { max_trade_amount: 500 });
  assert.equal(result.diagnostics.limited.max_trade_amount, result.trade_count);
  assert.match(
    result.warnings.join('\n'),
    /max_trade_amount of 500 made (\d+) of \1 entries smaller: raise max_trade_amount/,
  );
  const { result: free } = await run(1, 1, { max_units_per_trade: 1e12 });
  assert.deepEqual(
    Object.keys(free.diagnostics.limited).filter((name) => name !== 'cash'),
    [],
  );
});
