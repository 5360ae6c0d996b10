import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedDefaults, resolveConfig } from '../../../../engine/execution/index.js';
import { moneyWeightedReturn, simulateAllocation } from '../../../../engine/portfolio/index.js';
import { allocateBars, DAY_MS } from '../../../../engine/series/index.js';

/** Daily bars whose open and close are the price of the day. */
function barsAt(prices: readonly number[]) {
  const bars = allocateBars(prices.length, DAY_MS);
  for (const [i, price] of prices.entries()) {
    bars.time[i] = i * DAY_MS;
    for (const column of [bars.open, bars.high, bars.low, bars.close]) column[i] = price;
    bars.volume[i] = 1;
  }
  return bars;
}

function run(prices: readonly number[], amount: number | null, reserve = 0) {
  const { config } = resolveConfig({
    request: { initial_balance: 1000, fee_pct: 0, slippage_pct: 0 },
    interval: DAY_MS,
  });
  return simulateAllocation({
    assets: [{ bars: barsAt(prices), rank: null, where: null }],
    rule: {
      top: null,
      weighting: 'equal',
      weights: null,
      reserve,
      volatilityWindow: publishedDefaults.volatility_window,
    },
    guards: { max_drawdown: null, daily_loss: null, group_stop: null, pause_bars: 24 },
    ...{ every: '1d', band: 0, start: 0, config },
    contributions: amount === null ? null : { every: '1d', amount },
  });
}
const near = (given: ArrayLike<number>, wanted: readonly number[]): void => {
  for (const [i, value] of wanted.entries()) assert.ok(Math.abs((given[i] ?? NaN) - value) < 1e-6, `${i}: ${given[i]}`);
};

test('a deposit is invested with the rest and moves no time-weighted return', () => {
  // Bought at 100 on day 1 with 1000 and the first deposit, then each day's deposit at that day's price.
  const { values, equity, flows, cash } = run([100, 100, 200, 100], 500);
  assert.deepEqual(
    flows.map(({ time, amount }) => [time, amount]),
    [
      [1, 500],
      [2, 500],
      [3, 500],
    ],
  );
  near(values, [1000, 1500, 3500, 2250]);
  // 1, 1, 3500 / 2000, 2250 / 4000.
  near(equity, [1000, 1000, 1750, 984.375]);
  assert.equal(cash[3], values[3]);
});

test('a withdrawal takes at most the cash, and an emptied account keeps its return', () => {
  const { values, flows } = run([100, 100, 100], -300, 0.2);
  near(
    flows.map(({ amount }) => amount),
    [-300, -140],
  );
  near(values, [1000, 700, 560]);
  const emptied = run([100, 100, 100], -2000);
  near(
    emptied.flows.map(({ amount }) => amount),
    [-1000, 0],
  );
  near(emptied.values, [1000, 0, 0]);
  near(emptied.equity, [1000, 1000, 1000]);
});

test('the money-weighted return is the rate at which all payments grow to the last value', () => {
  const rate = moneyWeightedReturn(
    [
      { years: 0, amount: 1000 },
      { years: 1, amount: 500 },
    ],
    { years: 2, amount: 1000 * 1.1 ** 2 + 500 * 1.1 },
  );
  assert.ok(Math.abs((rate ?? NaN) - 0.1) < 1e-9);
  assert.equal(moneyWeightedReturn([{ years: 0, amount: 1000 }], { years: 1, amount: 0 }), null);
});
