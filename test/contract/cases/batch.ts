import assert from 'node:assert/strict';
import type { ApiCode, UnaryName } from '../../../rpc/index.js';
import type { Answer, Api } from '../../support/api.js';
import { dipStrategy, without } from '../../support/backtests.js';
import { type ContractCase, contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';
import type { TestService } from '../../support/service.js';
import { apiFor } from '../../support/service-users.js';

const ID = '00000000-0000-4000-8000-000000000000';
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

contract('a sizing version is one of two, wherever it is given', async ({ api }) => {
  const sizingOf = async (request: object) => {
    const { body, code } = await api.call('Batch.Run', { ...run, ...request });
    assert.equal(code, 'OK');
    const { body: stored } = await api.call('Backtests.Get', { id: body.backtest_id });
    return stored.config.position_size_calc;
  };
  assert.equal(await sizingOf({ execution_config: {} }), 'v2');
  assert.equal(await sizingOf({ position_size_calc: 'v1' }), 'v1');
  assert.equal(await sizingOf({ position_size_calc: 'v2', execution_config: { position_size_calc: 'v1' } }), 'v1');
  const bulk = { ...dates, strategy_configs: [dipStrategy] };
  for (const [method, body] of [
    ['Batch.Run', run],
    ['Batch.Submit', run],
    ['Batch.RunBulk', bulk],
  ] as const) {
    for (const value of [null, 'v3', '', 2, ['v2']]) {
      for (const sizing of [{ position_size_calc: value }, { execution_config: { position_size_calc: value } }]) {
        const answer = await api.call(method, { ...body, ...sizing });
        assertRefused(answer, 'INVALID_FIELD', /^position_size_calc must be one of v1, v2, was/);
      }
    }
  }
});

contract('quick runs have neither brackets nor time exits', async ({ api }) => {
  const { body } = await api.call('Batch.Run', { ...run, mode: 'quick' });
  const reasons = new Set(body.trade_history.map(({ exit_reason }: { exit_reason: string }) => exit_reason));
  assert.deepEqual(
    [...reasons].filter((reason) => reason !== 'SIGNAL' && reason !== 'END'),
    [],
  );
});

const luck = { ...dipStrategy, entry: [{ ...dipStrategy.entry[0], name: 'luck' }] };
const unknownRule = [['entry', 'luck', 'unknown_signal']];
const deniedOf = (rules: readonly Record<string, unknown>[]) =>
  rules.map(({ side, name, reason }) => [side, name, reason]);

contract('a refused rule is listed and makes its side false, and the run still succeeds', async ({ api }) => {
  const { body } = await api.call('Batch.Run', { ...run, strategy_json: JSON.stringify(luck) });
  assert.deepEqual(deniedOf(body.denied_signals), unknownRule);
  assert.deepEqual([body.trade_count, body.metrics.total_trades], [0, 0]);
  const { body: bulk } = await api.call('Batch.RunBulk', { ...dates, interval: '1d', strategy_configs: [luck] });
  const [item] = bulk.results;
  assert.deepEqual([item.success, deniedOf(item.denied_signals), item.error], [true, unknownRule, null]);
});

const refusals: readonly [what: string, method: UnaryName, body: object, code: ApiCode, message: RegExp][] = [
  ['nothing', 'Batch.Run', {}, 'MISSING_FIELD', /: asset, strategy_json, start_date, end_date or lookback_months$/],
  ['no strategy', 'Batch.Submit', { ...dates, asset: 'BTC' }, 'MISSING_FIELD', /field: strategy_json$/],
  ['no asset but that of the strategy', 'Batch.Run', { ...dates, strategy_json }, 'MISSING_FIELD', /field: asset$/],
  ['a null for the asset', 'Batch.Submit', { ...run, asset: null }, 'MISSING_FIELD', /field: asset$/],
  ['no date', 'Batch.Run', { asset: 'BTC', strategy_json }, 'MISSING_FIELD', /field: start_date, end_date or lookback/],
  ['an unknown interval', 'Batch.Run', { ...run, interval: '1m' }, 'INVALID_FIELD', /^interval must be one of/],
  ['text that is no JSON', 'Batch.Submit', { ...run, strategy_json: '{' }, 'INVALID_FIELD', /must be JSON/],
  ['a wrong mode', 'Batch.Run', { ...run, mode: 'slow' }, 'INVALID_FIELD', /^mode must be full or quick/],
  ['an asset without bars', 'Batch.Submit', { ...run, asset: 'NOPE' }, 'INVALID_FIELD', /^no bars of NOPE/],
  [
    'bulk with nothing',
    'Batch.RunBulk',
    {},
    'MISSING_FIELD',
    /: start_date, end_date, strategy_ids or strategy_configs$/,
  ],
  [
    'bulk without dates',
    'Batch.RunBulk',
    { strategy_configs: [dipStrategy] },
    'MISSING_FIELD',
    /: start_date, end_date$/,
  ],
  [
    'bulk of both sources',
    'Batch.RunBulk',
    { ...dates, strategy_ids: [ID], strategy_configs: [dipStrategy] },
    'INVALID_FIELD',
    /either strategy_ids or strategy_configs/,
  ],
  ['bulk of none', 'Batch.RunBulk', { ...dates, strategy_ids: [] }, 'INVALID_FIELD', /must have 1\.\.99 items, has 0/],
  [
    'bulk of a hundred',
    'Batch.RunBulk',
    { ...dates, strategy_configs: Array(100).fill(dipStrategy) },
    'INVALID_FIELD',
    /must have 1\.\.99 items, has 100/,
  ],
];

for (const [what, method, body, code, message] of refusals) {
  contract(`${method}: ${what} is refused with ${code}`, async ({ api }) => {
    assertRefused(await api.call(method, body), code, message);
  });
}

contract('a bulk run keeps the order, continues past failures, and reports what it loaded', async ({ api }) => {
  const { name: _, ...nameless } = dipStrategy;
  const { body } = await api.call('Batch.RunBulk', {
    ...dates,
    interval: '1d',
    strategy_configs: [
      nameless,
      { asset: 'btc/usdt', strategy_json: JSON.stringify({ ...dipStrategy, name: 'Same bars' }) },
      { ...dipStrategy, name: 'No sizing', execution_config: { position_size_calc: null } },
      { asset: 'ETH', interval: '1D', strategy_json: JSON.stringify({ ...nameless, interval: '4h' }) },
      { ...nameless, asset: 'NOPE' },
      { strategy_json: JSON.stringify({ ...nameless, interval: '4h' }) },
    ],
  });
  assert.deepEqual(
    body.results.map((item: Record<string, unknown>) => [item.success, item.strategy_name, item.strategy_id]),
    [
      [true, 'strategy_0', null],
      [true, 'Same bars', null],
      [false, 'strategy_2', null],
      [true, 'strategy_3', null],
      [false, 'strategy_4', null],
      [true, 'strategy_5', null],
    ],
  );
  assert.match(body.results[2].error, /position_size_calc must be one of v1, v2, was null/);
  assert.deepEqual([body.results[4].metrics, body.results[4].trade_count], [{}, 0]);
  assert.match(body.results[4].error, /no bars of NOPE/);
  assert.equal(body.data_fetches, 3, 'BTC 1d, ETH 1d, BTC 4h');
  assert.equal(body.error, null);
});

contract('a bulk run of saved strategies fails only for those that do not exist', async ({ api, other }) => {
  const entry = [
    { ...dipStrategy.entry[0], timeframe: '1D' },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1D', params: { window: 5 } },
  ];
  const idOf = async (user: Api) => {
    const { body } = await user.call('Strategies.Create', { name: 'Saved dip', asset: 'BTC', entry });
    return body.strategy.id as string;
  };
  const [own, foreign] = [await idOf(api), await idOf(other)];
  const { body } = await api.call('Batch.RunBulk', { ...dates, interval: '1d', strategy_ids: [own, foreign, ID] });
  assert.deepEqual(
    body.results.map((item: Record<string, unknown>) => [item.success, item.strategy_id]),
    [
      [true, own],
      [false, foreign],
      [false, ID],
    ],
  );
  for (const { error } of body.results.slice(1)) assert.match(error, /^strategy .* not found$/);
  assert.equal(body.data_fetches, 1);
});

async function ended(api: Api, backtest_id: string): Promise<Answer['body']> {
  for (;;) {
    const { body } = await api.call('Batch.GetStatus', { backtest_id });
    if (body.status === 'completed' || body.status === 'failed') return body;
    assert.deepEqual([body.metrics, body.trade_history], [null, null]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

contract('a submitted run ends with the answer of a synchronous run', async ({ api, unrecorded }) => {
  const { body } = await api.call('Batch.Submit', { ...run, strategy_json: JSON.stringify(luck) });
  assert.equal(body.status, 'queued');
  const state = await ended(unrecorded, body.backtest_id);
  assert.deepEqual(deniedOf(state.denied_signals), unknownRule);
  const { body: second } = await api.call('Batch.Submit', { ...run, mode: 'quick' });
  const done = await ended(unrecorded, second.backtest_id);
  const { body: waited } = await api.call('Batch.Run', { ...run, mode: 'quick' });
  assert.deepEqual(
    [done.status, done.metrics, done.trade_count, done.strategy_names, done.error_message],
    ['completed', waited.metrics, waited.trade_count, ['Dip buyer'], null],
  );
  assert.deepEqual(without(['trade_id', 'position_id'], done.trade_history[0]), {
    ...without(['trade_id', 'position_id'], waited.trade_history[0]),
  });
  const { body: stored } = await api.call('Backtests.Get', { id: body.backtest_id });
  assert.equal(stored.status, 'completed');
});

/** A colleague: a user whose session acts for the organization of another user. */
async function colleague({ api, service }: ContractCase, owner: { token: string; orgId: string }): Promise<Api> {
  const guest = await service.login();
  await apiFor(service, api.transport, owner.token).call('Auth.AddMember', {
    id: owner.orgId,
    user_id: guest.userId,
    role: 'member',
  });
  return switched(service, api.transport, guest.token, owner.orgId);
}

async function switched(service: TestService, transport: Api['transport'], token: string, org_id: string) {
  const { body } = await apiFor(service, transport, token).call('Auth.SwitchOrganization', { org_id });
  return apiFor(service, transport, body.access_token);
}

contract('a submitted run belongs to its organization', async (act) => {
  const { api, other, service } = act;
  const owner = await service.login();
  const own = apiFor(service, api.transport, owner.token);
  const { body } = await own.call('Batch.Submit', run);
  const { backtest_id } = body;
  const friend = await colleague(act, owner);
  assert.equal((await friend.call('Batch.GetStatus', { backtest_id })).body.backtest_id, backtest_id);
  assertRefused(await friend.call('Backtests.Get', { id: backtest_id }), 'RESOURCE_NOT_FOUND', /not found$/);
  const { body: elsewhere } = await own.call('Backtests.Submit', run);
  const foreign = { backtest_id: elsewhere.backtest_id };
  assertRefused(await friend.call('Batch.GetStatus', foreign), 'RESOURCE_NOT_FOUND', /not found$/);
  assert.equal((await own.call('Batch.GetStatus', foreign)).code, 'OK');
  for (const unknown of [backtest_id, ID, 'nonsense']) {
    assertRefused(await other.call('Batch.GetStatus', { backtest_id: unknown }), 'RESOURCE_NOT_FOUND', /not found$/);
  }
  const guest = await service.login();
  await apiFor(service, api.transport, guest.token).call('Auth.AddMember', {
    id: guest.orgId,
    user_id: owner.userId,
    role: 'member',
  });
  const away = await switched(service, api.transport, owner.token, guest.orgId);
  assertRefused(await away.call('Batch.GetStatus', { backtest_id }), 'RESOURCE_NOT_FOUND', /not found$/);
  assert.equal((await away.call('Backtests.Get', { id: backtest_id })).code, 'OK', "it is still the user's own");
});
