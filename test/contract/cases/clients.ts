import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import { restApi } from '../../support/api.js';
import { sharedService } from '../../support/contract.js';
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
