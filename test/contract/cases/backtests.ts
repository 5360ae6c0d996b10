import assert from 'node:assert/strict';
import type { UnaryName } from '../../../rpc/index.js';
import type { Answer, Api } from '../../support/api.js';
import { dipStrategy, runBody, without } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

const ID = '00000000-0000-4000-8000-000000000000';

const undated = without(['start_date', 'end_date']);

/** A strategy as it is stored: each side that has rules has one trigger and one filter. */
const saved = {
  name: 'Saved dip',
  asset: 'BTC-USD',
  entry: [
    { ...dipStrategy.entry[0], timeframe: '1D' },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1D', params: { window: 5 } },
  ],
};

async function saveStrategy(api: Api): Promise<string> {
  const { body } = await api.call('Strategies.Create', saved);
  return body.strategy.id;
}

contract('a run answers with metrics, trades and its window, and is stored', async ({ api }) => {
  const { body, code } = await api.call('Backtests.Run', { ...runBody, session_id: 'talk' });
  assert.equal(code, 'OK');
  assert.ok(body.trade_count > 0);
  assert.equal(body.trade_history.length, body.trade_count);
  assert.ok(Number.isFinite(body.metrics.sharpe_ratio) && Number.isFinite(body.metrics.total_return));
  assert.deepEqual(
    [body.start_date, body.end_date, body.asset, body.interval, body.strategy_names, body.error],
    ['2023-01-01T00:00:00Z', '2024-01-01T00:00:00Z', 'BTC', '1d', ['Dip buyer'], null],
  );
  assert.equal(body.diagnostics.filled, body.trade_count);
  const [{ mae, mae_full_bars, mfe, mfe_full_bars }] = body.trade_history;
  assert.ok(mae_full_bars >= mae && mfe_full_bars >= mfe, 'excursions in both conventions');
  assert.ok(body.extended_metrics.value_at_risk_95_daily > 0);
  assert.deepEqual(body.extended_metric_units.value_at_risk_95_daily, { unit: 'fraction', period: 'day' });
  const { body: stored } = await api.call('Backtests.Get', { id: body.backtest_id });
  assert.equal(stored.success, true);
  assert.equal(stored.status, 'completed');
  assert.deepEqual(stored.metrics, body.metrics);
  assert.deepEqual(stored.trade_history, body.trade_history);
  assert.equal(stored.run_id, body.run_id);
  assert.equal(stored.initial_balance, 10_000);
  assert.equal(stored.config.volatility_window, 24);
  const { body: trades } = await api.call('Backtests.ListTrades', { id: body.backtest_id });
  assert.deepEqual(trades, {
    backtest_id: body.backtest_id,
    trade_count: body.trade_count,
    trades: body.trade_history,
  });
  const { body: state } = await api.call('Backtests.GetStatus', { id: body.backtest_id });
  assert.deepEqual([state.status, state.trade_count], ['completed', body.trade_count]);
});

contract('the same request gives the same run, bit by bit', async ({ api }) => {
  const [first, second] = [await api.call('Backtests.Run', runBody), await api.call('Backtests.Run', runBody)];
  assert.notEqual(first.body.backtest_id, second.body.backtest_id);
  assert.equal(first.body.run_id, second.body.run_id);
  assert.deepEqual(first.body.metrics, second.body.metrics);
  assert.deepEqual(first.body.trade_history, second.body.trade_history);
});

const lastHeld = '2025-09-19T00:00:00Z';
const windows: readonly [dates: object, start: string, end: string][] = [
  [{ start_date: '2023-01-01', end_date: '2023-06-30' }, '2023-01-01T00:00:00Z', '2023-07-01T00:00:00Z'],
  [{ start_date: '2025-01-01' }, '2025-01-01T00:00:00Z', lastHeld],
  [{ end_date: '2024-03-30', lookback_months: 1 }, '2024-02-29T00:00:00Z', '2024-03-31T00:00:00Z'],
  [{ lookback_months: 3 }, '2025-06-19T00:00:00Z', lastHeld],
  [
    { start_date: '2024-01-01', end_date: '2024-02-01', lookback_months: 99 },
    '2024-01-01T00:00:00Z',
    '2024-02-02T00:00:00Z',
  ],
  [
    { start_date: '2024-01-01T15:59:59.123456+00:00', end_date: '2024-01-20T02:00:00.5+02:00' },
    '2024-01-02T00:00:00Z',
    '2024-01-20T00:00:00Z',
  ],
  [{ start_date: '1999-01-01', end_date: '2099-01-01' }, '2017-08-18T00:00:00Z', lastHeld],
];

for (const [dates, start, end] of windows) {
  contract(`the window ${JSON.stringify(dates)} trades exactly the bars inside it`, async ({ api }) => {
    const { body } = await api.call('Backtests.Run', { ...undated, ...dates });
    assert.deepEqual([body.start_date, body.end_date], [start, end]);
  });
}

