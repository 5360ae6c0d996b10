import assert from 'node:assert/strict';
import test from 'node:test';
import type { Api } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';

/** Both hold on the last bundled bar of BTC and of ETH, so an evaluation buys. */
const trigger = { name: 'roc_negative', signal_type: 'TRIGGER', timeframe: '1h', params: {} };
const filter = { name: 'stc_oversold', signal_type: 'FILTER', timeframe: '1h', params: {} };
const settings = { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.05, slippage_pct: 0, fee_pct: 0 };
const definition = { name: 'Dip', asset: 'BTC-USD', entry: [trigger, filter], execution_config: settings };
/** Bought above the price by more than the stop distance, so sold at once. */
const hasty = { ...settings, fixed_stop_pct: 0.001, slippage_pct: 0.004 };
/** The same for ETH on days, whose last close is earlier than that of the hours. */
const daily = [
  { ...trigger, name: 'roc_positive', timeframe: '1D' },
  { ...filter, name: 'bop_bearish', timeframe: '1D' },
];
const none = { trades: [], total: 0, skip: 0, limit: 100 };
const unknown = '00000000-0000-4000-8000-000000000000';

async function save(api: Api, changes: object = {}): Promise<string> {
  const { body, message } = await api.call('Strategies.Create', { ...definition, ...changes });
  assert.equal(message, null);
  return body.strategy.id;
}

const strategyOf = async (api: Api, strategy_id: string) =>
  (await api.call('Strategies.Get', { strategy_id })).body.strategy;

interface Order {
  readonly side: string;
  readonly order_type: string;
  readonly status: string;
  readonly position_id: string;
}
const brief = (orders: readonly Order[]) =>
  orders.map(({ side, order_type, status }) => `${side} ${order_type} ${status}`);

const sell = { ...definition, entry: undefined, short_entry: [trigger, filter] };

for (const [side, own] of [
  ['long', {}],
  ['short', { ...sell, execution_config: { ...settings, leverage: 2 } }],
] as const) {
  contract(`a person closes a ${side} position, once, and the strategy goes on`, async ({ api, other }) => {
    const strategy_id = await save(api, own);
    const { body: entered } = await api.call('Execution.Evaluate', { strategy_id });
    const id = entered.new_orders[0].position_id;
    assert.equal((await other.call('Execution.ClosePosition', { id })).code, 'RESOURCE_NOT_FOUND');
    const { code, message, body } = await api.call('Execution.ClosePosition', { id });
    assert.equal(code, 'OK', String(message));
    const { position } = body;
    assert.deepEqual(
      [position.id, position.open, position.exit_reason, position.exit_price],
      [id, false, 'MANUAL', entered.current_price],
    );
    assert.deepEqual(brief(body.new_orders).toSorted(), [
      `exit_${side} market filled`,
      `exit_${side} stop_loss cancelled`,
      `exit_${side} take_profit cancelled`,
    ]);
    // Without costs, a sale at the price of the purchase gives the balance back.
    assert.deepEqual([body.execution_state.num_open_positions, body.execution_state.total_trades], [0, 1]);
    assert.ok(Math.abs(body.execution_state.cash_balance - 10_000) < 1e-9);
    const { body: trades } = await api.call('Execution.ListTrades');
    assert.deepEqual([trades.total, trades.trades[0].position_id], [1, id]);
    const { body: after } = await api.call('Execution.Evaluate', { strategy_id });
    assert.deepEqual(after.new_orders, [], 'the close that was decided gives no entry again');
    const again = await api.call('Execution.ClosePosition', { id });
    assert.deepEqual([again.code, again.message], ['INVALID_STATE', `position ${id} cannot be closed: it is closed`]);
  });
}

contract('a short position is sold with margin, and bought back where its stop is met', async ({ api }) => {
  const strategy_id = await save(api, { ...sell, execution_config: { ...settings, leverage: 4 } });
  const { body } = await api.call('Execution.Evaluate', { strategy_id });
  assert.deepEqual(brief(body.new_orders), [
    'enter_short market filled',
    'exit_short stop_loss pending',
    'exit_short take_profit pending',
  ]);
  const [entry, stop, target] = body.new_orders;
  assert.ok(stop.price > entry.price && target.price < entry.price);
  const { body: held } = await api.call('Execution.ListPositions', { strategy_id });
  const [position] = held.positions;
  assert.equal(position.side, 'short');
  assert.ok(Math.abs(position.margin - position.cost / 4) < 1e-6 * position.cost);
  assert.ok(position.liquidation_price > position.entry_price);
  const { body: one } = await api.call('Execution.GetPosition', { id: position.id });
  assert.deepEqual(one, position);
  assert.ok(Math.abs(body.execution_state.cash_balance + position.margin - 10_000) < 1e-6);

  // Settings of the open position stay, and so do its sides.
  await api.call('Strategies.Update', { strategy_id, execution_config: { leverage: 2 } });
  const changed = await api.call('Execution.Evaluate', { strategy_id });
  assert.match(changed.message ?? '', /must keep leverage 4 while there are 1 open positions in BTC/);
  const plain = { entry: [trigger, filter], short_entry: [], execution_config: { leverage: 1 } };
  await api.call('Strategies.Update', { strategy_id, ...plain });
  const dropped = await api.call('Execution.Evaluate', { strategy_id });
  assert.match(dropped.message ?? '', /go on using sides, margin, orders or guards while there are 1 open positions/);
});

