import assert from 'node:assert/strict';
import test from 'node:test';
import type { ExitReason, Trade } from '../../../../engine/execution/index.js';
import {
  computeExtendedMetrics,
  type ExtendedMetricName,
  type ExtendedMetrics,
  extendedMetricTable,
  extendedMetricUnits,
  metricTable,
  rollingSharpe,
  sharpeWindow,
  tradeExcursions,
} from '../../../../engine/metrics/index.js';
import { groupExits, measureTradeRisk } from '../../../../engine/metrics/trade-risk.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '../../../../engine/series/index.js';
import { assertClose, barsOf, configOf, type PriceRow } from '../../../support/execution.js';

const periodForms = ['value_at_risk_95', 'conditional_value_at_risk_95', 'volatility_annualized', 'sharpe_ratio'];

const names = [
  ...periodForms.map((name) => `${name}_daily`),
  'sortino_ratio_daily',
  'value_at_risk_95_normal_daily',
  'omega_ratio_daily',
  'tail_ratio_daily',
  'skewness_daily',
  'excess_kurtosis_daily',
  'alpha_compounded',
  'alpha_t',
  'beta_daily',
  ...periodForms.map((name) => `${name}_monthly`),
  'buy_and_hold_return',
  'alpha',
  'beta',
  'time_in_market',
  'turnover',
  'turnover_per_year',
  'volatility_annualized',
  'omega_ratio',
  'ulcer_index',
  'value_at_risk_95',
  'conditional_value_at_risk_95',
  'skewness',
  'excess_kurtosis',
  'tail_ratio',
  'gain_to_pain_monthly',
  'recovery_factor',
  'rolling_sharpe_window',
  'rolling_sharpe_min',
  'rolling_sharpe_max',
  'rolling_sharpe_last',
  'system_quality_number',
  'kelly_fraction',
  'payoff_ratio',
  'avg_mae',
  'worst_mae',
  'avg_mfe',
  'best_mfe',
  'worst_mae_full_bars',
  'best_mfe_full_bars',
  'exits_by_reason',
  'fees_paid',
  'slippage_paid',
];

const tradeNames: readonly ExtendedMetricName[] = [
  'system_quality_number',
  'kelly_fraction',
  'payoff_ratio',
  'avg_mae',
  'worst_mae',
  'avg_mfe',
  'best_mfe',
  'worst_mae_full_bars',
  'best_mfe_full_bars',
];

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

test('the table lists every extended metric once, with its unit, description and source', () => {
  assert.deepEqual(Object.keys(extendedMetricTable), names);
  assert.deepEqual(Object.keys(measure({ equity: flatEquity(3) })), names);
  for (const [name, { unit, description, source }] of Object.entries(extendedMetricTable)) {
    assert.ok(unit.length > 0 && description.length > 0 && source.length > 0, name);
    assert.ok(!(name in metricTable), `${name} would hide a basic metric`);
  }
});

test('a run without tradable bars has no metrics except sums of nothing', () => {
  const values = measure({ equity: [] });
  assertJsonSafe(values);
  const { fees_paid, slippage_paid, exits_by_reason, ...rest } = values;
  assert.deepEqual([fees_paid, slippage_paid], [0, 0]);
  for (const exits of Object.values(exits_by_reason)) assert.deepEqual(exits, { count: 0, mean_profit_loss: null });
  for (const [name, value] of Object.entries(rest)) assert.equal(value, null, name);
});

test('one bar has a return and tails, but no deviation and no window', () => {
  const values = measure({ equity: [9_900], rows: [[100, 101, 99, 98]] });
  assertJsonSafe(values);
  assertValues(values, {
    buy_and_hold_return: -0.02,
    beta: null,
    alpha: null,
    volatility_annualized: null,
    omega_ratio: 0,
    ulcer_index: 0.01,
    value_at_risk_95: 0.01,
    conditional_value_at_risk_95: 0.01,
    skewness: null,
    excess_kurtosis: null,
    tail_ratio: 1,
    gain_to_pain_monthly: -1,
    recovery_factor: -1,
    rolling_sharpe_window: null,
    rolling_sharpe_min: null,
    rolling_sharpe_max: null,
    rolling_sharpe_last: null,
  });
});

