import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../engine/errors.js';
import { derivedColumns } from '../../engine/execution/derived.js';
import {
  type Account,
  accountValue,
  averageTrueRange,
  blendAtr,
  cashCurve,
  countDenials,
  denialCodes,
  denialReasons,
  openAccount,
  proposeEntry,
  type Simulation,
  simulate,
  simulateByStep,
  step,
  stepBar,
} from '../../engine/execution/index.js';
import {
  allocateBars,
  type BarSeries,
  createMask,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  sliceBars,
} from '../../engine/series/index.js';
import { randomBars } from '../support/random.js';
import {
  assertClose,
  barsOf,
  configOf,
  inputOf,
  noCooldown,
  type PriceRow,
  plainSettings,
  runBoth,
} from './execution-support.js';

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

test('a position without any exit is sold at the last close', () => {
  const result = run(rowsOf(4, { 3: [100, 104, 99, 103] }), [0], []);
  assert.deepEqual(tradesOf(result), ['1-3 @103 END']);
  assert.equal(result.trades[0].barsHeld, 3);
  assert.equal(result.exposedBars, 3);
});

test('an entry wanted at the last close is dropped silently, in conflict or not', () => {
  for (const exits of [[], [2]]) {
    const result = run(calmBars(3), [2], exits);
    assert.deepEqual([result.trades.length, result.denials.count], [0, 0]);
  }
});

test('entries before the first tradable bar are not wanted, and none fills at it', () => {
  assert.deepEqual(tradesOf(run(calmBars(6), [0, 1, 2], [], {}, 2)), ['3-5 @100 END']);
});

test('a series may hold no bar, no tradable bar, or just one', () => {
  assert.equal(run([], [], []).equity.length, 0);
  assert.equal(run(calmBars(3), [0, 1, 2], [], {}, 3).equity.length, 0);
  assert.deepEqual(run(calmBars(1), [0], [0]).equity, Float64Array.of(10_000));
});

test('the exit rule denies an entry at the same close, with or without a position', () => {
  const result = run(calmBars(6), [0, 2], [0, 2]);
  assert.deepEqual(denialsOf(result), ['1 exit_conflict', '3 exit_conflict']);
  assert.deepEqual(denialsOf(run(calmBars(6), [0, 2], [2])), ['3 exit_conflict']);
});

test('stop and target count on the entry bar too', () => {
  assert.deepEqual(tradesOf(run(rowsOf(4, { 1: [100, 101, 90, 95] }), [0], [])), ['1-1 @90 SL']);
  assert.deepEqual(tradesOf(run(rowsOf(4, { 1: [100, 120, 99, 110] }), [0], [])), ['1-1 @120 TP']);
  assert.equal(run(rowsOf(4, { 1: [100, 120, 99, 110] }), [0], []).exposedBars, 1);
});

test('gaps fill at the open, for better or worse, and the open decides before the range', () => {
  assert.deepEqual(tradesOf(run(rowsOf(4, { 2: [85, 130, 80, 100] }), [0], [])), ['1-2 @85 SL']);
  assert.deepEqual(tradesOf(run(rowsOf(4, { 2: [125, 130, 80, 100] }), [0], [])), ['1-2 @125 TP']);
});

test('slippage beyond the stop distance is stopped at the entry open', () => {
  const result = run(calmBars(4), [0], [], { slippage_pct: 0.2 });
  assert.deepEqual(tradesOf(result), ['1-1 @80 SL']);
  assert.equal(result.trades[0].barsHeld, 1);
});

test('a scheduled exit keeps its reason when its open lies beyond the stop', () => {
  assert.deepEqual(tradesOf(run(rowsOf(5, { 3: [80, 81, 79, 80] }), [0], [2])), ['1-3 @80 SIGNAL']);
});