contract('a bulk evaluation answers for ids first, each in its place, failures included', async ({ api, other }) => {
  const hourly = await save(api);
  const foreign = await save(other);
  const { body } = await api.call('Execution.EvaluateBulk', {
    strategy_ids: [unknown, hourly, foreign],
    strategy_configs: [
      { ...definition, asset: 'ETH', entry: [trigger, { ...filter, timeframe: '1D' }] },
      { ...definition, asset: 'NOSUCHCOIN' },
      { ...definition, open_positions: [] },
    ],
  });
  type Item = { success: boolean; strategy_id: string | null; asset: string | null; error: string | null };
  assert.deepEqual(
    body.results.map(({ success, strategy_id, asset }: Item) => [success, strategy_id, asset]),
    [
      [false, unknown, null],
      [true, hourly, 'BTC-USD'],
      [false, foreign, null],
      [true, null, 'ETH'],
      [false, null, null],
      [true, null, 'BTC-USD'],
    ],
  );
  assert.deepEqual([body.success, body.error, body.data_fetches], [true, null, 3]);
  assert.match(body.results[0].error, /not found/);
  assert.match(body.results[4].error, /No market data/);
  assert.equal(body.results[5].open_positions.length, 1);
  assert.equal((await api.call('Execution.ListPositions')).body.total, 0);
  assert.equal((await strategyOf(api, hourly)).evaluation_count, 0);
});

test('the portfolio takes ids separated by commas or as repeated keys', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  for (const query of ['strategy_ids=a,b', 'strategy_ids=a&strategy_ids=b', 'strategy_ids=a,%20b,']) {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${service.origin}/api/v1/execution/portfolio?${query}`, { headers });
    assert.deepEqual(await response.json(), { success: true, results: [], missing: ['a', 'b'] });
  }
});

contract('an update of an account replaces the settings it names, and balances stay', async ({ api, other }) => {
  const { body: before } = await api.call('Execution.CreateAccount', { account_type: 'paper', risk_params: { a: 1 } });
  const { id } = before;
  const change = { name: 'new', max_risk_per_trade: 0.5, active: false, max_trades_per_day: 0 };
  const { body: after } = await api.call('Execution.UpdateAccount', { id, ...change });
  assert.deepEqual(after, { ...before, ...change, updated_at: after.updated_at });
  assert.deepEqual((await api.call('Execution.GetAccount', { id })).body, after);
  assert.deepEqual((await other.call('Execution.ListAccounts')).body, { accounts: [], total: 0 });
  assert.deepEqual((await api.call('Execution.GetAccount', { id })).body, after);
});

contract('lists of positions and trades can be filtered and come in pages', async ({ api, other }) => {
  const closing = await save(api, { execution_config: hasty });
  const holding = await save(api, { asset: 'ETH-USD', entry: daily });
  await api.call('Execution.Evaluate', { strategy_id: closing });
  await api.call('Execution.Evaluate', { strategy_id: holding });
  const { body: all } = await api.call('Execution.ListPositions');
  assert.deepEqual(
    all.positions.map(({ strategy_id }: { strategy_id: string }) => strategy_id),
    [closing, holding],
    'the latest entry first',
  );
  const [{ account_id }] = all.positions;
  const strategies = async (request: object) => {
    const { body } = await api.call('Execution.ListPositions', request);
    assert.equal(body.total, body.positions.length);
    return body.positions.map(({ strategy_id }: { strategy_id: string }) => strategy_id);
  };
  assert.deepEqual(await strategies({ open_only: true }), [holding]);
  assert.deepEqual(await strategies({ status: 'closed' }), [closing]);
  assert.deepEqual(await strategies({ asset: 'ETH/USDT', account_id }), [holding]);
  assert.deepEqual(await strategies({ strategy_id: closing, status: 'open' }), []);
  const { body: page } = await api.call('Execution.ListPositions', { skip: 1, limit: 1 });
  assert.deepEqual(page, { positions: [all.positions[1]], total: 2, skip: 1, limit: 1 });

  const trades = async (request: object) => (await api.call('Execution.ListTrades', request)).body;
  assert.equal((await trades({ outcome: 'loss', asset: 'BTC', account_id })).total, 1);
  assert.deepEqual(await trades({ outcome: 'win' }), none);
  assert.deepEqual(await trades({ skip: 1, limit: 0 }), { trades: [], total: 1, skip: 1, limit: 1 });

  assert.deepEqual((await other.call('Execution.ListTrades', {})).body, none);
  assert.equal((await other.call('Execution.ListPositions', { account_id })).body.total, 0);
});
