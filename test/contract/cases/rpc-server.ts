import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { protoPath } from 'grpc-health-check';
import { contract } from '../../../rpc/index.js';
import { sharedService } from '../../support/contract.js';
import type { TestService } from '../../support/service.js';
import { root } from '../../support/tree.js';

const published = loadSync(protoPath, { enums: String })['grpc.health.v1.Health'] as ServiceDefinition;

let service: TestService;
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
