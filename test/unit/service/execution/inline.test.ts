import assert from 'node:assert/strict';
import test from 'node:test';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { evaluateInline } from '../../../../service/execution/evaluate-strategy.js';
import { barsOf } from '../../../support/execution.js';
import {
  aboveAverage,
  ann,
  bought,
  brief,
  code,
  fall,
  flats,
  inline,
  orders,
  positionsOf,
  refused,
  rule,
  settings,
  start,
  up,
  world,
} from '../../../support/execution-world.js';

test('a refused signal makes its side false, and the evaluation succeeds', async () => {
  const w = await world([...flats, up]);
  const entry = [aboveAverage, rule('no_such_signal', 'FILTER')];
  const result = await evaluateInline(ann, { strategy: { ...inline, entry } }, w.services);
  assert.deepEqual([result.success, result.new_orders], [true, []]);
});

test('the first entry rule names the primary timeframe; coarser rules count when their bars have closed', async () => {
  const w = await world([...flats, up]);
  const coarse = rule('is_above_sma', 'FILTER', { window: 2 }, '4h');
  const result = await evaluateInline(ann, { strategy: { ...inline, entry: [aboveAverage, coarse] } }, w.services);
  assert.deepEqual(result.new_orders, [], 'the bar of four hours that rises is not complete');
  const finer = await evaluateInline(
    ann,
    { strategy: { ...inline, entry: [aboveAverage, { ...coarse, timeframe: '15m' }] } },
    w.services,
  );
  assert.deepEqual(finer.new_orders, [], 'a finer rule is refused');
  assert.deepEqual([...new Set(w.market.fetched)], ['BTC 3600000']);
});

test('an inline definition may be flat or nested, and starts fresh from its own initial balance', async () => {
  const w = await world([...flats, up]);
  const before = await w.snapshot();
  const { entry, ...rest } = inline;
  const nested = {
    ...rest,
    rules: { entry, reward_factor: 3 },
    execution_config: { ...settings, initial_balance: 500 },
  };
  const result = await evaluateInline(ann, { strategy: nested }, w.services);
  assert.equal(result.new_orders[2].price, 102 + 3 * 102 * 0.05);
  assert.ok(Math.abs(result.execution_state.account_value - 500) < 1e-9);
  assert.deepEqual([result.strategy_id, result.strategy_name, result.user_id], [null, 'Dip', ann.userId]);
  assert.equal(await w.snapshot(), before);
});

test('an inline definition that is kept continues from its last evaluation', async () => {
  const w = await world([...flats, up, fall]);
  w.market.now = start + 49 * HOUR_MS;
  const first = await evaluateInline(ann, { strategy: inline, persist: true }, w.services);
  const again = await evaluateInline(ann, { strategy: inline, persist: true }, w.services);
  assert.deepEqual([orders(first), orders(again)], [bought, []]);
  w.market.now += HOUR_MS;
  const later = await evaluateInline(ann, { strategy: inline, persist: true }, w.services);
  assert.match(orders(later)[0], /stop_loss filled/);
  assert.equal((await positionsOf(w))[0].strategy_id, null);
});

test('positions that the caller keeps come back with their orders until they are sold', async () => {
  const w = await world([...flats, up, up, fall]);
  w.market.now = start + 49 * HOUR_MS;
  const before = await w.snapshot();
  const strategy = { ...inline, execution_config: { ...settings, max_open_positions: 1 } };
  const first = await evaluateInline(ann, { strategy, open_positions: [] }, w.services);
  assert.deepEqual(orders(first), bought);
  const [position] = first.open_positions!;
  assert.deepEqual(position.orders?.map(brief), bought.slice(1));
  assert.deepEqual(position.orders, first.new_orders.slice(1));

  const echo = () => ({
    strategy: { ...strategy, execution_state: JSON.parse(JSON.stringify(first.execution_state)) },
    open_positions: JSON.parse(JSON.stringify(first.open_positions)),
  });
  const again = await evaluateInline(ann, echo(), w.services);
  assert.deepEqual([again.new_orders, again.open_positions], [[], first.open_positions], 'nothing twice in one bar');
  w.market.now += HOUR_MS;
  const held = await evaluateInline(ann, echo(), w.services);
  assert.deepEqual(held.open_positions, first.open_positions);
  w.market.now += HOUR_MS;
  const last = await evaluateInline(ann, echo(), w.services);
  assert.deepEqual(orders(last), ['exit_long stop_loss filled 96.9', 'exit_long take_profit cancelled 112.2']);
  assert.deepEqual(last.open_positions, []);
  assert.equal(last.new_orders[0].id, first.new_orders[1].id);
  assert.equal(await w.snapshot(), before, 'nothing is stored');
});