test('a touch inside the decision bar comes before the decision at its close', () => {
  assert.deepEqual(tradesOf(run(rowsOf(5, { 2: [100, 101, 90, 95] }), [0], [2])), ['1-2 @90 SL']);
});

test('a decision at the last close never fills', () => {
  assert.deepEqual(tradesOf(run(calmBars(4), [0], [3])), ['1-3 @100 END']);
  assert.deepEqual(tradesOf(run(calmBars(4), [0], [], { max_hold_bars: 3 })), ['1-3 @100 END']);
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

test('a timeout is found long after a patient start, and a far touch by blocks', () => {
  const timeout = run(rowsOf(900, { 700: [100, 101, 94, 95] }), [0], [], { exit_on_loss_after_bars: 3 });
  assert.deepEqual(tradesOf(timeout), ['1-701 @100 LOSS_TIMEOUT']);
  for (const far of [32, 33, 63, 64, 65, 127, 128, 640, 899]) {
    const stopped = run(rowsOf(900, { [far]: [100, 101, 90, 95] }), [0], []);
    assert.deepEqual(tradesOf(stopped), [`1-${far} @90 SL`]);
    const sold = run(rowsOf(900, { [far]: [100, 120, 99, 110] }), [0], [far]);
    assert.deepEqual(tradesOf(sold), [`1-${far} @120 TP`]);
  }
  // a touch in the block before the entry, and one past the exit, are not the position's
  const near = run(rowsOf(200, { 64: [100, 120, 90, 100], 140: [100, 120, 90, 100] }), [65], [120]);
  assert.deepEqual(tradesOf(near), ['66-121 @100 SIGNAL']);
});

test('exits come before the entry of the same open, so a full book of one can turn over', () => {
  const result = run(calmBars(7), [0, 2, 3], [3 - 1, 4], { max_open_positions: 1 });
  assert.deepEqual(tradesOf(result), ['1-3 @100 SIGNAL', '4-5 @100 SIGNAL']);
  assert.deepEqual(denialsOf(result), ['3 exit_conflict']);
  const timed = run(calmBars(7), [0, 2], [], { max_open_positions: 1, max_hold_bars: 2 });
  assert.deepEqual(tradesOf(timed), ['1-3 @100 MAX_HOLD', '3-5 @100 MAX_HOLD']);
});

test('several positions close in entry order, scheduled before touched before the end', () => {
  const settings = { max_hold_bars: 3, max_risk_per_trade: 0.001 };
  const rows = rowsOf(6, { 2: [90, 95, 85, 90], 4: [94, 95, 81, 90] });
  // bought at 100 (stop 90), 90 (stop 81) and 100 (stop 90)
  const result = run(rows, [0, 1, 2], [], settings);
  assert.deepEqual(tradesOf(result), ['1-2 @90 SL', '2-4 @81 SL', '3-4 @90 SL']);
  const atEnd = run(rowsOf(5, { 4: [100, 101, 90, 95] }), [0, 1, 2, 3], [], {
    ...settings,
    fixed_stop_pct: 0.1,
    max_hold_bars: 3,
  });
  assert.deepEqual(tradesOf(atEnd), ['1-4 @100 MAX_HOLD', '2-4 @90 SL', '3-4 @90 SL', '4-4 @90 SL']);
});

test('open positions that survive the last bar are sold at its close in entry order', () => {
  const result = run(rowsOf(5, { 2: [90, 95, 85, 90] }), [0, 1, 2, 3], [], { max_risk_per_trade: 0.001 });
  assert.deepEqual(tradesOf(result), ['1-2 @90 SL', '2-4 @100 END', '3-4 @100 END', '4-4 @100 END']);
});

test('the daily limit counts fills of the UTC day, and the next day is free again', () => {
  const bars = barsOf(calmBars(8), HOUR_MS, Date.UTC(2024, 0, 1, 20));
  const settings = { ...plainSettings, max_trades_per_day: 2, max_risk_per_trade: 0.001 };
  const result = runBoth(inputOf(bars, [0, 1, 2, 3, 4, 5], [], settings));
  assert.deepEqual(denialsOf(result), ['3 daily_limit', '6 daily_limit']);
});

test('a loss booked at an open blocks the entry of that open', () => {
  const tier = { short_loss_limit: 1, short_window_bars: 2, long_loss_limit: 0, long_window_bars: 0 };
  const result = run(rowsOf(8, { 2: [100, 101, 94, 95], 3: [95, 96, 94, 95] }), [0, 2, 3, 4, 5], [], {
    cooldown_config: { '1h': tier },
    max_hold_bars: 2,
    max_open_positions: 1,
  });
  assert.equal(result.trades[0].exitBar, 3);
  assert.deepEqual(denialsOf(result), ['3 cooldown', '4 cooldown', '5 cooldown']);
});

test('the long tier trips on its own and a shorter trip never shortens its block', () => {
  const losing = (bars: number[]) => Object.fromEntries(bars.map((bar) => [bar, [100, 101, 90, 100] as PriceRow]));
  const cooldown = { short_loss_limit: 1, short_window_bars: 1, long_loss_limit: 2, long_window_bars: 6 };
  const result = run(rowsOf(20, losing([1, 4])), [0, 3, 5, 8, 9, 10, 12], [], { cooldown_config: { '1h': cooldown } });
  // losses at 1 and 4: the long tier blocks through 10
  assert.deepEqual(denialsOf(result), ['6 cooldown', '9 cooldown', '10 cooldown']);
  const parallel = run(rowsOf(20, losing([3])), [0, 1, 2, 8, 9, 10], [], {
    cooldown_config: { '1h': { ...cooldown, long_loss_limit: 3 } },
    max_risk_per_trade: 0.001,
  });
  assert.deepEqual(denialsOf(parallel), ['9 cooldown']);
});

test('a trip does not forget the losses, so the next one inside the window extends the block', () => {
  const cooldown = { short_loss_limit: 2, short_window_bars: 3, long_loss_limit: 0, long_window_bars: 0 };
  const fallen = (low: number): PriceRow => [low + 1, low + 2, low, low + 1];
  // four positions bought on the way down lose one after the other, in bars 5 to 8
  const rows = rowsOf(14, { 1: [100, 101, 99, 99], 2: [99, 99, 98, 98], 3: [98, 98, 97, 97], 4: [97, 97, 96, 96] });
  [90, 89, 88, 87].forEach((low, k) => {
    rows[5 + k] = fallen(low);
  });
  for (let i = 9; i < 14; i++) rows[i] = fallen(92);
  const result = run(rows, [0, 1, 2, 3, 9, 10, 11], [], {
    cooldown_config: { '1h': cooldown },
    max_risk_per_trade: 0.001,
  });
  assert.deepEqual(
    tradesOf(result)
      .slice(0, 4)
      .map((text) => text.slice(0, 3)),
    ['1-5', '2-6', '3-7', '4-8'],
  );
  assert.deepEqual(denialsOf(result), ['10 cooldown', '11 cooldown']);
});

test('losses that are older than the window are not counted', () => {
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

test('the balance pause ends when open positions lift the account back to its floor', () => {
  const rows = rowsOf(8, { 3: [94, 101, 93, 94], 4: [94, 95, 93, 94] });
  const settings = { max_risk_per_trade: 0.09, min_balance_threshold: 9_700, position_size_calc: 'v1' };
  const result = run(rows, [0, 2, 5], [], settings);
  assert.deepEqual(denialsOf(result), ['3 min_balance']);
  assert.deepEqual(
    result.trades.map(({ entryBar }) => entryBar),
    [1, 6],
  );
});

test('a negative or empty spendable balance is no cash at all', () => {
  const all = { max_risk_per_trade: 1, position_size_calc: 'v1' };
  assert.deepEqual(denialsOf(run(calmBars(5), [0, 1], [], all)), ['2 insufficient_cash']);
  const reserve = { max_risk_per_trade: 1, min_balance_threshold: 1 };
  assert.deepEqual(denialsOf(run(calmBars(5), [0], [], reserve)), ['1 insufficient_cash']);
});

test('an entry below the smallest amount or without size is denied', () => {
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

test('volatility shrinks a size and never enlarges it; a flat window leaves it alone', () => {
  const settings = { enable_volatility_adjustment: true, volatility_window: 3, min_trade_amount: 0 };
  const sizeAt = (rows: PriceRow[], changed: Record<string, unknown> = {}) =>
    run(rows, [4], [], { ...settings, ...changed }).trades[0].size;
  const wild = rowsOf(8, { 3: [100, 105, 99, 104] });
  const plain = sizeAt(wild, { enable_volatility_adjustment: false });
  assert.ok(sizeAt(wild) < plain);
  assert.ok(sizeAt(wild, { volatility_mode: 'atr' }) < plain);
  assert.equal(sizeAt(wild, { target_volatility: 1e9 }), plain);
  assert.equal(sizeAt(calmBars(8)), sizeAt(calmBars(8), { enable_volatility_adjustment: false }));
});

test('the daily ATR is that of the newest closed day and is waited for', () => {
  const bars = randomBars({ seed: 3, barCount: 24 * 6, volatility: 0.01 });
  const settings = { ...plainSettings, stop_loss_calculation: 'dynamic_atr', atr_period: 2, atr_cap_multiplier: null };
  const input = inputOf(bars, [46, 47, 80], [47 + 1], { ...settings, atr_long_weight: 0.5, atr_short_weight: 0.25 });
  const result = runBoth(input);
  assert.deepEqual(denialsOf(result), ['47 atr_warmup']);
  const short = averageTrueRange(bars, 2);
  const dayRange = (day: number, before: number) => {
    const of = (column: Float64Array) => Array.from(column.subarray(24 * day, 24 * day + 24));
    const close = day === 0 ? before : bars.close[24 * day - 1];
    return Math.max(...of(bars.high), close) - Math.min(...of(bars.low), close);
  };
  const long = (dayRange(0, bars.open[0]) + dayRange(1, 0)) / 2;
  const { entryPrice, stopPrice } = result.trades[0];
  assertClose(entryPrice - stopPrice, 2 * (0.25 * short[47] + 0.5 * long), 'stop distance');
});

test('a cap that is null, 0 or negative does not cap', () => {
  const of = (atr_cap_multiplier: number | null) => blendAtr(10, 400, configOf({ atr_cap_multiplier }));
  assert.equal(of(2), 20);
  for (const none of [null, 0, -1]) assert.equal(of(none), 0.95 * 10 + 0.05 * 400);
});

test('on intervals of a day or more both ATRs are one', () => {
  const bars = randomBars({ seed: 4, barCount: 30, intervalMs: DAY_MS });
  const settings = { ...plainSettings, ...{ stop_loss_calculation: 'dynamic_atr', atr_period: 3 } };
  const weights = (atr_short_weight: number, atr_long_weight: number) =>
    runBoth(inputOf(bars, [5], [], { ...settings, atr_short_weight, atr_long_weight, max_trade_amount: 100 })).trades;
  assert.deepEqual(weights(0.5, 0.5), weights(1, 0));
});

test('the cash curve replays sales at the open, buys, and sales inside the bar', () => {
  const bars = randomBars({ seed: 11, barCount: 600, volatility: 0.02 });
  const every = (n: number) => Array.from({ length: 600 / n }, (_, k) => n * k);
  const input = inputOf(bars, every(2), every(15), { max_hold_bars: 4, max_risk_per_trade: 0.001, ...noCooldown }, 5);
  const result = runBoth(input);
  const cash = cashCurve(input, result);
  const account = openAccount(input.config);
  for (let i = 5; i < 600; i++) {
    step(account, stepBar(input, i), input.config);
    assertClose(cash[i - 5], account.cash, `cash at bar ${i}`);
  }
  assert.ok(result.trades.length > 100);
});

test('an account survives storage between any two bars', () => {
  const bars = randomBars({ seed: 12, barCount: 300, volatility: 0.02 });
  const every = (n: number) => Array.from({ length: Math.ceil(300 / n) }, (_, k) => n * k);
  const settings = { max_hold_bars: 9, max_risk_per_trade: 0.001, enable_volatility_adjustment: true };
  const input = inputOf(bars, every(3), every(7), settings);
  const whole = runBoth(input);
  let account: Account = openAccount(input.config);
  const trades = [];
  for (let i = 0; i < bars.barCount; i++) {
    account = JSON.parse(JSON.stringify(account));
    trades.push(...step(account, stepBar(input, i), input.config).trades);
  }
  assert.deepStrictEqual(trades, whole.trades);
  assert.equal(accountValue(account, 1), whole.equity[299]);
});

test('denials are kept in order however many there are, and counted by reason', () => {
  const bars = randomBars({ seed: 1, barCount: 1_000 });
  const everyBar = Array.from({ length: 1_000 }, (_, i) => i);
  const { denials } = runBoth(inputOf(bars, everyBar, [], { ...plainSettings, max_open_positions: 0 }));
  assert.equal(denials.count, 999);
  assert.deepEqual(Array.from(denials.bars), everyBar.slice(1));
  assert.deepEqual(countDenials({ ...denials }), { max_positions: 999 });
  assert.deepEqual(Object.keys(denialCodes), [...denialReasons]);
});

test('proposing an entry leaves the account alone', () => {
  const config = configOf(plainSettings);
  const account = openAccount(config);
  assert.equal(typeof proposeEntry(account, 1, 100, NaN, 1, config), 'object');
  assert.deepEqual(account, openAccount(config));
});

test('the door refuses sizes that do not fit and configs that are not valid', () => {
  const input = inputOf(barsOf(calmBars(40)), [], [], {});
  for (const run of [simulate, simulateByStep]) {
    for (const first of [-1, 41, 1.5, NaN]) assert.throws(() => run({ ...input, first }), RangeError);
    assert.throws(() => run({ ...input, entry: createMask(32) }), RangeError);
    assert.throws(() => run({ ...input, exit: createMask(65) }), RangeError);
    assert.throws(() => run({ ...input, config: { ...input.config, fee_pct: 2 } }), EngineError);
  }
});

test('columns derived from a series are shared, and only so many ATRs are kept', () => {
  const bars = allocateBars(1 << 20, 5 * MINUTE_MS);
  const columns = derivedColumns(bars);
  assert.equal(derivedColumns(bars), columns);
  const first = columns.atr(1);
  assert.equal(columns.atr(1), first);
  for (const period of [2, 3, 4, 5]) columns.atr(period);
  assert.notEqual(columns.atr(1), first);
  assert.equal(columns.atr(5), columns.atr(5));
});

test('what follows a bar changes no trade that was closed before it', () => {
  const bars = randomBars({ seed: 5, barCount: 400, volatility: 0.02 });
  const everyThird = Array.from({ length: 134 }, (_, k) => 3 * k);
  const settings = { max_hold_bars: 20, atr_period: 2 };
  const whole = runBoth(inputOf(bars, everyThird, [], settings));
  const cut: BarSeries = sliceBars(bars, 0, 250);
  const part = runBoth(
    inputOf(
      cut,
      everyThird.filter((i) => i < 250),
      [],
      settings,
    ),
  );
  const closed = part.trades.filter(({ exitReason }) => exitReason !== 'END');
  assert.ok(closed.length > 20);
  assert.deepStrictEqual(closed, whole.trades.slice(0, closed.length));
});
