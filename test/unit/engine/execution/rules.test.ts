import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { bookLoss } from '../../../../engine/execution/cooldown.js';
import { derivedColumns } from '../../../../engine/execution/derived.js';
import {
  ADMITTED,
  blendAtr,
  cashCurve,
  countDenials,
  denialReasons,
  floorAmount,
  fullConfig,
  longGate,
  openAccount,
  openLongAccount,
  proposeLong,
  relativeTrueRange,
  type Simulation,
  simulate,
  simulateByStep,
  step,
  stepBar,
  trueRange,
} from '../../../../engine/execution/index.js';
import { Denial } from '../../../../engine/formulas/gates.js';
import { allocateBars, createMask, HOUR_MS, MINUTE_MS } from '../../../../engine/series/index.js';
import {
  assertClose,
  barsOf,
  configOf,
  inputOf,
  type PriceRow,
  plainSettings,
  runBoth,
} from '../../../support/execution.js';
import { randomBars } from '../../../support/random.js';

/** One bar at 100 that moves by 1 to either side. */
const calm: PriceRow = [100, 101, 99, 100];
const calmBars = (count: number): PriceRow[] => Array.from({ length: count }, () => calm);

/** Calm bars with some of them replaced. */
function rowsOf(count: number, changes: Record<number, PriceRow>): PriceRow[] {
  return calmBars(count).map((row, i) => changes[i] ?? row);
}

const run = (rows: PriceRow[], entries: number[], exits: number[], settings: Record<string, unknown> = {}, first = 0) =>
  runBoth(inputOf(barsOf(rows), entries, exits, { ...plainSettings, ...settings }, first));

const denialsOf = ({ denials }: Simulation) =>
  Array.from(denials.bars, (bar, i) => `${bar} ${denialReasons[denials.reasons[i]]}`);

const tradesOf = ({ trades }: Simulation) =>
  trades.map(({ entryBar, exitBar, exitPrice, exitReason }) => `${entryBar}-${exitBar} @${exitPrice} ${exitReason}`);

test('an entry signalled at the last close is dropped silently, in conflict or not', () => {
  for (const exits of [[], [2]]) {
    const result = run(calmBars(3), [2], exits);
    assert.deepEqual([result.trades.length, result.denials.count], [0, 0]);
  }
});

test('entries before the first tradable bar are ignored, and no entry fills at it', () => {
  assert.deepEqual(tradesOf(run(calmBars(6), [0, 1, 2], [], {}, 2)), ['3-5 @100 END']);
});

test('a series may hold no bar, no tradable bar, or just one', () => {
  assert.equal(run([], [], []).equity.length, 0);
  assert.equal(run(calmBars(3), [0, 1, 2], [], {}, 3).equity.length, 0);
  assert.deepEqual(run(calmBars(1), [0], [0]).equity, Float64Array.of(10_000));
});

test('the first true condition names the exit', () => {
  const settings = {
    max_hold_bars: 2,
    exit_on_loss_after_bars: 2,
    exit_on_profit_after_bars: 2,
    profit_threshold_pct: 0.05,
  };
  const after = (close: number, exits: number[], changed: Record<string, unknown> = {}) =>
    run(rowsOf(6, { 2: [100, Math.max(101, close), Math.min(99, close), close] }), [0], exits, {
      ...settings,
      ...changed,
    }).trades[0].exitReason;
  assert.equal(after(95, [2]), 'SIGNAL');
  assert.equal(after(95, []), 'MAX_HOLD');
  assert.equal(after(95, [], { max_hold_bars: null }), 'LOSS_TIMEOUT');
  assert.equal(after(105, [], { max_hold_bars: null }), 'PROFIT_TIMEOUT');
  assert.equal(after(104.9, [], { max_hold_bars: null }), 'END');
  assert.equal(after(100, [], { max_hold_bars: null, exit_on_loss_after_bars: 1 }), 'END');
});

test('a timeout is found long after the entry, and a far touch by blocks', () => {
  const timeout = run(rowsOf(900, { 700: [100, 101, 94, 95] }), [0], [], { exit_on_loss_after_bars: 3 });
  assert.deepEqual(tradesOf(timeout), ['1-701 @100 LOSS_TIMEOUT']);
  for (const far of [32, 33, 63, 64, 65, 127, 128, 640, 896, 897, 898, 899]) {
    const stopped = run(rowsOf(900, { [far]: [100, 101, 90, 95] }), [0], []);
    assert.deepEqual(tradesOf(stopped), [`1-${far} @90 SL`]);
    const sold = run(rowsOf(900, { [far]: [100, 120, 99, 110] }), [0], [far]);
    assert.deepEqual(tradesOf(sold), [`1-${far} @120 TP`]);
  }
  // touches in the block before the entry, and after the exit, do not concern the position
  const near = run(rowsOf(200, { 64: [100, 120, 90, 100], 140: [100, 120, 90, 100] }), [65], [120]);
  assert.deepEqual(tradesOf(near), ['66-121 @100 SIGNAL']);
});

