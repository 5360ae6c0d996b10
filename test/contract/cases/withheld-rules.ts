import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError, type UnaryName } from '../../../rpc/index.js';
import { type Api, grpcApi, restApi } from '../../support/api.js';
import { riskFields } from '../../support/backtests.js';
import { sharedService } from '../../support/contract.js';
import type { TestService } from '../../support/service.js';

/** A key without `strategy:read` runs a stored strategy by its id, and reads figures, not rules. */

const SCOPES = ['backtest:create', 'backtest:read', 'oracle:backtest'];
const year = { start_date: '2023-01-01', end_date: '2023-12-31' };
const rule = (name: string, signal_type: string, timeframe: string, params: object) => ({
  ...{ name, signal_type, timeframe, params },
});
/** Its odd numbers and its names show where an answer quotes it. */
const strategy = {
  name: 'Hidden',
  asset: 'BTC',
  entry: [
    rule('rsi_oversold', 'TRIGGER', '1d', { window: 7, threshold: 45.678 }),
    rule('is_above_sma', 'FILTER', '1d', { window: 33 }),
  ],
  exit: [
    rule('rsi_overbought', 'TRIGGER', '1d', { window: 7, threshold: 60.789 }),
    rule('is_above_sma', 'FILTER', '15m', { window: 33 }), // finer than the bars: denied, and named
  ],
  execution_config: { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.03171 },
};
const quoted = /rsi_|is_above_sma|45\.678|60\.789|fixed_stop_pct/; // a trade tells how far its stop lay

let service: TestService;
let token: string;
let strategy_id: string;
test.before(async () => {
  service = await sharedService();
  ({ token } = await service.login());
  strategy_id = await saved(strategy);
});

async function saved(definition: object): Promise<string> {
  const { body, message } = await grpcApi(service.client, token).call('Strategies.Create', definition);
  assert.ok(body !== null, String(message));
  return body.strategy.id;
}

const keyWith = async (scopes: readonly string[]): Promise<string> =>
  (await grpcApi(service.client, token).call('Auth.CreateApiKey', { name: 'narrow', scopes })).body.key;

async function ended(api: Api, method: UnaryName, request: object) {
  for (;;) {
    const { body } = await api.call(method, request);
    if (body.status === 'completed' || body.status === 'failed') return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('runs by strategy_id show a key without strategy:read figures, not rules', async () => {
  const narrow = restApi(service.origin, await keyWith(SCOPES));
  const wide = restApi(service.origin, await keyWith([...SCOPES, 'strategy:read']));
  const answers: [method: string, narrow: unknown, wide: unknown][] = [];
  const both = async (method: UnaryName, request: object) => {
    const [seen, whole] = [await narrow.call(method, request), await wide.call(method, request)];
    assert.deepEqual([seen.code, whole.code], ['OK', 'OK'], `${method}: ${seen.message} ${whole.message}`);
    answers.push([method, seen.body, whole.body]);
    return [seen.body, whole.body];
  };
  const run = { ...riskFields, ...year, strategy_id, interval: '1d' };
  const [ran, open] = await both('Backtests.Run', run);
  assert.ok(ran.trade_count > 2);
  assert.deepEqual([ran.metrics, ran.diagnostics.filled], [open.metrics, open.diagnostics.filled]);
  const [{ backtest_id: id }] = await both('Backtests.Submit', run);
  await ended(narrow, 'Backtests.GetStatus', { id });
  for (const method of ['Backtests.Get', 'Backtests.GetStatus', 'Backtests.ListTrades', 'Backtests.Replay'] as const) {
    await both(method, { id });
  }
  await both('Backtests.History', {});
  const { body: stored } = await narrow.call('Backtests.Get', { id });
  assert.deepEqual([stored.strategy_id, stored.config, stored.denied_signals], [strategy_id, null, []]);
  assert.match(stored.warnings[0], /strategy:read/);
  const list = { ...riskFields, ...year, strategy_ids: [strategy_id], interval: '1d' };
  for (const method of ['Backtests.RunBulk', 'Batch.RunBulk'] as const) {
    const [seen, whole] = await both(method, list);
    assert.deepEqual([seen.results[0].strategy_id, seen.results[0].metrics], [strategy_id, whole.results[0].metrics]);
  }
  const portfolio = {
    interval: '1d',
    members: [
      { strategy_id, weight: 0.5 },
      { strategy_id, asset: 'ETH' },
    ],
  };
  const [two, twoOpen] = await both('Portfolios.Run', { portfolio, ...year });
  assert.deepEqual([two.portfolio, two.metrics], [portfolio, twoOpen.metrics]);
  const [{ portfolio_id }] = await both('Portfolios.Submit', { portfolio, ...year });
  await ended(narrow, 'Portfolios.Get', { portfolio_id });
  await both('Portfolios.Get', { portfolio_id });
  await both('Portfolios.List', {});
  for (const [method, seen] of answers) assert.doesNotMatch(JSON.stringify(seen), quoted, method);
  const quoting = new Set(answers.filter((each) => quoted.test(JSON.stringify(each[2]))).map(([method]) => method));
  assert.ok(quoting.has('Backtests.Run') && quoting.has('Portfolios.Get'), 'a key that may read them sees rules');
  for (const method of ['Backtests.GetManifest', 'Backtests.GetAudit', 'Backtests.GetReport'] as const) {
    const { code, message } = await narrow.call(method, { id });
    assert.deepEqual([code, /strategy:read/.test(String(message))], ['INSUFFICIENT_PERMISSIONS', true], method);
  }
});
test('Arrow streams of such a run have its account and trades, and not the columns that its rules read', async () => {
  const key = await keyWith(SCOPES);
  const authorization = `Bearer ${key}`;
  const run = { ...riskFields, ...year, strategy_id, interval: '1d' };
  const { backtest_id: id } = (await grpcApi(service.client, key).call('Backtests.Run', run)).body;
  const bytes = async (table: string) => {
    let count = 0;
    for await (const { arrow } of service.client.stream('Backtests.ReadColumns', { id, table }, { authorization })) {
      count += arrow.length;
    }
    return count;
  };
  assert.ok((await bytes('equity')) > 1_000);
  assert.ok((await bytes('trades')) > 1_000);
  const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'INSUFFICIENT_PERMISSIONS';
  await assert.rejects(bytes('bars'), isRefused);
});

test('a refusal that would quote a stored strategy names the scope instead, and one of the request stays', async () => {
  const id = await saved({
    ...strategy,
    entry: [strategy.entry[0], { ...strategy.entry[1], asset: 'HIDDENCOIN' }],
  });
  const narrow = grpcApi(service.client, await keyWith(SCOPES));
  const wide = grpcApi(service.client, token);
  const run = { ...riskFields, ...year, strategy_id: id, interval: '1d' };
  const whole = await wide.call('Backtests.Run', run);
  assert.match(String(whole.message), /HIDDENCOIN/);
  for (const method of ['Backtests.Run', 'Backtests.Submit'] as const) {
    const { code, message } = await narrow.call(method, run);
    assert.equal(code, 'VALIDATION_ERROR', method);
    assert.match(String(message), /strategy:read/, method);
    assert.doesNotMatch(String(message), /HIDDENCOIN/, method);
  }
  const { message } = await narrow.call('Backtests.Run', { ...run, execution_config: { fixed_stop_pct: 2 } });
  assert.match(String(message), /^fixed_stop_pct must be/);
});
