import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import { createRestClient } from '../../../library/client.js';
import { defineSignal } from '../../../library/index.js';
import { restApi } from '../../support/api.js';
import { sharedService } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';
import type { TestService } from '../../support/service.js';
import { root } from '../../support/tree.js';

/** The example clients against a real service; `npm run check` proves their types. */

const run = promisify(execFile);

const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });

let service: TestService;
let key: string;
test.before(async () => {
  service = await sharedService();
  const { body } = await restApi(service.origin, (await service.login()).token).call('Auth.CreateApiKey', {
    name: 'x',
  });
  key = body.key;
});

const TIME = /^20\d\d-\S+Z Dip Buyer$/;

function assertTold(stdout: string, last: string): void {
  const [created, listed, gone, ...rest] = stdout.trim().split('\n');
  assert.equal(created, 'created Dip Buyer on BTC-USD, inactive');
  assert.match(listed ?? '', TIME);
  assert.deepEqual([gone, rest], [last, []]);
}

test('the typed REST client creates, lists and deletes a strategy', async () => {
  const env = { BARLINE_URL: service.origin, BARLINE_API_KEY: key };
  assertTold((await node(['--import', 'tsx', 'examples/clients/rest.ts'], env)).stdout, 'then 404 RESOURCE_NOT_FOUND');
});

test('the gRPC client does the same, and describes a backtest by reflection without JSON', async () => {
  const env = { BARLINE_RPC: service.rpcAddress, BARLINE_API_KEY: key };
  const lines = (await node(['examples/clients/grpc.mjs'], env)).stdout.trim().split('\n');
  assertTold(lines.slice(-3).join('\n'), 'then 5 RESOURCE_NOT_FOUND');
  const described = lines.slice(0, -3);
  for (const line of [
    'execution_config: ExecutionSettings',
    'metrics: BacktestMetrics',
    'trade_history: BacktestTrade',
  ])
    assert.ok(described.includes(`  ${line}`), line);
  assert.deepEqual(
    described.filter((line) => /_json|: bytes/.test(line)),
    [],
  );
});

test('the clients of the library list the strategies over REST and over gRPC', async () => {
  const env = { BARLINE_URL: service.origin, BARLINE_RPC: service.rpcAddress, BARLINE_API_KEY: key };
  const { stdout } = await node(['--import', 'tsx', 'examples/library/client.ts'], env);
  assert.match(stdout, /^REST: (\d+) strategies\ngRPC: \1 strategies\n$/);
});

test('ten operations answer as the types say that openapi-typescript makes of the document', async () => {
  const rest = createRestClient({ url: service.origin, key });
  const dataOf = async <Data>(call: Promise<{ data?: Data; error?: unknown }>): Promise<Data> => {
    const { data, error } = await call;
    assert.ok(data !== undefined, JSON.stringify(error));
    return data;
  };
  const rule = (name: string, signal_type: 'TRIGGER' | 'FILTER') => ({
    ...{ name, signal_type, timeframe: '1d', params: {} },
  });
  const entry = [rule('rsi_cross_up', 'TRIGGER'), rule('is_above_sma', 'FILTER')];
  const definition = { name: 'Typed', asset: 'BTC', entry };
  const window = { start_date: '2023-01-01', end_date: '2023-12-31' };
  const { strategy } = await dataOf(rest.POST('/api/v1/strategies', { body: definition }));
  const query = { limit: 1 };
  const page = await dataOf(rest.GET('/api/v1/strategies', { params: { query } }));
  assert.deepEqual([page.strategies[0]?.id, page.limit], [strategy.id, 1]);
  const asked = { strategy_id: strategy.id, interval: '1d', initial_balance: 5_000, ...window };
  const ran = await dataOf(rest.POST('/api/v1/backtests', { body: asked }));
  const params = { path: { id: ran.backtest_id } };
  const stored = await dataOf(rest.GET('/api/v1/backtests/{id}', { params }));
  assert.deepEqual([stored.metrics, stored.config?.initial_balance], [ran.metrics, 5_000]);
  const { trades } = await dataOf(rest.GET('/api/v1/backtests/{id}/trades', { params }));
  assert.equal(trades.length, ran.trade_count);
  const { backtests } = await dataOf(rest.GET('/api/v1/users/me/backtests', { params: { query } }));
  assert.equal(backtests[0]?.id, ran.backtest_id);
  const portfolio = { name: 'Typed', interval: '1d', members: [{ strategy: definition }] };
  const together = await dataOf(rest.POST('/api/v1/portfolios', { body: { portfolio, ...window } }));
  assert.equal(together.trade_count, ran.trade_count);
  const simulated = { strategy_config: definition, asset: 'BTC', timeframe: '1d', ...window };
  const simulation = await dataOf(rest.POST('/api/v1/oracle/simulate/run', { body: simulated }));
  assert.equal(simulation.trades.length, ran.trade_count);
  const { signals } = await dataOf(rest.GET('/api/v1/signals', { params: { query } }));
  assert.equal(signals.length, 1);
  const bar = await dataOf(
    rest.GET('/api/v1/marketdata/ohlcv/{base}/{quote}/latest', {
      params: { path: { base: 'ETH', quote: 'USD' }, query: { period: 'ONE_MINUTE' } },
    }),
  );
  assert.equal(bar.source, 'generated');
});

test('a signal in code is unknown to the service, even if this process has defined it', async () => {
  const { name } = defineSignal({ name: 'my_own', role: 'TRIGGER', warmup: 1, compute: ({ close }) => close });
  const api = restApi(service.origin, (await service.login()).token);
  const rule = (name: string, role: string) => ({ name, signal_type: role, timeframe: '1h', params: {} });
  const entry = [rule(name, 'TRIGGER'), rule('is_above_sma', 'FILTER')];
  const stored = await api.call('Strategies.Create', { name: 'Own', asset: 'BTC', entry });
  assertRefused(stored, 'VALIDATION_ERROR', /my_own/);
});
