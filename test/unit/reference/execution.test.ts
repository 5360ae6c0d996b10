// Worked examples whose figures a separate script printed to ten decimals.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  REFERENCE_DEFAULTS,
  type RefBar,
  type RefResult,
  referenceAtr,
  referenceEffectiveAtr,
  referenceMetrics,
  referenceSimulate,
  referenceSize,
  referenceVolatility,
  referenceVolatilityScale,
} from '../../reference/execution.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2024, 0, 1);

function close(actual: number | null | undefined, expected: number, what: string): void {
  assert.ok(typeof actual === 'number', `${what} is ${actual}`);
  const tolerance = 1e-9 * Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} instead of ${expected}`);
}

type Prices = [open: number, high: number, low: number, close: number];

const hourly = (rows: Prices[]): RefBar[] => rows.map(([o, h, l, c], i) => ({ t: START + i * HOUR, o, h, l, c, v: 1 }));

const flags = (length: number, at: number[]): boolean[] => Array.from({ length }, (_, i) => at.includes(i));

const EXAMPLE_CONFIG = {
  initial_balance: 10000,
  atr_period: 3,
  atr_volatility_factor: 2,
  reward_factor: 2,
  atr_short_weight: 1,
  atr_long_weight: 0,
  atr_cap_multiplier: null,
  max_risk_per_trade: 0.01,
  position_size_calc: 'v2',
  min_balance_threshold: 0.1,
  slippage_pct: 0,
  fee_pct: 0,
};

function run(rows: Prices[], entryAt: number[], config: Record<string, unknown>): RefResult {
  return referenceSimulate({
    intervalMs: HOUR,
    bars: hourly(rows),
    first: 0,
    entry: flags(rows.length, entryAt),
    exit: flags(rows.length, []),
    config: { ...EXAMPLE_CONFIG, ...config },
  });
}

function checkAtr(rows: Prices[], expected: (number | null)[]): void {
  expected.forEach((value, i) => {
    const actual = referenceAtr(hourly(rows).slice(0, i + 1), 3);
    if (value === null) assert.equal(actual, null, `ATR ${i}`);
    else close(actual, value, `ATR ${i}`);
  });
}

function checkEquity(result: RefResult, expected: number[]): void {
  assert.equal(result.equity.length, expected.length);
  expected.forEach((value, i) => {
    close(result.equity[i], value, `account value at bar ${i}`);
  });
}

function checkTrade(result: RefResult, index: number, expected: Record<string, number | string>): void {
  const trade = result.trades[index] as unknown as Record<string, number | string>;
  for (const [key, value] of Object.entries(expected)) {
    if (typeof value === 'string') assert.equal(trade[key], value, key);
    else close(trade[key] as number, value, `trade ${index + 1} ${key}`);
  }
}

const LEAD_IN: Prices[] = [
  [50, 50.6, 49.5, 50.2],
  [50.2, 50.9, 49.8, 50.4],
  [50.4, 51.2, 50.1, 50.9],
  [50.9, 51.5, 50.2, 51.1],
];

const W1: Prices[] = [
  ...LEAD_IN,
  [51.2, 51.6, 50.5, 50.8],
  [50.8, 51, 48.9, 49.4],
  [48.6, 49.2, 47.5, 48],
  [48, 48.9, 47.7, 48.5],
];
const W1_COSTS = { slippage_pct: 0.002, fee_pct: 0.001 };

describe('reference execution: worked examples', () => {
  it('stops out by ATR, with costs', () => {
    const result = run(W1, [3], W1_COSTS);
    checkAtr(W1, [null, null, 1.1, 1.1666666667, 1.1444444444, 1.462962963, 1.6086419753, 1.4724279835]);
    checkEquity(
      result,
      [10000, 10000, 10000, 10000, 9976.2698971429, 9891.5095002057, 9891.5095002057, 9891.5095002057],
    );
    assert.equal(result.trades.length, 1);
    checkTrade(result, 0, {
      outcome: 'loss',
      profit_loss: -108.4904997943,
      profit_loss_pct: -0.0493435979,
      entry_price: 51.3024,
      exit_price: 48.8711285333,
      position_size: 42.8571428571,
      exit_reason: 'SL',
      beginning_balance: 10000,
      ending_balance: 9891.5095002057,
      stop_loss_price: 48.9690666667,
      take_profit_price: 55.9690666667,
      entry_fee: 2.1986742857,
      exit_fee: 2.0944769371,
      fees: 4.2931512229,
      slippage_cost: 8.58592,
      bars_held: 2,
      entry_bar_index: 4,
      exit_bar_index: 5,
    });
    assert.deepEqual(result.denied_entries, []);
  });

  it('takes the profit, without costs', () => {
    const rows: Prices[] = [
      ...LEAD_IN,
      [51.2, 52.4, 50.9, 52.1],
      [52.1, 54, 51.8, 53.7],
      [53.7, 57.3, 53.5, 56.9],
      [56.9, 57.4, 56, 56.4],
    ];
    const result = run(rows, [3], {});
    checkAtr(rows, [null, null, 1.1, 1.1666666667, 1.2777777778, 1.5851851852, 2.3234567901, 2.0156378601]);
    checkEquity(result, [10000, 10000, 10000, 10000, 10038.5714285714, 10107.1428571429, 10200, 10200]);
    assert.equal(result.trades.length, 1);
    checkTrade(result, 0, {
      entry_bar_index: 4,
      exit_bar_index: 6,
      entry_price: 51.2,
      position_size: 42.8571428571,
      stop_loss_price: 48.8666666667,
      take_profit_price: 55.8666666667,
      exit_price: 55.8666666667,
      fees: 0,
      profit_loss: 200,
      profit_loss_pct: 0.0911458333,
      bars_held: 3,
      exit_reason: 'TP',
      outcome: 'win',
    });
  });

  it('fills a gap through the stop at the open', () => {
    const rows: Prices[] = [
      ...LEAD_IN,
      [51.2, 51.6, 50.5, 50.8],
      [46.9, 47.6, 46, 47.1],
      [47.1, 47.9, 46.8, 47.5],
      [47.5, 48, 47, 47.7],
    ];
    const result = run(rows, [3], W1_COSTS);
    checkAtr(rows, [null, null, 1.1, 1.1666666667, 1.1444444444, 2.362962963, 1.9419753086, 1.6279835391]);
    checkEquity(result, [10000, 10000, 10000, 10000, 9976.2698971429, 9803.10106, 9803.10106, 9803.10106]);
    assert.equal(result.trades.length, 1);
    checkTrade(result, 0, {
      exit_price: 46.8062,
      entry_fee: 2.1986742857,
      exit_fee: 2.00598,
      profit_loss: -196.89894,
      profit_loss_pct: -0.0895534829,
      bars_held: 2,
      exit_reason: 'SL',
    });
  });

  it('lets the stop win when one bar touches both levels', () => {
    const rows: Prices[] = [
      ...LEAD_IN,
      [51.2, 51.6, 50.5, 50.8],
      [50.8, 57, 47.9, 56.2],
      [56.2, 56.8, 55, 55.5],
      [55.5, 56, 54.9, 55.1],
    ];
    const result = run(rows, [3], {});
    checkAtr(rows, [null, null, 1.1, 1.1666666667, 1.1444444444, 3.7962962963, 3.1308641975, 2.453909465]);
    checkEquity(result, [10000, 10000, 10000, 10000, 9982.8571428571, 9900, 9900, 9900]);
    assert.equal(result.trades.length, 1);
    checkTrade(result, 0, {
      exit_price: 48.8666666667,
      profit_loss: -100,
      profit_loss_pct: -0.0455729167,
      bars_held: 2,
      exit_reason: 'SL',
    });
  });

  it('leaves by holding time, profit and loss timeouts', () => {
    // The example gives closes 5-7 and opens 6-8 through its ratios and exit prices; the others
    // stay between the levels.
    const rows: Prices[] = [
      ...LEAD_IN,
      [51.2, 51.9, 50.8, 51.6],
      [51.6, 52.3, 51.3, 52],
      [52, 52.8, 51.7, 52.5],
      [52.4, 52.6, 50.7, 51],
      [51, 51.4, 50.6, 51.1],
      [51.1, 51.5, 50.8, 51.2],
    ];
    const cases: [Record<string, number>, number, number, number, number, string][] = [
      [{ max_hold_bars: 2 }, 6, 52, 34.2857142857, 2, 'MAX_HOLD'],
      [{ exit_on_profit_after_bars: 2, profit_threshold_pct: 0.02 }, 7, 52.4, 51.4285714286, 3, 'PROFIT_TIMEOUT'],
      [{ exit_on_loss_after_bars: 2 }, 8, 51, -8.5714285714, 4, 'LOSS_TIMEOUT'],
    ];
    for (const [config, exitBar, exitPrice, profitLoss, barsHeld, reason] of cases) {
      const result = run(rows, [3], config);
      assert.equal(result.trades.length, 1);
      checkTrade(result, 0, {
        exit_bar_index: exitBar,
        exit_price: exitPrice,
        profit_loss: profitLoss,
        bars_held: barsHeld,
        exit_reason: reason,
      });
    }
  });

  it('cools down after two losses', () => {
    const rows: Prices[] = [
      [50, 50.2, 49.9, 50],
      [50, 50.3, 49.8, 50.1],
      [50.1, 50.2, 49.3, 49.6],
      [49.6, 49.8, 49.4, 49.5],
      [49.5, 49.6, 48.9, 49],
      [49, 49.3, 48.8, 49.1],
      [49.1, 49.4, 48.9, 49.2],
      [49.2, 49.5, 49, 49.3],
      [49.3, 49.6, 49.1, 49.4],
      [49.4, 49.7, 49.2, 49.5],
      [49.5, 49.9, 49.3, 49.7],
      [49.7, 50, 49.5, 49.8],
    ];
    const result = run(rows, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], {
      stop_loss_calculation: 'fixed',
      fixed_stop_pct: 0.01,
      max_open_positions: 1,
      cooldown_config: {
        '1h': { short_loss_limit: 2, short_window_bars: 4, long_loss_limit: 3, long_window_bars: 6 },
      },
    });
    checkAtr(rows, [
      null,
      null,
      0.5666666667,
      0.5111111111,
      0.5740740741,
      0.549382716,
      0.5329218107,
      0.5219478738,
      0.5146319159,
      0.5097546106,
      0.5398364071,
      0.5265576047,
    ]);
    checkEquity(
      result,
      [
        10000, 10018, 9910, 9892.0362903226, 9820.9, 9820.9, 9820.9, 9820.9, 9820.9, 9838.7560728745, 9874.4682186235,
        9892.324291498,
      ],
    );
    assert.deepEqual(result.denied_entries, [
      [2, 'max_positions'],
      [4, 'max_positions'],
      [5, 'cooldown'],
      [6, 'cooldown'],
      [7, 'cooldown'],
      [8, 'cooldown'],
      [10, 'max_positions'],
      [11, 'max_positions'],
    ]);
    assert.equal(result.trades.length, 3);
    checkTrade(result, 0, {
      entry_price: 50,
      position_size: 180,
      stop_loss_price: 49.5,
      take_profit_price: 51,
      exit_price: 49.5,
      profit_loss: -90,
      profit_loss_pct: -0.01,
      bars_held: 2,
      exit_reason: 'SL',
    });
    checkTrade(result, 1, {
      entry_price: 49.6,
      position_size: 179.6370967742,
      stop_loss_price: 49.104,
      take_profit_price: 50.592,
      exit_price: 49.104,
      profit_loss: -89.1,
      profit_loss_pct: -0.01,
      bars_held: 2,
      exit_reason: 'SL',
    });
    checkTrade(result, 2, {
      entry_price: 49.4,
      position_size: 178.5607287449,
      stop_loss_price: 48.906,
      take_profit_price: 50.388,
      exit_price: 49.8,
      profit_loss: 71.424291498,
      profit_loss_pct: 0.008097166,
      bars_held: 3,
      exit_reason: 'END',
    });
  });

  it('pauses below the minimum balance', () => {
    const rows: Prices[] = [
      [20, 20.4, 19.8, 20.1],
      [20, 20.3, 19.7, 20],
      [20, 20.2, 17.5, 18],
      [18, 18.4, 17.8, 18],
      [18, 18.3, 16, 16.5],
      [16.5, 17, 16.2, 16.8],
      [16.8, 17.2, 16.5, 17],
      [17, 17.5, 16.9, 17.4],
    ];
    const result = run(rows, [0, 2, 4, 5], {
      stop_loss_calculation: 'fixed',
      fixed_stop_pct: 0.1,
      max_risk_per_trade: 0.1,
      position_size_calc: 'v1',
      min_balance_threshold: 0.85,
      cooldown_config: {
        '1h': { short_loss_limit: 0, short_window_bars: 0, long_loss_limit: 0, long_window_bars: 0 },
      },
    });
    checkAtr(rows, [null, null, 1.3, 1.0666666667, 1.4777777778, 1.2518518519, 1.0679012346, 0.9119341564]);
    checkEquity(result, [10000, 10000, 9000, 9000, 8100, 8100, 8100, 8100]);
    assert.deepEqual(result.denied_entries, [
      [5, 'min_balance'],
      [6, 'min_balance'],
    ]);
    assert.equal(result.trades.length, 2);
    checkTrade(result, 0, {
      entry_price: 20,
      position_size: 500,
      stop_loss_price: 18,
      take_profit_price: 24,
      exit_price: 18,
      profit_loss: -1000,
      profit_loss_pct: -0.1,
      bars_held: 2,
      exit_reason: 'SL',
    });
    checkTrade(result, 1, {
      entry_price: 18,
      position_size: 500,
      stop_loss_price: 16.2,
      take_profit_price: 21.6,
      exit_price: 16.2,
      profit_loss: -900,
      profit_loss_pct: -0.1,
      bars_held: 2,
      exit_reason: 'SL',
    });
  });

  it('applies the size caps in order', () => {
    const rows: [Record<string, unknown>, number, number, number, number, number, number][] = [
      [{}, 42.8571428571, 42.8571428571, 42.8571428571, 9000, 42.8571428571, 2198.6742857143],
      [{ max_units_per_trade: 30 }, 42.8571428571, 30, 30, 9000, 30, 1539.072],
      [{ max_trade_amount: 1200 }, 42.8571428571, 42.8571428571, 23.3907185629, 9000, 23.3907185629, 1200],
      [
        { max_risk_per_trade: 0.1, position_size_calc: 'v1' },
        428.5714285714,
        428.5714285714,
        428.5714285714,
        10000,
        194.7279267639,
        9990.00999001,
      ],
      [
        { max_risk_per_trade: 0.1 },
        428.5714285714,
        428.5714285714,
        428.5714285714,
        9000,
        175.2551340875,
        8991.008991009,
      ],
      [
        { max_risk_per_trade: 0.1, max_units_per_trade: 180, max_trade_amount: 9500 },
        428.5714285714,
        180,
        180,
        9000,
        175.2551340875,
        8991.008991009,
      ],
      [{ max_risk_per_trade: 0.00001 }, 0.0428571429, 0.0428571429, 0.0428571429, 9000, 0.0428571429, 2.1986742857],
    ];
    rows.forEach(([given, byRisk, afterUnits, afterAmount, spendable, size, notional], i) => {
      const config = { ...REFERENCE_DEFAULTS, ...EXAMPLE_CONFIG, ...W1_COSTS, ...given };
      const fill = 51.2 * 1.002;
      const sizing = referenceSize(10000, 10000, fill, 2 * (3.5 / 3), 1, config);
      close(sizing.byRisk, byRisk, `row ${i} by risk`);
      close(sizing.afterMaxUnits, afterUnits, `row ${i} after max units`);
      close(sizing.afterMaxTradeAmount, afterAmount, `row ${i} after max trade amount`);
      close(sizing.spendable, spendable, `row ${i} spendable`);
      close(sizing.size, size, `row ${i} size`);
      close(sizing.size * fill, notional, `row ${i} notional`);

      const result = run(W1, [3], { ...W1_COSTS, ...given });
      if (i < 6) {
        assert.equal(sizing.denied, null);
        checkTrade(result, 0, { position_size: size });
      } else {
        assert.equal(sizing.denied, 'min_trade_amount');
        assert.deepEqual(result.denied_entries, [[4, 'min_trade_amount']]);
      }
    });
  });

  it('accounts for costs step by step', () => {
    const result = run(W1, [3], W1_COSTS);
    const trade = result.trades[0]!;
    close(trade.position_size * trade.entry_price, 2198.6742857143, 'entry notional');
    close(10000 - trade.position_size * trade.entry_price - trade.entry_fee, 7799.12704, 'cash after entry');
    close(trade.position_size * (trade.exit_price - trade.entry_price), -104.1973485714, 'gross');
    close(trade.slippage_cost, 8.58592, 'slippage cost');
    close(result.equity[7], 9891.5095002057, 'final cash');
  });

  it('blends and caps the ATR', () => {
    const rows: [number, number, number, number][] = [
      [100, 100, 100, 200],
      [100, 490, 119.5, 239],
      [100, 1700, 180, 360],
      [100, 3000, 210, 420],
      [80, 60, 79, 158],
    ];
    for (const [atrShort, atrLong, effective, distance] of rows) {
      const actual = referenceEffectiveAtr(atrShort, atrLong, REFERENCE_DEFAULTS);
      close(actual, effective, `effective of ${atrShort} and ${atrLong}`);
      close(actual! * (REFERENCE_DEFAULTS.atr_volatility_factor as number), distance, 'distance');
    }
  });

  it('scales by volatility', () => {
    const bars = [50, 50.4, 49.9, 50.7, 50.2].map((c, i) => ({
      t: START + i * HOUR,
      o: c,
      h: c + 0.3,
      l: c - 0.3,
      c,
      v: 1,
    }));
    const rows: [string, number, number, number][] = [
      ['stddev', 0.0130663594, 1.2229442313, 0.3270795101],
      ['atr', 0.0169322709, 1.5847737232, 0.2524019638],
    ];
    for (const [mode, perBar, annualized, scale] of rows) {
      const volatility = referenceVolatility(bars, mode, 4, HOUR);
      close(volatility, annualized, `${mode} annualized`);
      close(volatility! / Math.sqrt(8760), perBar, `${mode} per bar`);
      const config = {
        ...REFERENCE_DEFAULTS,
        enable_volatility_adjustment: true,
        volatility_mode: mode,
        volatility_window: 4,
        target_volatility: 0.4,
      };
      close(referenceVolatilityScale(bars, HOUR, config), scale, `${mode} scale`);
    }
  });

  it('computes the metrics', () => {
    const equity = [10000, 10120, 10090, 10250, 10180, 10075, 10010, 10240, 10300, 10260];
    const metrics = referenceMetrics({
      intervalMs: DAY,
      initialBalance: 10000,
      bars: equity.map((_, i) => ({ t: START + i * DAY, o: 1, h: 1, l: 1, c: 1, v: 1 })),
      equity,
      trades: [250, -175, 225, -40].map((profit_loss) => ({ profit_loss, bars_held: 1, fees: 0, slippage_cost: 0 })),
      exposedBars: 0,
    });
    const expected: Record<string, number> = {
      sharpe_ratio: 4.5213266509,
      sortino_ratio: 10.7285688674,
      max_drawdown: 0.0234146341,
      max_drawdown_duration: 4,
      irr_annualized: 1.5519882375,
      irr_daily: 0.0025700717,
      calmar_ratio: 66.2828309745,
      total_return: 0.026,
      avg_daily_return: 0.0026250537,
      gain_to_pain_ratio: 0.86228073,
      num_days: 10,
      win_rate: 0.5,
      profit_factor: 2.2093023256,
      expectancy: 65,
      avg_win: 237.5,
      avg_loss: -107.5,
      max_consecutive_wins: 1,
      max_consecutive_losses: 1,
    };
    for (const [key, value] of Object.entries(expected)) close(metrics[key], value, key);
  });
});
