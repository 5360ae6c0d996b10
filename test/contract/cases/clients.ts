import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { protoPath } from 'grpc-health-check';
import { contract } from '../../../rpc/index.js';
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

const published = loadSync(protoPath, { enums: String })['grpc.health.v1.Health'] as ServiceDefinition;

test.before(async () => {
  service = await sharedService();
});

/** What any gRPC client can do that knows only the standard services. */
function call(definition: ServiceDefinition, method: string, request: object, deadlineMs = 10_000): Promise<object> {
  const { path, requestSerialize, responseDeserialize } = definition[method] as ServiceDefinition[string];
  const client = new Client(service.rpcAddress, credentials.createInsecure());
  return new Promise<object>((resolve, reject) => {
    const options = { deadline: Date.now() + deadlineMs };
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      new Metadata(),
      options,
      (error, reply) => (error === null ? resolve(reply ?? {}) : reject(error)),
    );
  }).finally(() => client.close());
}

test('every service of the contract answers the standard health check', async () => {
  for (const name of ['', ...contract().services.map((each) => `barline.v1.${each}`)]) {
    assert.deepEqual(await call(published, 'Check', { service: name }), { status: 'SERVING' }, name);
  }
  await assert.rejects(
    call(published, 'Check', { service: 'barline.v1.Unknown' }),
    (error: ServiceError) => error.code === status.NOT_FOUND,
  );
});

const reflectionProtos = join(root, 'node_modules/@grpc/reflection/build/proto');

for (const version of ['v1', 'v1alpha']) {
  test(`reflection ${version} lists every service of the contract`, async () => {
    const definition = loadSync(join(reflectionProtos, 'grpc/reflection', version, 'reflection.proto'), {
      includeDirs: [reflectionProtos],
    })[`grpc.reflection.${version}.ServerReflection`] as ServiceDefinition;
    const { path, requestSerialize, responseDeserialize } =
      definition.ServerReflectionInfo as ServiceDefinition[string];
    const client = new Client(service.rpcAddress, credentials.createInsecure());
    const asking = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, new Metadata());
    asking.write({ listServices: '' });
    const [answer] = (await once(asking, 'data')) as [{ listServicesResponse: { service: { name: string }[] } }];
    asking.end();
    client.close();
    const listed = answer.listServicesResponse.service.map(({ name }) => name);
    for (const name of contract().services) assert.ok(listed.includes(`barline.v1.${name}`), name);
  });
}
