import assert from 'node:assert/strict';
import test from 'node:test';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { evaluateInline } from '../../../../service/execution/evaluate-strategy.js';
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
  await assert.rejects(evaluate({ ...inline, atr_period: 3 }), refused(/atr_period/));
  await assert.rejects(evaluate({ ...inline, execution_state: { cash_balance: '5' } }), refused(/cash_balance/));

  const position = { entry_price: 100, position_size: 1, entry_timestamp: '2024-01-02' };
  const given = (changes: object) => evaluate(inline, [{ ...position, ...changes }]);
  await assert.rejects(
    given({ entry_price: 0 }),
    refused(/open_positions\[0\].entry_price must be a number > 0.*was 0/),
  );
  await assert.rejects(given({ asset: 'ETH' }), refused(/asset must be BTC/));
  await assert.rejects(
    evaluate(inline, [
      { ...position, id: 'a' },
      { ...position, id: 'a' },
    ]),
    refused(/\[1\].id/),
  );
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