contract('settings count wherever a request gives them', async ({ api }) => {
  const names = ['max_trade_amount', 'cooldown_bars', 'daily_momentum_limit', 'weekly_momentum_limit'];
  const hourly = { short_loss_limit: 1, long_loss_limit: 2, short_window_bars: 3, long_window_bars: 4 };
  const { code, body } = await api.call('Backtests.Run', {
    ...without(names),
    cooldown_config: { '1d': hourly },
    execution_config: { max_trade_amount: 5_000 },
  });
  assert.equal(code, 'OK');
  const { body: stored } = await api.call('Backtests.Get', { id: body.backtest_id });
  assert.equal(stored.config.max_trade_amount, 5_000);
});

contract(
  'the preset signals-only leaves entries and exits to the rules, in every kind of run',
  async ({ api, unrecorded }) => {
    const settings = { preset: 'signals-only', fee_pct: 0.0005, slippage_pct: 0 };
    const { strategy_json, asset, interval, start_date, end_date } = runBody;
    const request = { strategy_json, asset, interval, start_date, end_date, execution_config: settings };
    const { body, code } = await api.call('Backtests.Submit', request);
    assert.equal(code, 'OK');
    const state = await ended(unrecorded, body.backtest_id);
    assert.equal(state.error_message, null);
    assert.ok(state.trade_count > 3);
    for (const { exit_reason, position_size, entry_price, stop_loss_price } of state.trade_history) {
      assert.equal(stop_loss_price, null, 'there is no stop, so none at 0');
      assert.match(exit_reason, /^(SIGNAL|END)$/);
      assert.ok(position_size * entry_price > 5_000);
    }
    const bulk = await api.call('Backtests.RunBulk', {
      ...without(['asset', 'strategy_json']),
      strategy_configs: [dipStrategy],
      execution_config: { ...settings, max_open_positions: 1, max_trade_amount: 1e9 },
    });
    assert.equal(bulk.body.results[0].trade_count, state.trade_count);
    const refused = await api.call('Backtests.Submit', { ...request, execution_config: { preset: 'fast' } });
    assertRefused(refused, 'VALIDATION_ERROR', /^preset must be signals-only, was "fast"$/);
  },
);

contract('a rule that the engine does not know is reported, and makes its side false', async ({ api }) => {
  const strategy_json = JSON.stringify({ ...dipStrategy, entry: [{ ...dipStrategy.entry[0], name: 'luck' }] });
  const { body } = await api.call('Backtests.Run', { ...runBody, strategy_json });
  assert.deepEqual([body.trade_count, body.denied_signals.length, body.denied_signals[0].name], [0, 1, 'luck']);
  assert.match(body.diagnostics.verdict, /luck/);
  assert.equal(body.metrics.total_trades, 0);
});

contract('a saved strategy brings its asset and its settings', async ({ api, other }) => {
  const strategy_id = await saveStrategy(api);
  const request = { strategy_id, interval: '1d', lookback_months: 12 };
  const { body, code } = await api.call('Backtests.Run', request);
  assert.equal(code, 'OK');
  assert.deepEqual([body.asset, body.strategy_names], ['BTC-USD', ['Saved dip']]);
  const { body: stored } = await api.call('Backtests.Get', { id: body.backtest_id });
  assert.equal(stored.strategy_id, strategy_id);
  assert.equal((await other.call('Backtests.Run', request)).code, 'RESOURCE_NOT_FOUND');
  assert.equal((await other.call('Backtests.Submit', request)).code, 'RESOURCE_NOT_FOUND');
});

contract(
  'a bulk run keeps the order, counts the series it loaded, and an item that fails stops no other',
  async ({ api }) => {
    const eth = { ...dipStrategy, name: 'Ether', asset: 'ETH' };
    const { body, code } = await api.call('Backtests.RunBulk', {
      ...without(['asset', 'strategy_json']),
      strategy_configs: [
        dipStrategy,
        { asset: 'BTC', interval: '1d', strategy_json: JSON.stringify({ ...dipStrategy, name: 'Text' }) },
        { ...dipStrategy, name: 'Broken', entry: 'luck' },
        eth,
      ],
    });
    assert.equal(code, 'OK');
    assert.deepEqual(
      body.results.map(({ success, strategy_name }: Record<string, unknown>) => [success, strategy_name]),
      [
        [true, 'Dip buyer'],
        [true, 'Text'],
        [false, 'Broken'],
        [true, 'Ether'],
      ],
    );
    assert.equal(body.data_fetches, 2);
    assert.equal(body.error, null);
    const [first, second, broken] = body.results;
    assert.deepEqual(second.metrics, first.metrics);
    assert.deepEqual([broken.metrics, broken.backtest_id, broken.trade_count], [{}, null, 0]);
    assert.match(broken.error, /entry.*luck/);
    const { body: stored } = await api.call('Backtests.Get', { id: first.backtest_id });
    assert.deepEqual(stored.metrics, first.metrics);
    assert.equal((await api.call('Backtests.History')).body.total, 3);
  },
);

