import assert from 'node:assert/strict';
import { type Api, grpcApi } from '../../support/api.js';
import { dipStrategy } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';
import type { TestService } from '../../support/service.js';

const dates = { start_date: '2023-01-01', end_date: '2023-12-31' };
const strategy_json = JSON.stringify(dipStrategy);
const run = { ...dates, asset: 'BTC', interval: '1d', strategy_json };

contract('fields that a request leaves out get their defaults, and fields that it gives win', async ({ api }) => {
  const { body, code } = await api.call('Batch.Run', { ...run, initial_balance: 500 });
  assert.equal(code, 'OK');
  assert.ok(body.trade_count > 0);
  assert.equal(body.trade_history.length, body.trade_count);
  assert.deepEqual([body.strategy_names, body.denied_signals, body.error], [['Dip buyer'], [], null]);
  const { metrics } = body;
  assert.deepEqual(
    [metrics.sharpe, metrics.sortino, metrics.calmar, metrics.final_balance, metrics.starting_balance],
    [metrics.sharpe_ratio, metrics.sortino_ratio, metrics.calmar_ratio, metrics.ending_balance, 500],
  );
  const { body: stored } = await api.call('Backtests.Get', { id: body.backtest_id });
  assert.deepEqual(
    [stored.config.initial_balance, stored.config.position_size_calc, stored.config.volatility_window],
    [500, 'v2', 24],
  );
});

contract(
  'a strategy given as text brings its interval and settings, and its nulls count as absent',
  async ({ api }) => {
    const compact = {
      name: null,
      asset: 'BTC',
      interval: '1d',
      execution_config: { fee_pct: 0, position_size_calc: null, max_hold_bars: null },
      reward_factor: null,
      exit: null,
      entry: [{ ...dipStrategy.entry[0], timeframe: null }],
    };
    const text = { ...dates, asset: 'BTC', strategy_json: JSON.stringify(compact) };
    const { body } = await api.call('Batch.Run', text);
    assert.deepEqual([body.interval, body.strategy_names, body.metrics.total_fees], ['1d', ['strategy'], 0]);
    const { body: hourly } = await api.call('Batch.Run', {
      ...text,
      strategy_json: JSON.stringify({ ...compact, interval: null, execution_config: null }),
    });
    assert.deepEqual([hourly.interval, hourly.end_date], ['1h', '2024-01-01T00:00:00Z']);
    const { body: asked } = await api.call('Batch.Run', { ...text, interval: '4h' });
    assert.equal(asked.interval, '4h', 'the request beats the strategy');
  },
);

contract('a submitted run belongs to its organization', async ({ other, service }) => {
  const [owner, guest] = [await service.login(), await service.login()];
  const [own, guests] = [grpcApi(service.client, owner.token), grpcApi(service.client, guest.token)];
  const { backtest_id } = (await own.call('Batch.Submit', run)).body;
  const { backtest_id: elsewhere } = (await own.call('Backtests.Submit', run)).body;
  await own.call('Auth.AddMember', { id: owner.orgId, user_id: guest.userId, role: 'member' });
  await guests.call('Auth.AddMember', { id: guest.orgId, user_id: owner.userId, role: 'member' });
  const friend = await switched(service, guests, owner.orgId);
  assert.equal((await friend.call('Batch.GetStatus', { backtest_id })).body.backtest_id, backtest_id);
  assertRefused(await friend.call('Backtests.Get', { id: backtest_id }), 'RESOURCE_NOT_FOUND', /not found$/);
  const away = await switched(service, own, guest.orgId);
  for (const [caller, id] of [
    [friend, elsewhere],
    [other, backtest_id],
    [other, 'nonsense'],
    [away, backtest_id],
  ] as const) {
    assertRefused(await caller.call('Batch.GetStatus', { backtest_id: id }), 'RESOURCE_NOT_FOUND', /not found$/);
  }
  assert.equal((await away.call('Backtests.Get', { id: backtest_id })).code, 'OK', "it is still the user's own");
});

/** A user whose session acts for another organization. */
async function switched(service: TestService, api: Api, org_id: string): Promise<Api> {
  const { body } = await api.call('Auth.SwitchOrganization', { org_id });
  return grpcApi(service.client, body.access_token);
}
