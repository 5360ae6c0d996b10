import assert from 'node:assert/strict';
import test from 'node:test';
import type { Trade } from '../../../../engine/execution/index.js';
import {
  computeExtendedMetrics,
  type ExtendedMetricName,
  type ExtendedMetrics,
  extendedMetricTable,
  extendedMetricUnits,
  rollingSharpe,
  tradeExcursions,
} from '../../../../engine/metrics/index.js';
import { groupExits, measureTradeRisk } from '../../../../engine/metrics/trade-risk.js';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { assertClose, barsOf, configOf, type PriceRow } from '../../../support/execution.js';

const flatRow: PriceRow = [100, 100, 100, 100];

/** Bought at 100 with a stop at 90, held for one bar, sold by rule. */
const trade = (profitLoss: number, change: Partial<Trade> = {}): Trade => ({
  entryBar: 0,
  exitBar: 1,
  entryPrice: 100,
  exitPrice: 100 + profitLoss,
  size: 1,
  stopPrice: 90,
  targetPrice: 120,
  profitLoss,
  profitLossPct: profitLoss / 100,
  entryFee: 1,
  exitFee: 2,
  slippageCost: 5,
  fundingPaid: 0,
  beginningBalance: 0,
  endingBalance: 0,
  barsHeld: 1,
  exitReason: 'SIGNAL',
  ...change,
});

interface Run {
  readonly equity: readonly number[];
  readonly rows?: readonly PriceRow[];
  readonly trades?: readonly Trade[];
  readonly exposedBars?: number;
  readonly intervalMs?: number;
}

function measure({ equity, rows, trades = [], exposedBars = 0, intervalMs = HOUR_MS }: Run): ExtendedMetrics {
  return computeExtendedMetrics({
    bars: barsOf(rows ?? equity.map(() => flatRow), intervalMs),
    first: 0,
    equity: Float64Array.from(equity),
    trades,
    exposedBars,
    config: configOf({}),
  });
}

const flatEquity = (barCount: number): number[] => new Array<number>(barCount).fill(10_000);

function assertValues(values: ExtendedMetrics, expected: Partial<Record<ExtendedMetricName, number | null>>): void {
  for (const [name, value] of Object.entries(expected)) {
    const actual = values[name as ExtendedMetricName] as number;
    if (value === null) assert.equal(actual, null, name);
    else assertClose(actual, value, name);
  }
}

function assertJsonSafe(values: ExtendedMetrics): void {
  assert.deepEqual(JSON.parse(JSON.stringify(values)), values);
}

test('an account that loses everything stays JSON-safe', () => {
  for (const equity of [
    [5_000, 0, 0],
    [0, 0, 0],
    [1e-300, 0, 1e-300],
    [1e-300, 1e300, 1e-300], // growth beyond the largest double
  ]) {
    assertJsonSafe(measure({ equity, trades: [trade(-100)] }));
  }
  assertValues(measure({ equity: [0, 0, 0], trades: [trade(-1)] }), {
    turnover: null,
    turnover_per_year: null,
    ulcer_index: 1,
    recovery_factor: -1,
  });
});

test('the system quality number measures results in units of the risk taken', () => {
  // 1R, -1R, 2R at a risk of 10 and of 20: mean 2/3, sample deviation sqrt(7/3)
  const trades = [trade(10), trade(-20, { size: 2 }), trade(20)];
  const values = measure({ equity: flatEquity(2), trades });
  assertClose(values.system_quality_number as number, (Math.sqrt(3) * (2 / 3)) / Math.sqrt(7 / 3), 'SQN');
  // 0.7 R each, but for rounding.
  const alike = [trade(0.7, { size: 0.1 }), trade(2.1, { size: 0.3 })];
  for (const equal of [[trade(3), trade(3)], alike]) {
    assert.equal(measure({ equity: flatEquity(2), trades: equal }).system_quality_number, null);
  }
});

test('hourly returns understate what a day loses: the daily forms say their period', () => {
  // every day falls by 1 % in its first hour but stands still in the others
  const equity = Array.from({ length: 240 }, (_, k) => 10_000 * 0.99 ** (1 + Math.floor(k / 24)));
  const values = measure({ equity });
  assertValues(values, { value_at_risk_95: 0, value_at_risk_95_daily: 0.01, value_at_risk_95_monthly: 1 - 0.99 ** 10 });
  assert.deepEqual(extendedMetricUnits.value_at_risk_95, { unit: 'fraction', period: 'bar' });
  assert.deepEqual(extendedMetricUnits.value_at_risk_95_daily, { unit: 'fraction', period: 'day' });
  assert.deepEqual(extendedMetricUnits.volatility_annualized_monthly, { unit: 'fraction per year', period: 'month' });
  assert.deepEqual(Object.keys(extendedMetricUnits), Object.keys(extendedMetricTable));
});

test('excursions of a short are those of a long seen in a mirror, up to its liquidation', () => {
  const bars = barsOf([
    [100, 103, 98, 101],
    [101, 106, 99, 100],
  ]);
  const short = (details: object, exitReason: string) =>
    ({
      ...{ entryBar: 0, exitBar: 1, entryPrice: 100, targetPrice: 90, stopPrice: 105, exitReason },
      details: { side: 'short', ...details },
    }) as unknown as Trade;
  const { mae, mfe, maeFullBars } = tradeExcursions(bars, [
    short({ margin: { liquidationPrice: 104 } }, 'LIQUIDATION'),
    short({}, 'LIQUIDATION'),
    short({}, 'TRAIL'),
    short({}, 'END'),
  ]);
  for (const [k, loss] of [0.04, 0.03, 0.05, 0.06].entries()) {
    assertClose(mae[k] ?? NaN, loss, `mae ${k}`);
    assertClose(mfe[k] ?? NaN, 0.02, `mfe ${k}`);
    assertClose(maeFullBars[k] ?? NaN, 0.06, `mae of full bars ${k}`);
  }
  const exits = groupExits([{ exitReason: 'TRAIL', profitLoss: 2 } as Trade]);
  assert.deepEqual(exits.TRAIL, { count: 1, mean_profit_loss: 2 });
  const trade = { profitLoss: 10, size: 2, entryPrice: 100, exitPrice: 105, stopPrice: 100 };
  const moved = { ...trade, details: { initialStopPrice: 95 } } as unknown as Trade;
  assertClose(measureTradeRisk([moved]).riskMultipleMean, 1, 'the risk is that of the first stop');
});

test('a run without tradable bars has no metrics except sums of nothing', () => {
  const values = measure({ equity: [] });
  assertJsonSafe(values);
  const { fees_paid, slippage_paid, exits_by_reason, ...rest } = values;
  assert.deepEqual([fees_paid, slippage_paid], [0, 0]);
  for (const exits of Object.values(exits_by_reason)) assert.deepEqual(exits, { count: 0, mean_profit_loss: null });
  for (const [name, value] of Object.entries(rest)) assert.equal(value, null, name);
});

test('a window is a whole number of at least 2 bars', () => {
  for (const window of [1, 0, -3, 2.5, Number.NaN]) {
    assert.throws(() => rollingSharpe(new Float64Array(9), 1, window, 1), {
      name: 'RangeError',
      message: `window must be a whole number of at least 2 bars, was ${window}`,
    });
  }
});

test('a return of any size leaves no trace once its window has passed', () => {
  const equity = new Float64Array(60).fill(10_000);
  for (let k = 20; k < 60; k++) equity[k] = 1e22;
  const column = rollingSharpe(equity, 10_000, 10, 100);
  for (let k = 21; k < column.length; k++) assert.equal(column[k], 0, `window ${k}`);
});