contract('a bulk run of saved strategies fails only for those that do not exist', async ({ api }) => {
  const strategy_id = await saveStrategy(api);
  const { body } = await api.call('Backtests.RunBulk', {
    ...without(['asset', 'strategy_json']),
    strategy_ids: [strategy_id, ID],
  });
  assert.deepEqual(
    body.results.map(({ success, strategy_id: id }: Record<string, unknown>) => [success, id]),
    [
      [true, strategy_id],
      [false, ID],
    ],
  );
  assert.match(body.results[1].error, /not found/);
});

async function ended(api: Api, id: string): Promise<Answer['body']> {
  // Called through a client that is not recorded: the number of polls is not part of the contract.
  for (;;) {
    const { body } = await api.call('Backtests.GetStatus', { id });
    if (body.status === 'completed' || body.status === 'failed') return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

contract(
  'a submitted run is completed from the defaults and ends like a synchronous one',
  async ({ api, unrecorded }) => {
    const request = { strategy_json: runBody.strategy_json, interval: '1d', lookback_months: 12 };
    const { body, code } = await api.call('Backtests.Submit', request);
    assert.equal(code, 'OK');
    assert.equal(body.status, 'queued');
    const state = await ended(unrecorded, body.backtest_id);
    assert.deepEqual([state.success, state.status, state.error_message], [true, 'completed', null]);
    assert.equal(state.trade_history.length, state.trade_count);
    const { body: stored } = await api.call('Backtests.Get', { id: body.backtest_id });
    assert.deepEqual([stored.status, stored.metrics], ['completed', state.metrics]);
    const waited = await api.call('Backtests.Run', { ...request, execution_config: stored.config });
    assert.deepEqual(waited.body.metrics, state.metrics);
  },
);

/** Cancels a submitted run before it ends; those before it in the queue keep the threads busy. */
async function cancelled(api: Api): Promise<Answer['body']> {
  for (;;) {
    const request = { strategy_json: runBody.strategy_json, interval: '1h', lookback_months: 100 };
    const submitted = await Promise.all(Array.from({ length: 6 }, () => api.call('Backtests.Submit', request)));
    const ids = submitted.map(({ body }) => body.backtest_id).reverse();
    const answers = await Promise.all(ids.map((id) => api.call('Backtests.Cancel', { id })));
    const [first] = answers.filter(({ code }) => code === 'OK');
    assert.ok(answers.every(({ code }) => code === 'OK' || code === 'INVALID_STATE'));
    if (first !== undefined) return first.body;
  }
}

contract('a submitted run can be cancelled until it ends', async ({ api, other, unrecorded }) => {
  const state = await cancelled(unrecorded);
  assert.deepEqual([state.status, state.error_message, state.metrics], ['failed', 'cancelled by its caller', null]);
  const id = state.backtest_id;
  assert.deepEqual((await unrecorded.call('Backtests.GetStatus', { id })).body, state);
  assertRefused(await api.call('Backtests.Cancel', { id }), 'INVALID_STATE', /cannot be cancelled: it is failed$/);
  assert.equal((await other.call('Backtests.Cancel', { id })).code, 'RESOURCE_NOT_FOUND');
  assert.equal((await api.call('Backtests.Cancel', { id: ID })).code, 'RESOURCE_NOT_FOUND');
});

contract('the history comes in pages, newest first, and can be filtered', async ({ api, other }) => {
  const ids: string[] = [];
  for (const change of [{ session_id: 'one' }, { asset: 'ETH' }, {}]) {
    const { body } = await api.call('Backtests.Run', { ...runBody, ...change });
    ids.unshift(body.backtest_id);
  }
  const found = async (filter: object) => {
    const { body } = await api.call('Backtests.History', filter);
    return [body.backtests.map(({ id }: { id: string }) => ids.indexOf(id)), body.total];
  };
  assert.deepEqual(await found({}), [[0, 1, 2], 3]);
  assert.deepEqual(await found({ limit: 1, offset: 1 }), [[1], 3]);
  assert.deepEqual(await found({ asset: 'ETH-USDT' }), [[1], 1]);
  assert.deepEqual(await found({ session_id: 'one' }), [[2], 1]);
  assert.deepEqual(await found({ status: 'completed' }), [[0, 1, 2], 3]);
  assert.deepEqual(await found({ status: 'failed' }), [[], 0]);
  assert.deepEqual(await found({ date_from: '2020-01-01', date_to: '2020-01-31' }), [[], 0]);
  assert.deepEqual(await found({ date_from: '2020-01-01' }), [[0, 1, 2], 3]);
  const { body } = await api.call('Backtests.History', { limit: 5_000, offset: 0 });
  assert.equal(body.limit, 1_000);
  const [row] = body.backtests;
  assert.equal(row.total_return, row.metrics.total_return);
  assert.match(row.result, /^(PASS|FAIL|INSUFFICIENT_TRADES)$/);
  assert.equal((await other.call('Backtests.History')).body.total, 0);
  assertRefused(await api.call('Backtests.History', { status: 'odd' }), 'VALIDATION_ERROR', /^status must be one of/);
  assertRefused(await api.call('Backtests.History', { date_from: 'soon' }), 'VALIDATION_ERROR', /date_from/);
  assertRefused(
    await api.call('Backtests.History', { limit: 1.5 }),
    'VALIDATION_ERROR',
    /limit must be a whole number/,
  );
});

contract('an archived run disappears from the history only', async ({ api }) => {
  const { body } = await api.call('Backtests.Run', runBody);
  const id = body.backtest_id;
  const { body: archived } = await api.call('Backtests.Archive', { id });
  assert.equal(archived.archived, true);
  assert.equal((await api.call('Backtests.Archive', { id })).body.archived_at, archived.archived_at);
  assert.equal((await api.call('Backtests.History')).body.total, 0);
  const { body: history } = await api.call('Backtests.History', { include_archived: true });
  assert.deepEqual([history.total, history.backtests[0].archived], [1, true]);
  assert.equal((await api.call('Backtests.Get', { id })).body.archived_at, archived.archived_at);
  const { body: back } = await api.call('Backtests.Unarchive', { id });
  assert.deepEqual([back.archived, back.archived_at], [false, null]);
  assert.equal((await api.call('Backtests.History')).body.total, 1);
});

contract('a run can be replayed from its manifest, and audited', async ({ api }) => {
  const { body } = await api.call('Backtests.Run', runBody);
  const id = body.backtest_id;
  const { body: kept } = await api.call('Backtests.GetManifest', { id });
  assert.deepEqual([kept.backtest_id, kept.manifest.run_id], [id, body.run_id]);
  const { body: replayed } = await api.call('Backtests.Replay', { id });
  const { benchmark_btc_return: _, ...metrics } = body.metrics;
  assert.deepEqual(replayed, {
    backtest_id: id,
    run_id: body.run_id,
    is_reproduced: true,
    changes: [],
    metrics,
  });
  const { body: audit } = await api.call('Backtests.GetAudit', { id, cuts: 3, seed: 7 });
  assert.deepEqual([audit.run_id, audit.seed, audit.cuts, audit.is_clean], [body.run_id, 7, 3, true]);
  assertRefused(await api.call('Backtests.GetAudit', { id, cuts: 0 }), 'VALIDATION_ERROR', /^cuts must be.*1\.\.200/);
  assertRefused(await api.call('Backtests.GetAudit', { id, seed: 0.5 }), 'VALIDATION_ERROR', /^seed must be/);
});

contract("another user's backtest does not exist", async ({ api, other }) => {
  const { body } = await api.call('Backtests.Run', runBody);
  const id = body.backtest_id;
  const methods: readonly UnaryName[] = [
    'Backtests.Get',
    'Backtests.GetStatus',
    'Backtests.ListTrades',
    'Backtests.Archive',
    'Backtests.Unarchive',
    'Backtests.GetManifest',
    'Backtests.Replay',
    'Backtests.GetAudit',
    'Backtests.GetReport',
  ];
  for (const method of methods) {
    for (const [caller, unknown] of [
      [other, id],
      [api, ID],
      [api, 'nonsense'],
    ] as const) {
      assertRefused(await caller.call(method, { id: unknown }), 'RESOURCE_NOT_FOUND', /^backtest .* not found$/);
    }
  }
  assert.equal((await api.call('Backtests.Get', { id })).body.archived, false);
});

contract('bars that are not held are drawn for a run that allows them, which says so', async ({ api }) => {
  const asked = { ...runBody, asset: 'ETH', interval: '5m', start_date: '2024-03-01', end_date: '2024-03-31' };
  const refused = await api.call('Backtests.Run', asked);
  assertRefused(refused, 'VALIDATION_ERROR', /a run with allow_generated_bars draws them within the held 1h bars/);
  const { body } = await api.call('Backtests.Run', { ...asked, execution_config: { allow_generated_bars: true } });
  assert.match(
    body.warnings.join('\n'),
    /5m bars of ETH \(\d+ of \d+ with the history\) are generated within held 1h bars/,
  );
  const { body: stored } = await api.call('Backtests.Get', { id: body.backtest_id });
  assert.equal(stored.config.allow_generated_bars, true);
});
