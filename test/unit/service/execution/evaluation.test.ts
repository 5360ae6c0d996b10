import assert from 'node:assert/strict';
import test from 'node:test';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { evaluateInline, evaluateStrategy } from '../../../../service/execution/evaluate-strategy.js';
import { getPortfolio } from '../../../../service/execution/listings.js';
import { barsOf } from '../../../support/execution.js';
import {
  aboveAverage,
  ann,
  bought,
  code,
  fall,
  flat,
  flats,
  inline,
  orders,
  positionsOf,
  save,
  settings,
  start,
  storedOf,
  tradesOf,
  up,
  world,
} from '../../../support/execution-world.js';
import { uuid } from '../../../support/uuid.js';

test('an entry is a filled market order and its two brackets, all of which are stored', async () => {
  const w = await world([...flats, up]);
  const id = await save(w, uuid(10));
  const result = await evaluateStrategy(ann, { strategy_id: id }, w.services);
  assert.deepEqual(orders(result), bought);
  const [entry, stop, target] = result.new_orders;
  const positionId = entry.position_id;
  assert.deepEqual(new Set(result.new_orders.map((order) => order.position_id)), new Set([positionId]));
  assert.ok(result.new_orders.every((order) => order.id === order.order_id));
  assert.equal(new Set(result.new_orders.map((order) => order.id)).size, 3);
  assert.deepEqual([entry.stop_loss_price, entry.take_profit_price], [stop.price, target.price]);
  const size = 100 / (102 - 102 * 0.95);
  assert.ok(Math.abs(entry.position_size - Math.min(size, 9_000 / 102)) < 1e-9);
  assert.deepEqual(
    [result.success, result.strategy_id, result.strategy_name, result.asset, result.current_price, result.error],
    [true, id, 'Dip', 'BTC-USD', 102, null],
  );
  assert.equal(result.timestamp, '2024-01-03T01:00:00Z');
  assert.ok(!('open_positions' in result));

  const stored = await w.store.findStrategy(ann.userId, id);
  assert.deepEqual(stored?.lane.execution_state, result.execution_state);
  assert.deepEqual(await storedOf(w, result), result.new_orders);
  const [position] = await positionsOf(w);
  assert.deepEqual([position.id, position.open, position.strategy_id], [positionId, true, id]);
  const [account] = await w.store.listAccounts(ann.userId, null);
  assert.equal(position.account_id, account.id);
  assert.equal(account.cash_balance, result.execution_state.cash_balance);
  assert.equal(account.account_value, 10_000);
});

test('a second evaluation within the bar buys nothing, not even a concurrent one', async () => {
  const w = await world([...flats, up]);
  const id = await save(w, uuid(10));
  const results = await Promise.all([1, 2, 3].map(() => evaluateStrategy(ann, { strategy_id: id }, w.services)));
  assert.deepEqual(results.map((result) => result.new_orders.length).sort(), [0, 0, 3]);
  w.market.now += HOUR_MS / 2;
  const later = await evaluateStrategy(ann, { strategy_id: id }, w.services);
  assert.deepEqual(later.new_orders, []);
  assert.equal(later.execution_state.num_open_positions, 1);
});

test('a bracket that triggers is filled under its announced id, and its sibling is cancelled', async () => {
  const w = await world([...flats, up, fall, flat]);
  const id = await save(w, uuid(10));
  w.market.now = start + 49 * HOUR_MS;
  const first = await evaluateStrategy(ann, { strategy_id: id }, w.services);
  w.market.now = start + 51 * HOUR_MS;
  const second = await evaluateStrategy(ann, { strategy_id: id }, w.services);
  assert.deepEqual(orders(second), ['exit_long stop_loss filled 96.9', 'exit_long take_profit cancelled 112.2']);
  assert.deepEqual(
    second.new_orders.map((order) => order.id),
    first.new_orders.slice(1).map((order) => order.id),
  );
  const [stop, target] = second.new_orders;
  assert.equal(stop.history.filled, '2024-01-03T01:00:00Z', 'the open of the bar that touched it');
  assert.equal(target.history.cancelled, stop.history.filled);
  assert.deepEqual([second.execution_state.total_trades, second.execution_state.num_open_positions], [1, 0]);

  const [position] = await positionsOf(w);
  assert.deepEqual([position.open, position.exit_reason, position.exit_price], [false, 'SL', 96.9]);
  assert.equal(position.value_at_close, 96.9 * position.position_size);
  const [trade] = await tradesOf(w);
  assert.deepEqual([trade.outcome, trade.position_id, trade.strategy_name], ['loss', position.id, 'Dip']);
  assert.equal(trade.ending_balance, second.execution_state.cash_balance);
  assert.deepEqual(
    (await storedOf(w, first)).map((order) => order?.status),
    ['filled', 'filled', 'cancelled'],
  );
  const portfolio = await getPortfolio(ann, { strategy_ids: [`${uuid(99)},${id}`] }, w.services);
  assert.deepEqual(portfolio.missing, [uuid(99)]);
  assert.equal(portfolio.results[0].recent_trades[0].id, trade.id);
});