test('losses older than the window are not counted', () => {
  const rows = rowsOf(20, { 1: [100, 101, 90, 100], 5: [100, 101, 90, 100] });
  const at = (window: number) =>
    denialsOf(
      run(rows, [0, 4, 5], [], {
        cooldown_config: {
          '1h': { short_loss_limit: 2, short_window_bars: window, long_loss_limit: 0, long_window_bars: 9 },
        },
      }),
    );
  assert.deepEqual(at(4), []);
  assert.deepEqual(at(5), ['6 cooldown']);
});

test('an entry below the smallest amount or of size 0 is denied', () => {
  const small = { max_units_per_trade: 0.2 };
  assert.deepEqual(denialsOf(run(calmBars(5), [0], [], small)), ['1 min_trade_amount']);
  assert.deepEqual(denialsOf(run(calmBars(5), [0], [], { ...small, min_trade_amount: 20 })), []);
  const nothing = { max_risk_per_trade: Number.MIN_VALUE, initial_balance: 0.001, min_trade_amount: 0 };
  assert.deepEqual(denialsOf(run(calmBars(5), [0], [], nothing)), ['1 min_trade_amount']);
});

test('stops that are not below the price or not above 0 are invalid', () => {
  const dynamic = { stop_loss_calculation: 'dynamic_atr', atr_period: 1, atr_long_weight: 0, atr_short_weight: 1 };
  const flat: PriceRow = [100, 100, 100, 100];
  assert.deepEqual(denialsOf(run([flat, flat, flat], [0], [], dynamic)), ['1 invalid_stop']);
  assert.deepEqual(denialsOf(run(calmBars(3), [0], [], { ...dynamic, atr_volatility_factor: 50 })), ['1 invalid_stop']);
});

test('entries wait for the ATR, and for the volatility window', () => {
  const dynamic = { stop_loss_calculation: 'dynamic_atr', atr_period: 3, atr_long_weight: 0, atr_short_weight: 1 };
  assert.deepEqual(denialsOf(run(calmBars(6), [0, 1, 2], [], dynamic)), ['1 atr_warmup', '2 atr_warmup']);
  assert.deepEqual(denialsOf(run(calmBars(6), [0, 1, 2], [], { ...dynamic, atr_period: 9 })).length, 3);
  for (const [mode, denied] of [
    ['stddev', 2],
    ['atr', 1],
    ['off', 0],
  ] as const) {
    const settings = { enable_volatility_adjustment: true, volatility_mode: mode, volatility_window: 2 };
    const reasons = denialsOf(run(calmBars(6), [0, 1, 2], [], settings));
    assert.deepEqual(reasons, ['1 volatility_warmup', '2 volatility_warmup'].slice(0, denied));
  }
});

test('a cap that is null, 0 or negative does not cap', () => {
  const of = (atr_cap_multiplier: number | null) => blendAtr(10, 400, configOf({ atr_cap_multiplier }));
  assert.equal(of(2), 20);
  for (const none of [null, 0, -1]) assert.equal(of(none), 0.95 * 10 + 0.05 * 400);
  assert.deepEqual([of(1), of(0.5)], [10, 5], 'one at or below the short ATR also caps');
});

test('any number of denials is kept in order and counted by reason', () => {
  const bars = randomBars({ seed: 1, barCount: 1_000 });
  const everyBar = Array.from({ length: 1_000 }, (_, i) => i);
  const { denials } = runBoth(inputOf(bars, everyBar, [], { ...plainSettings, max_open_positions: 0 }));
  assert.equal(denials.count, 999);
  assert.deepEqual(Array.from(denials.bars), everyBar.slice(1));
  assert.deepEqual(countDenials({ ...denials }), { max_positions: 999 });
  for (const [code, reason] of denialReasons.entries()) assert.equal(Denial[reason], code);
});