test('a flat account has no risk, and no ratio to risk', () => {
  const rows: PriceRow[] = [
    [100, 110, 100, 110],
    [110, 110, 99, 99],
    [99, 101, 99, 101],
  ];
  assertValues(measure({ equity: flatEquity(3), rows }), {
    buy_and_hold_return: 0.01,
    alpha: 0,
    beta: 0,
    time_in_market: 0,
    turnover: 0,
    turnover_per_year: 0,
    volatility_annualized: 0,
    omega_ratio: null,
    ulcer_index: 0,
    value_at_risk_95: 0,
    conditional_value_at_risk_95: 0,
    skewness: null,
    excess_kurtosis: null,
    tail_ratio: null,
    gain_to_pain_monthly: null,
    recovery_factor: null,
    rolling_sharpe_min: 0,
    rolling_sharpe_max: 0,
    rolling_sharpe_last: 0,
  });
});

test('an asset that does not move explains nothing', () => {
  assertValues(measure({ equity: [10_100, 9_900, 10_000] }), { alpha: null, beta: null, buy_and_hold_return: 0 });
});

/** 40 values that grow by 1 % each, so that returns differ only by rounding. */
const steady = (start: number): number[] => Array.from({ length: 40 }, (_, k) => start * 1.01 ** (k + 1));

test('rounding is no deviation, and the smallest move beyond it is one', () => {
  const rows = steady(100).map((close, k): PriceRow => [k === 0 ? 100 : close, close, 99, close]);
  assertValues(measure({ equity: steady(10_000), rows }), {
    alpha: null,
    beta: null,
    skewness: null,
    excess_kurtosis: null,
    rolling_sharpe_min: 0,
    rolling_sharpe_max: 0,
  });
  const still = [0, 1, -1, 2].map((change): PriceRow => [100, 101, 99, 100 * (1 + change * 1e-10)]);
  const { beta } = measure({ equity: still.map(([, , , close]) => 100 * close), rows: still });
  assert.ok(Math.abs((beta as number) - 1) < 1e-4);
});

test('two bars are enough for a volatility', () => {
  // returns 0.02 and 0.01: sample deviation 0.005 * sqrt 2
  assertValues(measure({ equity: [10_200, 10_302] }), {
    volatility_annualized: 0.005 * Math.SQRT2 * Math.sqrt(8_760),
  });
});

test('an account that holds the asset has beta 1 and no alpha, its first bar measured from the open', () => {
  const rows: PriceRow[] = [
    [100, 110, 100, 110],
    [100, 110, 99, 99], // the open after a gap belongs to no return
    [99, 120, 99, 120],
  ];
  const values = measure({ equity: [11_000, 9_900, 12_000], rows });
  assertValues(values, { beta: 1, alpha: 0, buy_and_hold_return: 0.2 });
});

test('gains alone leave value at risk at 0 and Omega without a divisor', () => {
  const values = measure({ equity: [10_100, 10_300, 10_400] });
  assertValues(values, {
    omega_ratio: null,
    value_at_risk_95: 0,
    conditional_value_at_risk_95: 0,
    ulcer_index: 0,
    recovery_factor: null,
    gain_to_pain_monthly: null,
  });
});

test('losses alone have Omega 0, and ratios of -1 for recovery and gain to pain', () => {
  const values = measure({ equity: [9_000, 8_100] });
  assertValues(values, {
    omega_ratio: 0,
    value_at_risk_95: 0.1,
    conditional_value_at_risk_95: 0.1,
    ulcer_index: Math.sqrt((0.01 + 0.19 ** 2) / 2),
    recovery_factor: -1,
    gain_to_pain_monthly: -1,
    tail_ratio: 1,
  });
});

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

