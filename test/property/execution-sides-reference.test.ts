import assert from 'node:assert/strict';
import test from 'node:test';
import { denialReasons, type Simulation, simulate, simulateByStep, type Trade } from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { type RefSidesResult, type RefSidesTrade, referenceSides, SIDES_DEFAULTS } from '../reference/sides.js';
import { readSidesCases } from '../support/execution.js';
import { type MixedWorld, mixedWorld, requestOf, usedSettings } from '../support/mixed-worlds.js';
import { runs } from '../support/scale.js';
import { ownReasons } from '../support/worlds.js';

/**
 * Sides, margin, orders, moving levels, sizes, guards and finer bars against a separate
 * implementation, written straight from the rules, in worlds that mix all of their settings.
 */

const TOLERANCE = 1e-9;

function assertSame(actual: unknown, expected: unknown, label: string): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    if (actual === expected || (Number.isNaN(actual) && Number.isNaN(expected))) return;
    const bound = TOLERANCE * Math.max(1, Math.abs(expected));
    assert.ok(Math.abs(actual - expected) <= bound, `${label}: ${actual} against ${expected}`);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.deepEqual(Object.keys(actual as object).sort(), Object.keys(expected).sort(), label);
    for (const [key, value] of Object.entries(expected)) {
      assertSame((actual as Record<string, unknown>)[key], value, `${label}.${key}`);
    }
  } else assert.equal(actual, expected, label);
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** A trade of the engine under the names of the reference. */
const named = (trade: Trade): Omit<RefSidesTrade, 'exits' | 'fees'> => {
  const { details } = trade;
  assert.ok(details);
  const { margin } = details;
  return {
    side: details.side,
    entry_bar_index: trade.entryBar,
    exit_bar_index: trade.exitBar,
    entry_price: trade.entryPrice,
    exit_price: trade.exitPrice,
    position_size: trade.size,
    stop_loss_price: orNull(trade.stopPrice),
    take_profit_price: orNull(trade.targetPrice),
    initial_stop_price: orNull(details.initialStopPrice),
    liquidation_price: margin === null ? null : orNull(margin.liquidationPrice),
    margin: margin === null ? null : margin.amount,
    return_on_margin: margin === null ? null : margin.returnOnMargin,
    profit_loss: trade.profitLoss,
    profit_loss_pct: trade.profitLossPct,
    entry_fee: trade.entryFee,
    exit_fee: trade.exitFee,
    slippage_cost: trade.slippageCost,
    funding_paid: trade.fundingPaid,
    borrow_paid: details.borrowPaid,
    beginning_balance: trade.beginningBalance,
    ending_balance: trade.endingBalance,
    bars_held: trade.barsHeld,
    exit_reason: trade.exitReason,
  };
};

function compare({ input }: MixedWorld, expected: RefSidesResult, result: Simulation): void {
  const { denials, sided } = result;
  assert.ok(sided);
  const shorts = new Set(sided.deniedShorts);
  const denied = Array.from(denials.bars, (bar, i) => {
    return { bar, reason: denialReasons[denials.reasons[i] ?? -1], side: shorts.has(i) ? 'short' : 'long' };
  });
  assert.deepEqual(denied, expected.denied_entries);
  assert.deepEqual(
    result.trades.map(({ exitReason, entryBar, exitBar }) => [exitReason, entryBar, exitBar]),
    expected.trades.map((trade) => [trade.exit_reason, trade.entry_bar_index, trade.exit_bar_index]),
  );
  for (const [i, trade] of result.trades.entries()) {
    const { exits, fees, ...wanted } = expected.trades[i] as RefSidesTrade;
    assertSame(named(trade), wanted, `trade ${i}`);
    if (trade.details?.exits) assertSame(trade.details.exits, exits, `trade ${i} exits`);
    else assert.equal(exits.length, 1);
  }
  assertSame(Array.from(result.equity), expected.equity, 'equity');
  assertSame(Array.from(sided.cash), expected.cash, 'cash');
  assert.equal(result.exposedBars, expected.exposed_bars);
  assert.deepEqual(sided.orders, expected.orders);
  assert.deepEqual({ ...sided.detail }, expected.detail);
  const { bars, first, config } = input;
  const metrics = computeMetrics({ ...result, bars, first, config }) as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(expected.metrics)) assertSame(metrics[name], value, name);
}

/** Names that the cases have for values of the reference. */
const alias: Readonly<Record<string, string>> = { entry_bar: 'entry_bar_index', exit_bar: 'exit_bar_index' };
const written = new Set(['side', 'entry_timestamp', 'exit_timestamp', 'exits', 'member']);

test('the second implementation gives the answers of a third', () => {
  const { trade_keys, cases } = readSidesCases();
  const every = runs(10, 1, 1);
  for (const one of cases.filter((_, i) => i % every === 0)) {
    const run = referenceSides(requestOf(one));
    const { expected } = one;
    const label = one.title ?? one.id;
    assert.equal(run.trades.length, expected.trades.length, label);
    for (const [i, trade] of run.trades.entries()) {
      for (const [k, value] of (expected.trades[i] ?? []).entries()) {
        const key = trade_keys[k] ?? '';
        const own = (trade as unknown as Record<string, unknown>)[alias[key] ?? key];
        if (!written.has(key) && value !== null) assertSame(own, value, `${label}, trade ${i} ${key}`);
      }
    }
    assert.deepEqual(
      run.denied_entries.map(({ bar, reason }) => [bar, reason]),
      expected.denied_entries,
    );
    assertSame(run.equity, expected.equity, label);
    assertSame(run.metrics, { ...run.metrics, ...expected.metrics }, label);
    if (expected.order_expired !== undefined) assert.equal(run.orders.expired, expected.order_expired);
    if (expected.detail !== undefined) assert.deepEqual(run.detail, expected.detail);
  }
});

