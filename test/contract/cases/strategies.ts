import assert from 'node:assert/strict';
import { publishedDefaults } from '../../../engine/execution/index.js';
import { asRest } from '../../support/api.js';
import { contract } from '../../support/contract.js';

const trigger = { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} };
const filter = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } };
const definition = { name: 'Dip Buyer 2', asset: 'BTC-USD', entry: [trigger, filter] };

contract('supplied settings override the defaults, the cooldown entry by entry', async ({ api }) => {
  const hourly = { short_loss_limit: 1, long_loss_limit: 2, short_window_bars: 3, long_window_bars: 4 };
  const { body } = await api.call('Strategies.Create', {
    ...definition,
    reward_factor: 3,
    execution_config: { initial_balance: 500, cooldown_config: { '1h': hourly }, timeframe: '1h', whatever: 1 },
  });
  const { execution_config: config, execution_state: state, rules } = body.strategy;
  assert.equal(rules.reward_factor, 3);
  assert.equal(config.reward_factor, 3);
  assert.deepEqual(config.cooldown_config['1h'], hourly);
  assert.deepEqual(config.cooldown_config['1d'], publishedDefaults.cooldown_config?.['1d']);
  assert.equal(state.cash_balance, 500);
  assert.ok(!('whatever' in config));
});

const refusals: readonly [what: string, change: object, message: RegExp][] = [
  ['rules that are no array', { entry: 'rsi' }, /^entry must be an array/],
  ['a lone trigger', { entry: [trigger] }, /exactly 1 FILTER, has 0/],
  ['an empty name', { name: ' ' }, /^name must have 1..200/],
  ['a negative balance', { execution_state: { cash_balance: -1 } }, /^cash_balance must be/],
];

contract('a wrong strategy is refused with the reason', async ({ api }) => {
  for (const [what, change, message] of refusals) {
    const answer = await api.call('Strategies.Create', { ...definition, ...change });
    assert.equal(answer.code, 'VALIDATION_ERROR', what);
    assert.match(answer.message ?? '', message, what);
  }
  const { body } = await api.call('Strategies.List');
  assert.equal(body.total, 0, 'nothing is stored');
});

const cross = (name: string) => ({ name, signal_type: 'TRIGGER', timeframe: '1h', params: {} });
const both = {
  ...definition,
  exit: [cross('rsi_cross_down')],
  short_entry: {
    any: [
      [cross('rsi_cross_down'), { ...filter, negate: true }],
      [cross('sma_cross_down'), filter],
    ],
  },
  short_exit: [{ ...cross('rsi_cross_up'), within_bars: 3 }],
};

contract('a strategy of both sides is stored, shown, changed and run', async ({ api }) => {
  const sided = { leverage: 3, trailing_distance: 0.5, scale_out: [[1, 0.5]], detail_interval: null };
  const { body } = await api.call('Strategies.Create', { ...both, execution_config: sided });
  const { strategy, warnings } = body;
  assert.deepEqual(warnings, []);
  assert.deepEqual(strategy.rules, {
    ...{ name: 'dip_buyer_2', asset: 'BTC-USD', entry: both.entry, exit: both.exit, reward_factor: 2 },
    ...{ short_entry: both.short_entry, short_exit: both.short_exit },
  });
  for (const [name, value] of Object.entries(sided)) assert.deepEqual(strategy.execution_config[name], value, name);
  assert.deepEqual((await api.call('Strategies.Get', { strategy_id: strategy.id })).body.strategy, strategy);
  const [own] = asRest('Strategies.ListMine', await api.call('Strategies.ListMine')).body.strategies;
  assert.deepEqual(own.short_entry_signals, ['rsi_cross_down', 'is_above_sma', 'sma_cross_down', 'is_above_sma']);
  const window = { interval: '1h', start_date: '2024-01-01', end_date: '2024-06-30' };
  const costs = { fee_pct: 0.0005, slippage_pct: 0 };
  const run = (id: string, more = {}) =>
    api.call('Batch.RunBulk', { ...window, execution_config: costs, strategy_ids: [id], ...more });
  const { body: bulk } = await run(strategy.id);
  const [item] = bulk.results;
  assert.equal(item.error, null);
  const { body: kept } = await api.call('Backtests.Get', { id: item.backtest_id });
  assert.ok(kept.side_metrics.long.trades > 0 && kept.side_metrics.short.trades > 0);
  assert.ok(kept.trade_history.some(({ exits }: { exits: object[] }) => exits.length > 1));
  const dropped = await api.call('Strategies.Update', { strategy_id: strategy.id, short_entry: [] });
  assert.ok(!('short_entry' in dropped.body.strategy.rules) && !('short_exit' in dropped.body.strategy.rules));
});