test('the worst twentieth counts the bar on its edge in part', () => {
  // 30 returns: 1.5 bars are the worst 5 %
  const equity = [9_000, 9_000 * 0.95];
  while (equity.length < 30) equity.push(equity[equity.length - 1] * 1.001);
  const values = measure({ equity });
  assertClose(values.conditional_value_at_risk_95 as number, (0.1 + 0.5 * 0.05) / 1.5, 'shortfall');
  // rank 0.05 x 29 = 1.45
  assertClose(values.value_at_risk_95 as number, 0.05 * 0.55 - 0.001 * 0.45, 'value at risk');
});

test('time in market counts bars, and turnover counts both fills', () => {
  const values = measure({ equity: flatEquity(4), trades: [trade(10), trade(-20)], exposedBars: 1 });
  assertValues(values, {
    time_in_market: 0.25,
    turnover: (100 + 110 + 100 + 80) / 10_000,
    turnover_per_year: 0.039 * (8_760 / 4),
    fees_paid: 6,
    slippage_paid: 10,
  });
});

test('without trades the trade metrics are null', () => {
  const values = measure({ equity: flatEquity(3) });
  for (const name of tradeNames) assert.equal(values[name], null, name);
});

test('one trade has excursions and a result, but no spread', () => {
  const rows: PriceRow[] = [
    [100, 103, 98, 101],
    [102, 150, 50, 90],
  ];
  const values = measure({ equity: flatEquity(2), rows, trades: [trade(2)] });
  assertValues(values, {
    system_quality_number: null,
    kelly_fraction: null,
    payoff_ratio: null,
    avg_mae: 0.02,
    worst_mae: 0.02,
    avg_mfe: 0.03,
    best_mfe: 0.03,
  });
  assert.deepEqual(values.exits_by_reason.SIGNAL, { count: 1, mean_profit_loss: 2 });
});

test('wins alone or losses alone have no odds', () => {
  for (const results of [
    [1, 2],
    [-1, -2],
    [1, 0], // the other trades lost nothing
    [0, 0],
  ]) {
    const values = measure({ equity: flatEquity(2), trades: results.map((result) => trade(result)) });
    assertValues(values, { kelly_fraction: null, payoff_ratio: null });
    assertJsonSafe(values);
  }
});

