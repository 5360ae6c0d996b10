import assert from 'node:assert/strict';
import type { Answer, Api } from '../../support/api.js';
import { runBody } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

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