contract('lists come in pages, newest first, without archived strategies', async ({ api, other }) => {
  const ids: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    const { body } = await api.call('Strategies.Create', { ...definition, name });
    ids.unshift(body.strategy.id);
  }
  const page = await api.call('Strategies.List', { skip: 1, limit: 1 });
  assert.deepEqual(
    page.body.strategies.map(({ id }: { id: string }) => id),
    [ids[1]],
  );
  assert.deepEqual([page.body.total, page.body.skip, page.body.limit], [3, 1, 1]);
  assert.equal((await other.call('Strategies.List')).body.total, 0);
  const { body: archived } = await api.call('Strategies.Archive', { strategy_id: ids[0] });
  assert.equal(archived.archived, true);
  const again = await api.call('Strategies.Archive', { strategy_id: ids[0] });
  assert.equal(again.body.archived_at, archived.archived_at, 'archiving twice changes nothing');
  assert.equal((await api.call('Strategies.List')).body.total, 2);
  assert.equal((await api.call('Strategies.List', { include_archived: true })).body.total, 3);
  await api.call('Strategies.Unarchive', { strategy_id: ids[0] });
  assert.equal((await api.call('Strategies.List')).body.total, 3);
});

contract('an update replaces what it names and merges settings into the stored ones', async ({ api }) => {
  const { body } = await api.call('Strategies.Create', {
    ...definition,
    execution_config: { initial_balance: 500 },
  });
  const { id, content_hash: hash } = body.strategy;
  const exit = [{ ...trigger, name: 'rsi_cross_down' }];
  const updated = await api.call('Strategies.Update', {
    strategy_id: id,
    rules: { exit },
    execution_config: { max_open_positions: 1 },
    description: 'sells too',
  });
  const { strategy } = updated.body;
  assert.deepEqual(strategy.rules.exit, exit);
  assert.deepEqual(strategy.rules.entry, definition.entry);
  assert.equal(strategy.execution_config.initial_balance, 500);
  assert.equal(strategy.execution_config.max_open_positions, 1);
  assert.equal(strategy.description, 'sells too');
  assert.notEqual(strategy.content_hash, hash);
  const bad = await api.call('Strategies.Update', { strategy_id: id, entry: [] });
  assert.equal(bad.code, 'VALIDATION_ERROR');
  await api.call('Strategies.SetStatus', { strategy_id: id, status: 'archived' });
  const late = await api.call('Strategies.Update', { strategy_id: id, name: 'too late' });
  assert.equal(late.code, 'VALIDATION_ERROR');
});

contract('status and execution state can be set', async ({ api }) => {
  const { body } = await api.call('Strategies.Create', definition);
  const { id: strategy_id } = body.strategy;
  const status = await api.call('Strategies.SetStatus', { strategy_id, status: 'paper' });
  assert.equal(status.body.status, 'paper');
  assert.equal((await api.call('Strategies.SetStatus', { strategy_id })).code, 'MISSING_FIELD');
  assert.equal((await api.call('Strategies.SetStatus', { strategy_id, status: 'x' })).code, 'VALIDATION_ERROR');
  const state = await api.call('Strategies.SetExecutionState', { strategy_id, execution_state: { cash_balance: 5 } });
  assert.equal(state.body.execution_state.cash_balance, 5);
  assert.equal(state.body.execution_state.account_value, 10_000);
  const empty = await api.call('Strategies.SetExecutionState', { strategy_id, execution_state: {} });
  assert.equal(empty.code, 'MISSING_FIELD');
});

contract('a deleted strategy is gone from every read', async ({ api }) => {
  const { body } = await api.call('Strategies.Create', definition);
  const { id: strategy_id } = body.strategy;
  assert.equal((await api.call('Strategies.Delete', { strategy_id })).code, 'OK');
  assert.equal((await api.call('Strategies.Get', { strategy_id })).code, 'RESOURCE_NOT_FOUND');
  assert.equal((await api.call('Strategies.Delete', { strategy_id })).code, 'RESOURCE_NOT_FOUND');
  assert.equal((await api.call('Strategies.List')).body.total, 0);
});

contract('the overview finds strategies by text and status, with their signals and settings', async ({ api }) => {
  const { body: dip } = await api.call('Strategies.Create', { ...definition, name: 'Dip 100%_sure' });
  await api.call('Strategies.Create', { ...definition, name: 'Trend', asset: 'ETH' });
  await api.call('Strategies.SetStatus', { strategy_id: dip.strategy.id, status: 'live' });
  const all = await api.call('Strategies.ListMine');
  assert.deepEqual([all.body.total, all.body.limit, all.body.offset], [2, 50, 0]);
  const active = await api.call('Strategies.ListMine', { status: 'active' });
  const [found] = active.body.strategies;
  assert.deepEqual(active.body.strategies.length, 1);
  assert.equal(found.name, 'Dip 100%_sure');
  assert.deepEqual(found.entry_signals, ['rsi_cross_up', 'is_above_sma']);
  assert.deepEqual(found.exit_signals, []);
  assert.deepEqual(found.config, dip.strategy.execution_config);
  assert.equal((await api.call('Strategies.ListMine', { search: 'eth' })).body.total, 1);
  assert.equal((await api.call('Strategies.ListMine', { search: '0%_S' })).body.total, 1);
  assert.equal(
    (await api.call('Strategies.ListMine', { search: '%s%' })).body.total,
    0,
    'read as text, not as a pattern',
  );
  assert.equal((await api.call('Strategies.ListMine', { status: 'lost' })).code, 'VALIDATION_ERROR');
  const beyond = await api.call('Strategies.ListMine', { offset: 5 });
  assert.deepEqual([beyond.body.total, beyond.body.strategies], [2, []]);
});