test('a dry run shows the outcome and changes no row', async () => {
  const w = await world([...flats, up]);
  const id = await save(w, uuid(10));
  const before = await w.snapshot();
  const dry = await evaluateStrategy(ann, { strategy_id: id, persist: false }, w.services);
  assert.deepEqual(orders(dry), bought);
  assert.equal(dry.execution_state.num_open_positions, 1);
  assert.equal(await w.snapshot(), before);
  const again = await evaluateStrategy(ann, { strategy_id: id, persist: false }, w.services);
  assert.deepEqual(again.new_orders, dry.new_orders, 'a dry run marks no bar as evaluated');
});

test('a strategy whose asset was changed while it holds positions is refused', async () => {
  const w = await world([...flats, up], { 'ETH 3600000': barsOf([...flats, up]) });
  const id = await save(w, uuid(10));
  await evaluateStrategy(ann, { strategy_id: id }, w.services);
  await w.changeStrategy(ann, id, { asset: 'ETH' });
  await assert.rejects(
    evaluateStrategy(ann, { strategy_id: id }, w.services),
    code('VALIDATION_ERROR', /must stay BTC/),
  );
});

test('after a change of timeframe positions are followed on the new bars', async () => {
  const rows = [...flats, up, flat, flat, flat];
  const fourHours = barsOf([...Array.from({ length: 12 }, () => flat), fall], 4 * HOUR_MS);
  const w = await world(rows, { 'BTC 14400000': fourHours });
  const id = await save(w, uuid(10));
  w.market.now = start + 49 * HOUR_MS;
  await evaluateStrategy(ann, { strategy_id: id }, w.services);
  const rules = { entry: [{ ...aboveAverage, timeframe: '4h' }], exit: [] };
  await w.changeStrategy(ann, id, { rules, execution_config: { ...settings, max_hold_bars: 1 } });
  w.market.now = start + 52 * HOUR_MS;
  w.market.price = 101;
  const result = await evaluateStrategy(ann, { strategy_id: id }, w.services);
  assert.match(orders(result)[0], /market filled 101/, 'held one bar of four hours; its low came before the entry');
  assert.equal((await positionsOf(w))[0].exit_reason, 'MAX_HOLD');
});

test("bars reach back to the last evaluation or the caller's oldest position, up to a limit", async () => {
  const w = await world([...flats, up]);
  const id = await save(w, uuid(10));
  await evaluateStrategy(ann, { strategy_id: id }, w.services);
  const history = w.market.now - w.market.fromMs;
  w.market.now += 2 * history;
  await evaluateStrategy(ann, { strategy_id: id, persist: false }, w.services);
  assert.equal(w.market.fromMs, start + 24 * HOUR_MS, 'the day of the bar before the one evaluated last');
  const position = { entry_price: 100, position_size: 1, entry_timestamp: '2024-01-01T12:00:00Z' };
  await evaluateInline(ann, { strategy: inline, open_positions: [position] }, w.services);
  assert.equal(w.market.fromMs, start);
  w.market.now = start + 200_000 * HOUR_MS;
  const late = evaluateStrategy(ann, { strategy_id: id, persist: false }, w.services);
  await assert.rejects(late, code('VALIDATION_ERROR', /No market data for BTC/));
  assert.ok(w.market.fromMs > start + 99_000 * HOUR_MS, String(w.market.fromMs));
});

test('a balance set between two evaluations counts from the next one on', async () => {
  const w = await world([...flats, up, fall]);
  const id = await save(w, uuid(10));
  w.market.now -= HOUR_MS;
  const first = await evaluateStrategy(ann, { strategy_id: id }, w.services);
  const [{ position_size }] = first.new_orders;
  await w.changeStrategy(ann, id, { execution_state: { ...first.execution_state, cash_balance: 50 } });
  w.market.now += HOUR_MS;
  const { execution_state } = await evaluateStrategy(ann, { strategy_id: id }, w.services);
  assert.ok(Math.abs(execution_state.cash_balance - (50 + 96.9 * position_size)) < 1e-9);
  const [trade] = await tradesOf(w);
  assert.ok(Math.abs(trade.beginning_balance - (50 + 102 * position_size)) < 1e-9);
  assert.ok(Math.abs(trade.ending_balance - execution_state.cash_balance) < 1e-9);
});