test("a caller's position keeps its names, and a missing level never fills", async () => {
  const w = await world([...flats, up, [102, 1_000, 1, 102]]);
  const given = {
    id: 'mine',
    account_id: 'desk',
    exchange: 'x',
    asset: 'BTC/USDT',
    entry_price: 102,
    position_size: 0.5,
    entry_timestamp: '2024-01-03T01:00:00.000+00:00',
    open: true,
    orders: [{ id: 'my-target', order_type: 'take_profit', status: 'pending', price: 900 }],
  };
  const strategy = { ...inline, entry: [rule('dc_lower_breakout', 'TRIGGER')] };
  const result = await evaluateInline(ann, { strategy, open_positions: [given] }, w.services);
  assert.deepEqual(orders(result), ['exit_long take_profit filled 900']);
  assert.equal(result.new_orders[0].id, 'my-target');
  assert.equal(result.execution_state.cash_balance, 10_000 + 450);

  const open = { ...given, orders: undefined, open: undefined };
  const kept = await evaluateInline(ann, { strategy, open_positions: [open, { ...given, open: false }] }, w.services);
  const [position] = kept.open_positions!;
  assert.deepEqual([position.id, position.account_id, position.exchange], ['mine', 'desk', 'x']);
  assert.deepEqual([position.stop_loss_price, position.take_profit_price, position.orders], [null, null, []]);
});

test('a refusal of a definition or a position names field, bound and value', async () => {
  const w = await world([...flats, up]);
  const evaluate = (strategy: unknown, open_positions?: unknown) =>
    evaluateInline(ann, { strategy, open_positions }, w.services);
  await assert.rejects(evaluate(undefined), code('MISSING_FIELD', /strategy/));
  await assert.rejects(evaluate({ name: 'x' }), code('MISSING_FIELD', /strategy.asset, strategy.rules/));
  await assert.rejects(evaluate([]), refused(/strategy must be an object/));
  await assert.rejects(evaluate({ ...inline, asset: '../etc' }), refused(/asset must/));
  await assert.rejects(
    evaluate({ ...inline, entry: [{ ...aboveAverage, timeframe: '1m' }] }),
    refused(/timeframe.*1m/),
  );
  await assert.rejects(evaluate({ ...inline, entry: [aboveAverage, aboveAverage] }), refused(/1 TRIGGER/));
  await assert.rejects(evaluate({ ...inline, atr_period: 3 }), refused(/atr_period/));
  await assert.rejects(evaluate({ ...inline, rules: { entry: [aboveAverage], atr_period: 3 } }), refused(/atr_period/));
  await assert.rejects(evaluate({ ...inline, position_size_calc: 'v3' }), refused(/position_size_calc/));
  await assert.rejects(evaluate({ ...inline, execution_config: { fee_pct: -1 } }), refused(/fee_pct.*-1/));
  await assert.rejects(evaluate({ ...inline, execution_state: { cash_balance: '5' } }), refused(/cash_balance/));
  await assert.rejects(evaluate({ ...inline, execution_state: { total_trades: 1.5 } }), refused(/total_trades/));

  const position = { entry_price: 100, position_size: 1, entry_timestamp: '2024-01-02' };
  const given = (changes: object) => evaluate(inline, [{ ...position, ...changes }]);
  await assert.rejects(
    given({ entry_price: 0 }),
    refused(/open_positions\[0\].entry_price must be a number > 0.*was 0/),
  );
  await assert.rejects(given({ position_size: 1e300 }), refused(/position_size/));
  await assert.rejects(given({ entry_timestamp: 'soon' }), refused(/entry_timestamp/));
  await assert.rejects(given({ entry_timestamp: undefined }), code('MISSING_FIELD', /entry_timestamp/));
  await assert.rejects(given({ asset: 'ETH' }), refused(/asset must be BTC/));
  await assert.rejects(given({ orders: 'none' }), refused(/orders/));
  await assert.rejects(
    evaluate(inline, [
      { ...position, id: 'a' },
      { ...position, id: 'a' },
    ]),
    refused(/\[1\].id/),
  );
  await assert.rejects(evaluate(inline, {}), refused(/open_positions must be an array/));
});