test('proposing an entry leaves the account unchanged', () => {
  const config = configOf(plainSettings);
  const account = openLongAccount(config);
  assert.equal(typeof proposeLong(account, 1, 100, NaN, 1, config), 'object');
  assert.deepEqual(account, openLongAccount(config));
});

test('the door refuses sizes that do not fit and invalid configs', () => {
  const input = inputOf(barsOf(calmBars(40)), [], [], {});
  for (const run of [simulate, simulateByStep]) {
    for (const first of [-1, 41, 1.5, NaN]) assert.throws(() => run({ ...input, first }), RangeError);
    assert.throws(() => run({ ...input, entry: createMask(32) }), RangeError);
    assert.throws(() => run({ ...input, exit: createMask(65) }), RangeError);
    assert.throws(() => run({ ...input, config: { ...input.config, fee_pct: 2 } }), EngineError);
  }
});

const oneLoss = { short_loss_limit: 1, short_window_bars: 1, long_loss_limit: 0, long_window_bars: 0 };

test('a trade that breaks even is no loss, one that loses next to nothing is', () => {
  const after = (close: number) =>
    denialsOf(
      run(rowsOf(6, { 3: [close, 101, 99, 100] }), [0, 2, 3], [], {
        cooldown_config: { '1h': oneLoss },
        max_hold_bars: 2,
        max_open_positions: 1,
        max_units_per_trade: 1,
      }),
    );
  assert.deepEqual(after(100), ['4 max_positions']);
  assert.deepEqual(after(100.5), ['4 max_positions']);
  assert.deepEqual(after(99.5), ['3 cooldown', '4 cooldown']);
});

/** The losses that an account remembers after losses in these bars. */
function booked(tiers: Record<string, number>, bars: readonly number[]) {
  const config = { ...configOf({}), ...tiers };
  const state = { lossBars: [], blockedThrough: -1 };
  for (const bar of bars) bookLoss(state, bar, config);
  return state;
}
const tiersOf = (shortLimit: number, shortWindow: number, longLimit: number, longWindow: number) => ({
  cooldown_short_loss_limit: shortLimit,
  cooldown_short_window_bars: shortWindow,
  cooldown_long_loss_limit: longLimit,
  cooldown_long_window_bars: longWindow,
});

test('an account remembers as many losses as an active tier can count', () => {
  const bars = [1, 20, 40, 60, 80];
  assert.deepEqual(booked(tiersOf(2, 3, 3, 9), bars).lossBars, [40, 60, 80]);
  assert.deepEqual(booked(tiersOf(4, 3, 1, 0), bars).lossBars, [20, 40, 60, 80]);
  assert.deepEqual(booked(tiersOf(1, 1, 4, 0), bars).lossBars, [80]);
  assert.deepEqual(booked(tiersOf(1, 0, 0, 9), bars), { lossBars: [], blockedThrough: -1 });
  assert.deepEqual(booked(tiersOf(-1, 9, 4, -1), bars), { lossBars: [], blockedThrough: -1 });
});

test('a window of one bar holds the losses of that bar, and blocks the next one', () => {
  assert.equal(booked(tiersOf(1, 1, 0, 0), [5]).blockedThrough, 6);
  assert.equal(booked(tiersOf(2, 1, 0, 0), [4, 5]).blockedThrough, -1);
  assert.equal(booked(tiersOf(2, 1, 0, 0), [4, 5, 5]).blockedThrough, 6);
});

test('the daily ATR counts from the close that ends its first day', () => {
  const bars = barsOf(calmBars(60));
  const settings = { ...plainSettings, stop_loss_calculation: 'dynamic_atr', atr_period: 1, max_risk_per_trade: 0.001 };
  const result = runBoth(inputOf(bars, [10, 22, 23, 30], [], { ...settings, atr_long_weight: 0.5 }));
  assert.deepEqual(denialsOf(result), ['11 atr_warmup', '23 atr_warmup']);
  assert.deepEqual(
    result.trades.map(({ entryBar }) => entryBar),
    [24, 31],
  );
});

