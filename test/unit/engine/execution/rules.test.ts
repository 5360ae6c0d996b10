import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { bookLoss } from '../../../../engine/execution/cooldown.js';
import { derivedColumns } from '../../../../engine/execution/derived.js';
import {
  type Account,
  ADMITTED,
  accountValue,
  averageTrueRange,
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
import {
  allocateBars,
  type BarSeries,
  createMask,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  sliceBars,
} from '../../../../engine/series/index.js';
import {
  assertClose,
  barsOf,
  configOf,
  inputOf,
  noCooldown,
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

test('a position without any exit is sold at the last close', () => {
  const result = run(rowsOf(4, { 3: [100, 104, 99, 103] }), [0], []);
  assert.deepEqual(tradesOf(result), ['1-3 @103 END']);
  assert.equal(result.trades[0].barsHeld, 3);
  assert.equal(result.exposedBars, 3);
});

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

test('slippage beyond the stop distance stops the position at the entry open', () => {
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

test('a timeout is found long after the entry, and a far touch by blocks', () => {
  const timeout = run(rowsOf(900, { 700: [100, 101, 94, 95] }), [0], [], { exit_on_loss_after_bars: 3 });
  assert.deepEqual(tradesOf(timeout), ['1-701 @100 LOSS_TIMEOUT']);
  for (const far of [32, 33, 63, 64, 65, 127, 128, 640, 899]) {
    const stopped = run(rowsOf(900, { [far]: [100, 101, 90, 95] }), [0], []);
    assert.deepEqual(tradesOf(stopped), [`1-${far} @90 SL`]);
    const sold = run(rowsOf(900, { [far]: [100, 120, 99, 110] }), [0], [far]);
    assert.deepEqual(tradesOf(sold), [`1-${far} @120 TP`]);
  }
  // touches in the block before the entry, and after the exit, do not concern the position
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

test('the long tier trips independently, and a shorter trip never shortens its block', () => {
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

test('a trip keeps the losses, so the next one inside the window extends the block', () => {
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

test('a negative or empty spendable balance counts as no cash', () => {
  const all = { max_risk_per_trade: 1, position_size_calc: 'v1' };
  assert.deepEqual(denialsOf(run(calmBars(5), [0, 1], [], all)), ['2 insufficient_cash']);
  const reserve = { max_risk_per_trade: 1, min_balance_threshold: 1 };
  assert.deepEqual(denialsOf(run(calmBars(5), [0], [], reserve)), ['1 insufficient_cash']);
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

test('volatility shrinks a size and never enlarges it; a flat window leaves it unchanged', () => {
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

test('the daily ATR is that of the newest closed day, and entries wait for it', () => {
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

test('on intervals of a day or more both ATRs are the same', () => {
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
  const account = openAccount(input.config, { isPlain: true });
  for (let i = 5; i < 600; i++) {
    step(account, stepBar(input, i), fullConfig(input.config));
    assertClose(cash[i - 5], account.purse.cash, `cash at bar ${i}`);
  }
  assert.ok(result.trades.length > 100);
});

test('an account survives storage between any two bars', () => {
  const bars = randomBars({ seed: 12, barCount: 300, volatility: 0.02 });
  const every = (n: number) => Array.from({ length: Math.ceil(300 / n) }, (_, k) => n * k);
  const settings = { max_hold_bars: 9, max_risk_per_trade: 0.001, enable_volatility_adjustment: true };
  const input = inputOf(bars, every(3), every(7), settings);
  const whole = runBoth(input);
  const config = fullConfig(input.config);
  let account: Account = openAccount(config, { isPlain: true });
  const trades = [];
  for (let i = 0; i < bars.barCount; i++) {
    account = JSON.parse(JSON.stringify(account));
    trades.push(...step(account, stepBar(input, i), config).trades);
  }
  assert.deepStrictEqual(trades, whole.trades);
  assert.equal(accountValue(account, 1, config), whole.equity[299]);
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

test('columns derived from a series are shared, and only a limited number of ATRs is kept', () => {
  const bars = allocateBars(1 << 20, 5 * MINUTE_MS);
  const columns = derivedColumns(bars);
  assert.equal(derivedColumns(bars), columns);
  const first = columns.atr(1);
  assert.equal(columns.atr(1), first);
  for (const period of [2, 3, 4, 5]) columns.atr(period);
  assert.notEqual(columns.atr(1), first);
  assert.equal(columns.atr(5), columns.atr(5));
});

test('later bars change no trade that closed before them', () => {
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

test('a new account is all cash, remembers nothing and blocks nothing', () => {
  assert.deepEqual(openAccount(configOf({ initial_balance: 500 })), {
    purse: { cash: 500, realizedBalance: 500 },
    positions: [],
    lossBars: [],
    blockedThrough: -1,
    entryDay: -1,
    entriesOnDay: 0,
    pendingEntry: null,
    refusals: [],
    orders: [],
    ordersPlaced: 0,
    ordersExpired: 0,
    guard: { peak: 500, day: null, valueBeforeDay: 500, latest: 500, blockedThrough: -1, blockedDay: null },
  });
});

test('a proposed position has its levels, its costs and no exit', () => {
  const config = configOf({ ...plainSettings, slippage_pct: 0.25, fee_pct: 0.5, max_units_per_trade: 2 });
  assert.deepEqual(proposeLong(openLongAccount(config), 7, 80, NaN, 1, config), {
    entryBar: 7,
    entryPrice: 100,
    size: 2,
    stopPrice: 90,
    targetPrice: 120,
    entryFee: 100,
    slippageCost: 40,
    exitBar: -1,
    scheduledReason: null,
  });
});

test('consecutive trades chain their balances, whether the earlier trades won or lost', () => {
  const rows = rowsOf(9, { 3: [100, 120, 99, 110], 6: [100, 101, 90, 95] });
  const { trades } = run(rows, [0, 4, 7], [], { fee_pct: 0.01 });
  assert.deepEqual(
    trades.map(({ profitLoss }) => Math.sign(profitLoss)),
    [1, -1, -1],
  );
  assert.equal(trades[0].beginningBalance, 10_000);
  for (const [k, { beginningBalance, profitLoss, endingBalance }] of trades.entries()) {
    assert.equal(endingBalance, beginningBalance + profitLoss);
    if (k > 0) assert.equal(beginningBalance, trades[k - 1].endingBalance);
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

test('a cap at or below the short ATR also caps', () => {
  assert.equal(blendAtr(10, 400, configOf({ atr_cap_multiplier: 1 })), 10);
  assert.equal(blendAtr(10, 400, configOf({ atr_cap_multiplier: 0.5 })), 5);
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

test('prices and stop distances below 1 are treated like any other', () => {
  const rows = Array.from({ length: 4 }, (): PriceRow => [0.01, 0.0101, 0.0099, 0.01]);
  const [trade] = run(rows, [0], []).trades;
  assertClose(trade.stopPrice, 0.009, 'stop');
  assertClose(trade.targetPrice, 0.012, 'target');
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
  const exitOf = (settings: Record<string, unknown>) => tradesOf(run(rows, [0], [], settings));
  for (const off of [0, -1, null]) {
    assert.deepEqual(exitOf({ exit_on_loss_after_bars: off, exit_on_profit_after_bars: off }), ['1-5 @100 END']);
  }
  assert.deepEqual(exitOf({ exit_on_loss_after_bars: 1 }), ['1-2 @96 LOSS_TIMEOUT']);
  assert.deepEqual(exitOf({ exit_on_profit_after_bars: 1 }), ['1-3 @100 PROFIT_TIMEOUT']);
  assert.deepEqual(exitOf({ max_hold_bars: 1 }), ['1-2 @96 MAX_HOLD']);
});

test('a profit of exactly the threshold is a profit, and a loss of 0 is no loss', () => {
  const rows = rowsOf(6, { 2: [100, 126, 99, 125] });
  const settings = { reward_factor: 5, exit_on_profit_after_bars: 1, profit_threshold_pct: 0.25 };
  assert.deepEqual(tradesOf(run(rows, [0], [], settings)), ['1-3 @100 PROFIT_TIMEOUT']);
  assert.deepEqual(tradesOf(run(rows, [0], [], { ...settings, profit_threshold_pct: 0.26 })), ['1-5 @100 END']);
  assert.deepEqual(tradesOf(run(calmBars(5), [0], [], { exit_on_loss_after_bars: 1 })), ['1-4 @100 END']);
});

test('a touch is found anywhere in the last, unfinished block', () => {
  for (const far of [896, 897, 898]) {
    assert.deepEqual(tradesOf(run(rowsOf(900, { [far]: [100, 101, 90, 95] }), [0], [])), [`1-${far} @90 SL`]);
  }
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