const reasons = ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'END'];
/** What the worlds of all seeds must reach, or the agreement would say little. */
const wanted = [
  ...[...reasons, 'TRAIL', 'LIQUIDATION', 'OPPOSITE', 'GUARD', 'SCALE_OUT'].flatMap((reason) => [
    `exit_long ${reason}`,
    `exit_short ${reason}`,
  ]),
  ...ownReasons.flatMap((reason) => [`long ${reason}`, `short ${reason}`]),
  ...Object.keys(SIDES_DEFAULTS),
  ...['close', 'reverse', 'hedge'].map((value) => `opposite_entry ${value}`),
  ...['fixed', 'schedule', 'none'].map((value) => `target_calculation ${value}`),
  ...['limit', 'stop'].map((value) => `entry_order ${value}`),
  ...['fixed_amount', 'equity_share', 'volatility_target'].map((value) => `position_sizing ${value}`),
  'order expired',
  'order cancelled',
  'order denied inside',
  'order at a finer open',
  ...['limit', 'stop'].flatMap((kind) => [`${kind} order at the open`, `${kind} order inside`]),
  ...['stop', 'liquidation', 'target', 'scale-out'].flatMap((name) => [
    `${name} at its level`,
    `${name} at an open beyond it`,
  ]),
  ...['drawdown guard', 'daily loss guard', 'group stop'],
  'reversal',
  'used up by carry',
  'carry that the margin bears at a liquidation',
  'reversal denied after the sale',
  'impact on no volume',
  'impact cut at its maximum',
  'size cut for impact',
  'size without volatility',
  'entered and left in one bar',
  'both sides at once',
  'funding received',
  'funding paid',
  'borrowing paid',
  'scaled out, then stopped',
  'last part sold by a scale-out',
  'sold beyond its liquidation price',
  'stop touched exactly',
  'target touched exactly',
  'stop equal to the liquidation price',
  'scale-out at the target',
  'detail resolved',
  'detail changed',
  'detail unresolved',
  'account without a value',
];

function count(seen: Map<string, number>, { request }: MixedWorld, result: RefSidesResult): void {
  const see = (what: string, times = 1) => seen.set(what, (seen.get(what) ?? 0) + times);
  for (const name of usedSettings(request.config)) see(name);
  for (const { side, reason } of result.denied_entries) see(`${side} ${reason}`);
  for (const trade of result.trades) {
    const { side, exit_reason: reason, exits, stop_loss_price: stop, take_profit_price: target } = trade;
    const bar = request.bars[trade.exit_bar_index];
    assert.ok(bar);
    for (const exit of exits) see(`exit_${side} ${exit.reason}`);
    const [worst, best] = side === 'long' ? [bar.l, bar.h] : [bar.h, bar.l];
    if (reason === 'SL' && worst === stop) see('stop touched exactly');
    if (reason === 'TP' && best === target) see('target touched exactly');
    if (reason === 'LIQUIDATION' && trade.liquidation_price === stop) see('stop equal to the liquidation price');
    const [before, last] = exits.slice(-2);
    if (exits.length > 1) {
      const isAtTarget = last?.reason === 'TP' && before?.price === last.price && before.bar === last.bar;
      if (isAtTarget && target !== bar.o) see('scale-out at the target');
      if (last?.reason === 'SL') see('scaled out, then stopped');
      if (last?.reason === 'SCALE_OUT') see('last part sold by a scale-out');
    }
    if (trade.exit_bar_index === trade.entry_bar_index) see('entered and left in one bar');
    const overlaps = result.trades.some(
      (other) =>
        other.side !== side &&
        other.entry_bar_index < trade.exit_bar_index &&
        other.exit_bar_index > trade.entry_bar_index,
    );
    if (overlaps) see('both sides at once');
    if (trade.funding_paid < 0) see('funding received');
    if (trade.funding_paid > 0) see('funding paid');
    if (trade.borrow_paid > 0) see('borrowing paid');
    const isAtOpen = trade.bars_held === trade.exit_bar_index - trade.entry_bar_index;
    const sign = side === 'long' ? 1 : -1;
    const { liquidation_price: liquidation } = trade;
    if (isAtOpen && liquidation !== null && sign * bar.o <= sign * liquidation)
      see('sold beyond its liquidation price');
  }
  for (const [what, times] of Object.entries(result.notes)) see(what, times);
  see('order expired', result.orders.expired);
  for (const [what, times] of Object.entries(result.detail)) see(`detail ${what}`, times);
  if (result.equity.some((value) => value <= 0)) see('account without a value');
}

/** Worlds of what few others reach, such as an account that has lost everything. */
const rareWorlds = [133, 236, 297, 496, 627, 947, 1028];

test('a second implementation agrees in trades, denials, equity, cash, orders, finer bars and metrics', () => {
  const seen = new Map<string, number>();
  const differences: string[] = [];
  const worlds = runs(120, 10_000);
  for (const seed of new Set([...rareWorlds, ...Array.from({ length: worlds }, (_, i) => i + 1)])) {
    const world = mixedWorld(seed);
    const expected = referenceSides(world.request);
    count(seen, world, expected);
    try {
      const stepped = simulateByStep(world.input);
      compare(world, expected, stepped);
      const simulated = simulate(world.input);
      if (simulated.sided !== undefined) assert.deepStrictEqual(simulated, stepped);
    } catch (error) {
      differences.push(`seed ${seed}: ${(error as Error).message}`);
    }
  }
  assert.deepEqual(differences, []);
  const missing = wanted.filter((what) => (seen.get(what) ?? 0) === 0);
  assert.deepEqual(missing, [], `never seen in ${worlds} worlds`);
});