test('a kept inline definition reaches back to its last evaluation', async () => {
  const w = await world([...flats, up]);
  await evaluateInline(ann, { strategy: inline, persist: true }, w.services);
  w.market.now += 2 * (w.market.now - w.market.fromMs);
  await evaluateInline(ann, { strategy: inline, persist: true }, w.services);
  assert.equal(w.market.fromMs, start + 24 * HOUR_MS);
});

test('positions that the caller keeps count against the cap of the day they were bought on', async () => {
  const w = await world([...flats, up]);
  const position = { entry_price: 100, position_size: 1, entry_timestamp: '2024-01-03T00:00:00Z' };
  const capped = { ...inline, execution_config: { ...settings, max_trades_per_day: 1 } };
  const full = await evaluateInline(ann, { strategy: capped, open_positions: [position] }, w.services);
  assert.deepEqual(full.new_orders, []);
  const yesterday = { ...position, entry_timestamp: '2024-01-02T00:00:00Z' };
  const free = await evaluateInline(ann, { strategy: capped, open_positions: [yesterday] }, w.services);
  assert.deepEqual(orders(free), bought);
});

test('positions may be given in any order', async () => {
  const w = await world([...flats, up, fall]);
  const common = { entry_price: 102, position_size: 1, stop_loss_price: 90 };
  const late = { ...common, id: 'late', entry_timestamp: '2024-01-03T01:30:00Z' };
  const early = { ...common, id: 'early', entry_timestamp: '2024-01-03T01:00:00Z' };
  const result = await evaluateInline(ann, { strategy: inline, open_positions: [late, early] }, w.services);
  assert.deepEqual(
    result.new_orders.filter(({ status }) => status === 'filled').map(({ position_id }) => position_id),
    ['early'],
    'the bar that fell had begun before the late one',
  );
});

test('null leaves a setting at its default, and switches off those that can be off', async () => {
  const w = await world([...flats, up]);
  const execution_config = { ...settings, max_open_positions: null, max_hold_bars: null, cooldown_config: null };
  const result = await evaluateInline(ann, { strategy: { ...inline, execution_config } }, w.services);
  assert.deepEqual(orders(result), bought);
});

test('an answer names a history that is too short for the rules, and bars that are missing', async () => {
  const short = await world([...flats, up]);
  const evaluate = async (w: Awaited<ReturnType<typeof world>>) =>
    (await evaluateInline(ann, { strategy: inline }, w.services)).warnings.filter((text) => !text.startsWith('entry:'));
  assert.match(
    (await evaluate(short)).join('\n'),
    /^history: 49 bars are held, the rules and sizes need \d+ to warm up and settle/,
  );
  const rows = Array.from({ length: 3_500 }, () => flats[0]!);
  assert.deepEqual(await evaluate(await world([...rows, up])), []);
  const whole = barsOf([...rows, up]);
  const kept = Array.from(whole.time, (_, i) => i).filter((i) => i < 3_450 || i >= 3_453);
  const cut = (column: Float64Array) => Float64Array.from(kept, (i) => column[i]!);
  const { time, open, high, low, close, volume } = whole;
  const holed = {
    ...{ ...whole, barCount: kept.length, time: cut(time), open: cut(open), high: cut(high) },
    ...{ low: cut(low), close: cut(close), volume: cut(volume) },
  };
  const w = await world([...rows, up], { 'BTC 3600000': holed });
  assert.match((await evaluate(w)).join('\n'), /^bars: 3 bars are missing between /);
});
