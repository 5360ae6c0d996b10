import assert from 'node:assert/strict';
import type { Answer, Api } from '../../support/api.js';
import { runBody } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

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

contract('a submitted run can be cancelled until it ends', async ({ api }) => {
  const state = await cancelled(api);
  assert.deepEqual([state.status, state.error_message, state.metrics], ['failed', 'cancelled by its caller', null]);
  const id = state.backtest_id;
  assert.deepEqual((await api.call('Backtests.GetStatus', { id })).body, state);
  assertRefused(await api.call('Backtests.Cancel', { id }), 'INVALID_STATE', /cannot be cancelled: it is failed$/);
});

contract('an archived run disappears from the history only', async ({ api, other }) => {
  const { body } = await api.call('Backtests.Run', runBody);
  const id = body.backtest_id;
  const { body: archived } = await api.call('Backtests.Archive', { id });
  assert.equal(archived.archived, true);
  assert.equal((await api.call('Backtests.Archive', { id })).body.archived_at, archived.archived_at);
  assert.equal((await api.call('Backtests.History')).body.total, 0);
  assert.equal((await other.call('Backtests.History', { include_archived: true })).body.total, 0);
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