test('the cash curve follows fills when positions close in another order than they opened', () => {
  const rows = rowsOf(8, {
    1: [100, 101, 99, 100],
    2: [80, 81, 79, 80],
    3: [80, 81, 79, 80],
    4: [85, 97, 84, 90],
    5: [90, 91, 71, 80],
  });
  const settings = { ...plainSettings, fixed_stop_pct: 0.25, reward_factor: 0.8, max_risk_per_trade: 0.001 };
  const input = inputOf(barsOf(rows), [0, 1], [], settings);
  const result = runBoth(input);
  assert.deepEqual(tradesOf(result), ['2-4 @96 TP', '1-5 @75 SL']);
  const [second, first] = result.trades;
  const cash = cashCurve(input, result);
  const afterFirst = 10_000 - 100 * first.size;
  const afterSecond = afterFirst - 80 * second.size;
  const afterTarget = afterSecond + 96 * second.size;
  const afterStop = afterTarget + 75 * first.size;
  const expected = [10_000, afterFirst, afterSecond, afterSecond, afterTarget, afterStop, afterStop, afterStop];
  expected.forEach((value, i) => {
    assertClose(cash[i], value, `cash at bar ${i}`);
  });
});

test('an account worth exactly its floor may trade', () => {
  const config = configOf({ ...plainSettings, min_balance_threshold: 9_000 });
  const gate = (cash: number) => longGate({ ...openLongAccount(config), cash }, 1, 0, 100, false, config);
  assert.equal(gate(9_000), ADMITTED);
  assert.equal(gate(8_999.99), Denial.min_balance);
  const position = proposeLong(openLongAccount(config), 0, 100, NaN, 1, { ...config, max_units_per_trade: 10 });
  assert.ok(typeof position === 'object');
  const holding = { ...openLongAccount(config), cash: 8_000, positions: [position] };
  assert.equal(longGate(holding, 1, 0, 100, false, config), ADMITTED);
  assert.equal(longGate(holding, 1, 0, 99.99, false, config), Denial.min_balance);
});

test('the daily limit of 0 denies all, and a higher one counts every fill once', () => {
  const bars = barsOf(calmBars(40), HOUR_MS, Date.UTC(2024, 0, 1, 18));
  const everyBar = Array.from({ length: 40 }, (_, i) => i);
  const filled = (max_trades_per_day: number) => {
    const settings = { ...plainSettings, max_trades_per_day, max_risk_per_trade: 0.0001, max_open_positions: 100 };
    return runBoth(inputOf(bars, everyBar, [], { ...settings, min_trade_amount: 0 })).trades.map((t) => t.entryBar);
  };
  assert.deepEqual(filled(0), []);
  assert.deepEqual(filled(1), [1, 6, 30]);
  assert.deepEqual(filled(3), [1, 2, 3, 6, 7, 8, 30, 31, 32]);
});

test('cash up to a millionth counts as zero', () => {
  const config = configOf({ ...plainSettings, position_size_calc: 'v1', min_trade_amount: 0, max_risk_per_trade: 1 });
  const propose = (cash: number) => proposeLong({ ...openLongAccount(config), cash }, 1, 100, NaN, 1, config);
  assert.equal(propose(0), Denial.insufficient_cash);
  assert.equal(propose(0.000001), Denial.insufficient_cash);
  assert.equal(typeof propose(0.0000011), 'object');
});

test('limits of 0 bars or less are off, and a limit of 1 bar sells at the next open', () => {
  const rows = rowsOf(6, { 1: [100, 101, 94, 95], 2: [96, 110, 95, 110] });
  const exit = (settings: Record<string, unknown>) => tradesOf(run(rows, [0], [], settings));
  for (const off of [0, -1, null]) {
    assert.deepEqual(exit({ exit_on_loss_after_bars: off, exit_on_profit_after_bars: off }), ['1-5 @100 END']);
  }
  assert.deepEqual(exit({ exit_on_loss_after_bars: 1 }), ['1-2 @96 LOSS_TIMEOUT']);
  assert.deepEqual(exit({ exit_on_profit_after_bars: 1 }), ['1-3 @100 PROFIT_TIMEOUT']);
  assert.deepEqual(exit({ max_hold_bars: 1 }), ['1-2 @96 MAX_HOLD']);
});

test('a profit of exactly the threshold is a profit, and a loss of 0 is no loss', () => {
  const rows = rowsOf(6, { 2: [100, 126, 99, 125] });
  const settings = { reward_factor: 5, exit_on_profit_after_bars: 1, profit_threshold_pct: 0.25 };
  assert.deepEqual(tradesOf(run(rows, [0], [], settings)), ['1-3 @100 PROFIT_TIMEOUT']);
  assert.deepEqual(tradesOf(run(rows, [0], [], { ...settings, profit_threshold_pct: 0.26 })), ['1-5 @100 END']);
  assert.deepEqual(tradesOf(run(calmBars(5), [0], [], { exit_on_loss_after_bars: 1 })), ['1-4 @100 END']);
});

