import assert from 'node:assert/strict';
import test from 'node:test';
import type { Trade } from '../../../../engine/execution/index.js';
import { measureSides } from '../../../../engine/metrics/index.js';
import { randomBars } from '../../../support/random.js';

const bars = randomBars({ seed: 3, barCount: 10 });

const trade = (changes: Partial<Trade>): Trade => ({
  entryBar: 2,
  exitBar: 4,
  entryPrice: 100,
  exitPrice: 110,
  size: 1,
  stopPrice: Number.NaN,
  targetPrice: Number.NaN,
  profitLoss: 9,
  profitLossPct: 0.09,
  entryFee: 0.5,
  exitFee: 0.5,
  slippageCost: 0,
  fundingPaid: 0,
  beginningBalance: 1_000,
  endingBalance: 1_009,
  barsHeld: 2,
  exitReason: 'SIGNAL',
  ...changes,
});

const measure = (trades: readonly Trade[], equity = new Float64Array(10).fill(1_000)) =>
  measureSides({ trades, equity }, bars, 0);

test('trades paid in full count as long, and a side that lost nothing has no profit factor', () => {
  const { long, short, return_on_margin, exposure_long, exposure_short } = measure([
    trade({}),
    trade({ entryBar: 5, exitBar: 8 }),
  ]);
  assert.deepEqual([long.trades, long.profit_factor, long.borrow_paid, long.fees], [2, null, 0, 2]);
  assert.deepEqual([short.trades, short.profit_factor, short.expectancy], [0, 0, 0]);
  assert.equal(return_on_margin, null);
  assert.deepEqual([exposure_long, exposure_short], [0.5, 0]);
  const { long: both } = measure([trade({}), trade({ profitLoss: -3 })]);
  assert.deepEqual([both.profit_factor, both.win_rate, both.net_pnl], [3, 0.5, 6]);
});

test('an account without value has no exposure', () => {
  const equity = new Float64Array(10).fill(1_000);
  const whole = measure([trade({})], equity);
  assert.ok(whole.largest_gross_exposure > 0);
  assert.equal(whole.largest_gross_exposure, whole.largest_net_exposure);
  const { gross_exposure, largest_gross_exposure, largest_net_exposure } = measure([trade({})], equity.fill(0, 2, 4));
  assert.deepEqual([gross_exposure, largest_gross_exposure, largest_net_exposure], [0, 0, 0]);
});

test('exposures are notionals at the closes over the account value, of what the parts have left', () => {
  const flat = { ...bars, close: new Float64Array(10).fill(100) };
  const exits = [{ bar: 4, size: 2 }];
  const trades = [
    trade({ entryBar: 2, exitBar: 6, size: 4, details: { side: 'long', exits } as never }),
    trade({ entryBar: 5, exitBar: 7, details: { side: 'short' } as never }),
  ];
  const { long, short, ...figures } = measureSides({ trades, equity: new Float64Array(10).fill(1_000) }, flat, 0);
  assert.deepEqual([long.trades, short.trades], [1, 1]);
  const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value?.toFixed(9))]);
  assert.deepEqual(Object.fromEntries(rounded), {
    ...{ exposure_long: 0.4, exposure_short: 0.2, return_on_margin: Number.NaN, liquidations: 0 },
    ...{ gross_exposure: 0.14, largest_gross_exposure: 0.4, net_exposure: 0.1, largest_net_exposure: 0.4 },
  });
});