test('Kelly 1956: a bet at even odds that is won 6 times of 10 stakes a fifth', () => {
  const trades = [10, 10, 10, -10, -10, 10, 10, -10, 10, -10].map((result) => trade(result));
  const values = measure({ equity: flatEquity(2), trades });
  assertValues(values, { payoff_ratio: 1, kelly_fraction: 0.2 });
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

test('exits are counted and averaged by reason', () => {
  const trades = [
    trade(-10, { exitReason: 'SL' }),
    trade(-6, { exitReason: 'SL' }),
    trade(20, { exitReason: 'TP' }),
    trade(1, { exitReason: 'END' }),
  ];
  assert.deepEqual(measure({ equity: flatEquity(2), trades }).exits_by_reason, {
    SL: { count: 2, mean_profit_loss: -8 },
    TP: { count: 1, mean_profit_loss: 20 },
    SIGNAL: { count: 0, mean_profit_loss: null },
    MAX_HOLD: { count: 0, mean_profit_loss: null },
    LOSS_TIMEOUT: { count: 0, mean_profit_loss: null },
    PROFIT_TIMEOUT: { count: 0, mean_profit_loss: null },
    END: { count: 1, mean_profit_loss: 1 },
  });
});

test('months are calendar months, each against the last value of the previous one', () => {
  // weekly bars from 2024-01-01: five in January, four in February, the last one in March
  const equity = [10_100, 10_200, 10_050, 10_000, 11_000, 10_000, 9_900, 9_950, 9_900, 10_890];
  const values = measure({ equity, intervalMs: WEEK_MS });
  assertClose(values.gain_to_pain_monthly as number, (0.1 - 0.1 + 0.1) / 0.1, 'gain to pain');
});

test('the recovery factor divides amounts, and takes the drawdown that is largest in money', () => {
  // 20 % from 10 000, later 15 % from 20 000: the later one costs more
  const values = measure({ equity: [8_000, 20_000, 17_000, 19_000] });
  assert.equal(values.recovery_factor, 3);
});

/** Excursions of one trade bought at 100 on the first bar, stop 90, target 120. */
function excursionsOf(exitReason: ExitReason, rows: readonly PriceRow[], entryPrice = 100): [number, number] {
  const closed = trade(0, { exitBar: rows.length - 1, exitReason, entryPrice });
  const { mae, mfe } = tradeExcursions(barsOf(rows), [closed]);
  return [mae[0], mfe[0]];
}

const held: PriceRow = [100, 104, 97, 101];
const near = ([mae, mfe]: [number, number], expected: [number, number]): void => {
  assertClose(mae, expected[0], 'mae');
  assertClose(mfe, expected[1], 'mfe');
};

test('a bar sold at its open contributes its open only', () => {
  near(excursionsOf('SIGNAL', [held, [101, 130, 60, 99]]), [0.03, 0.04]);
  near(excursionsOf('MAX_HOLD', [held, [95, 130, 60, 99]]), [0.05, 0.04]);
  near(excursionsOf('LOSS_TIMEOUT', [held, [95, 95, 95, 95]]), [0.05, 0.04]);
  near(excursionsOf('PROFIT_TIMEOUT', [held, [107, 130, 60, 99]]), [0.03, 0.07]);
});

test('a stopped bar contributes its open and the stop, not later prices', () => {
  near(excursionsOf('SL', [held, [101, 119, 80, 85]]), [0.1, 0.04]);
  near(excursionsOf('SL', [[100, 119, 80, 85]]), [0.1, 0]);
  near(excursionsOf('SL', [held, [85, 119, 80, 85]]), [0.15, 0.04]); // gap: sold at the open
});

test('a bar sold at its target contributes its low and the target', () => {
  near(excursionsOf('TP', [held, [101, 140, 95, 130]]), [0.05, 0.2]);
  near(excursionsOf('TP', [[100, 140, 95, 130]]), [0.05, 0.2]);
  near(excursionsOf('TP', [held, [125, 140, 95, 130]]), [0.03, 0.25]); // gap: sold at the open
  near(excursionsOf('TP', [held, [120, 140, 95, 130]]), [0.03, 0.2]);
});

test('the last bar of the data is held to its close', () => {
  near(excursionsOf('END', [held, [101, 110, 92, 100]]), [0.08, 0.1]);
  near(excursionsOf('END', [[100, 110, 92, 100]]), [0.08, 0.1]);
});

test('the forms over full bars count the exit bar from its low to its high, for every exit', () => {
  for (const exitReason of ['SL', 'TP', 'SIGNAL', 'END'] as const) {
    const closed = trade(0, { exitBar: 1, exitReason });
    const { maeFullBars, mfeFullBars } = tradeExcursions(barsOf([held, [101, 130, 60, 99]]), [closed]);
    near([maeFullBars[0], mfeFullBars[0]], [0.4, 0.3]);
  }
});

test('daily metrics are annualized by the days on which the market trades', () => {
  const equity = Array.from({ length: 60 }, (_, k) => 10_000 + 50 * k + 400 * ((k * k) % 7));
  const rows = equity.map((_, k): PriceRow => [100 + (k % 5), 106, 99, 100 + ((k + 1) % 5)]);
  const of = (trading_days_per_year: number) =>
    computeExtendedMetrics({
      ...{ bars: barsOf(rows, DAY_MS), first: 0, equity: Float64Array.from(equity), trades: [], exposedBars: 0 },
      config: configOf({ trading_days_per_year }, DAY_MS),
    });
  const [crypto, shares] = [of(365), of(252)];
  for (const name of ['volatility_annualized_daily', 'sharpe_ratio_daily', 'sortino_ratio_daily'] as const) {
    assertClose(shares[name]! / crypto[name]!, Math.sqrt(252 / 365), name);
  }
  assertClose(Math.log1p(shares.alpha_compounded!) / Math.log1p(crypto.alpha_compounded!), 252 / 365, 'alpha');
});

test('hourly returns understate what a day loses: the daily forms say their period', () => {
  // every day falls by 1 % in its first hour but stands still in the others
  const equity = Array.from({ length: 240 }, (_, k) => 10_000 * 0.99 ** (1 + Math.floor(k / 24)));
  const values = measure({ equity });
  assertValues(values, { value_at_risk_95: 0, value_at_risk_95_daily: 0.01, value_at_risk_95_monthly: 1 - 0.99 ** 10 });
  assert.deepEqual(extendedMetricUnits.value_at_risk_95, { unit: 'fraction', period: 'bar' });
  assert.deepEqual(extendedMetricUnits.value_at_risk_95_daily, { unit: 'fraction', period: 'day' });
  assert.deepEqual(extendedMetricUnits.volatility_annualized_monthly, { unit: 'fraction per year', period: 'month' });
  assert.deepEqual(Object.keys(extendedMetricUnits), names);
});

test('a trade that was never under or over water has no excursion there', () => {
  near(excursionsOf('SIGNAL', [[100, 104, 100, 103], flatRow]), [0, 0.04]);
  // Slippage of the entry counts.
  near(excursionsOf('SIGNAL', [held, flatRow], 110), [1 - 97 / 110, 0]);
  near(excursionsOf('SIGNAL', [held, flatRow], 96), [0, 104 / 96 - 1]);
  for (const column of Object.values(tradeExcursions(barsOf([flatRow]), []))) assert.equal(column.length, 0);
});

test('the default window is 30 days of bars, or a quarter of a shorter run', () => {
  assert.equal(sharpeWindow(1_000_000, HOUR_MS), 720);
  assert.equal(sharpeWindow(2_880, HOUR_MS), 720);
  assert.equal(sharpeWindow(2_879, HOUR_MS), 719);
  assert.equal(sharpeWindow(1_000_000, 5 * MINUTE_MS), 8_640);
  assert.equal(sharpeWindow(1_000, DAY_MS), 30);
  assert.equal(sharpeWindow(1_000, WEEK_MS), 4);
  assert.equal(sharpeWindow(3, DAY_MS), 2);
  assert.equal(measure({ equity: flatEquity(40) }).rolling_sharpe_window, 10);
});

test('the rolling Sharpe ratio starts at the first full window and is never NaN', () => {
  const equity = Float64Array.of(10_100, 10_100, 10_100, 10_201);
  const ratio = (0.005 / Math.sqrt(2 * 0.005 ** 2)) * 10;
  const column = rollingSharpe(equity, 10_000, 2, 100);
  assert.equal(column.length, 3);
  assertClose(column[0], ratio, 'first window');
  assert.equal(column[1], 0, 'a flat window');
  assertClose(column[2], ratio, 'last window');
  assert.equal(rollingSharpe(equity, 10_000, 5, 100).length, 0);
  assert.equal(rollingSharpe(new Float64Array(0), 10_000, 2, 100).length, 0);
});

test('a return of any size leaves no trace once its window has passed', () => {
  const equity = new Float64Array(60).fill(10_000);
  for (let k = 20; k < 60; k++) equity[k] = 1e22;
  const column = rollingSharpe(equity, 10_000, 10, 100);
  for (let k = 21; k < column.length; k++) assert.equal(column[k], 0, `window ${k}`);
});

test('a window is a whole number of at least 2 bars', () => {
  for (const window of [1, 0, -3, 2.5, Number.NaN]) {
    assert.throws(() => rollingSharpe(new Float64Array(9), 1, window, 1), {
      name: 'RangeError',
      message: `window must be a whole number of at least 2 bars, was ${window}`,
    });
  }
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