test('block extremes are the lowest low and the highest high of 64 bars, the last block being shorter', () => {
  const bars = randomBars({ seed: 3, barCount: 150 });
  bars.low[0] = 0.5;
  bars.low[63] = 0.6; // second lowest: below all lows of the block after it
  bars.high[149] = 1e6;
  const columns = derivedColumns(bars);
  const blocks = [0, 64, 128].map((from) => [bars.low.slice(from, from + 64), bars.high.slice(from, from + 64)]);
  assert.deepEqual(columns.extremes(), {
    lows: Float64Array.from(blocks, ([low]) => Math.min(...low)),
    highs: Float64Array.from(blocks, ([, high]) => Math.max(...high)),
  });
  assert.equal(columns.extremes(), columns.extremes());
  assert.equal(columns.days(), columns.days());
});

test('the newest ATR columns are kept, as many as fit into 32 MB', () => {
  for (const [barCount, kept] of [
    [1 << 20, 3],
    [(1 << 20) - 1, 4],
  ]) {
    const columns = derivedColumns(allocateBars(barCount, 5 * MINUTE_MS));
    const atrs = [1, 2, 3, 4, 5, 6].map((period) => columns.atr(period));
    for (let period = 6; period > 6 - kept; period--) assert.equal(columns.atr(period), atrs[period - 1]);
    assert.notEqual(columns.atr(6 - kept), atrs[5 - kept]);
  }
});

test('an open exactly at the target is a target, however deep the bar falls after it', () => {
  assert.deepEqual(tradesOf(run(rowsOf(4, { 2: [120, 121, 80, 100] }), [0], [])), ['1-2 @120 TP']);
  assert.deepEqual(tradesOf(run(rowsOf(4, { 2: [90, 130, 80, 100] }), [0], [])), ['1-2 @90 SL']);
});

test('a position has no exit before one is decided, and an entry stores unknown values as null', () => {
  const input = inputOf(barsOf(calmBars(6)), [0, 2], [3], plainSettings);
  const account = openAccount(input.config, { isPlain: true });
  const after = (i: number) => {
    step(account, stepBar(input, i), fullConfig(input.config));
    return account.positions.map(({ scheduledReason }) => scheduledReason);
  };
  assert.deepEqual(after(0), []);
  const decided = { side: 'long', atr: null, volatility: null, volume: 1 };
  assert.deepEqual(account.pendingEntry, { ...decided, volatilityScale: 1 });
  assert.deepEqual(after(1), [null]);
  assert.equal(account.pendingEntry, null);
  assert.deepEqual(after(2), [null]);
  assert.deepEqual(after(3), ['SIGNAL', 'SIGNAL']);
  const adjusted = inputOf(barsOf(calmBars(6)), [0], [], { enable_volatility_adjustment: true });
  step(account, stepBar(adjusted, 0), fullConfig(adjusted.config));
  assert.deepEqual(account.pendingEntry, { ...decided, volatilityScale: null });
});

test('a bar asks for ATR and volatility only where an entry reads them', () => {
  const settings = { ...plainSettings, atr_period: 1, atr_long_weight: 0, atr_short_weight: 1 };
  const asked = (stop_loss_calculation: string, i: number) => {
    const input = inputOf(barsOf(calmBars(6)), [2], [], { ...settings, stop_loss_calculation });
    const { atr, volatilityScale } = stepBar(input, i);
    return [atr, volatilityScale];
  };
  assert.deepEqual(asked('dynamic_atr', 2), [2, 1]);
  assert.deepEqual(asked('dynamic_atr', 3), [null, null]);
  assert.deepEqual(asked('fixed', 2), [null, 1]);
});

test('the true range of the first bar is its own, any other reaches to the previous close', () => {
  const bars = barsOf([
    [100, 103, 98, 99],
    [110, 111, 109, 110],
    [90, 92, 89, 90],
  ]);
  assert.deepEqual([trueRange(bars, 0), trueRange(bars, 1), trueRange(bars, 2)], [5, 12, 21]);
  assert.equal(relativeTrueRange(bars, 1, 2), (5 + 12) / 2 / 110);
});

test('a floor up to 1 is a share of the initial balance, above 1 an amount', () => {
  const floor = (min_balance_threshold: number) => floorAmount(configOf({ min_balance_threshold }));
  assert.deepEqual([floor(0), floor(0.25), floor(1), floor(1.5), floor(2)], [0, 2_500, 10_000, 1.5, 2]);
});
