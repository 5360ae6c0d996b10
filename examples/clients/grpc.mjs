/**
 * A gRPC client without any file of the service: it asks the server, by reflection, what the
 * contract is, shows what a backtest takes and answers, and then stores, lists and deletes a
 * strategy. When a call fails, the trailer `barline-error-bin` has the whole error. A call has a key
 * of its own, so it takes effect once although it is sent again until it is answered.
 *
 *   BARLINE_API_KEY=local_... node examples/clients/grpc.mjs
 *
 * BARLINE_RPC names another address than localhost:50051.
 */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { credentials, loadPackageDefinition, Metadata, status } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, loadSync } from '@grpc/proto-loader';

const { BARLINE_RPC = 'localhost:50051', BARLINE_API_KEY = '' } = process.env;
const SERVICES = ['barline.v1.Strategies', 'barline.v1.Backtests'];
const options = { keepCase: true, longs: Number, defaults: true };

/** Files that describe a service, with all that they import, from the server itself. */
async function reflected(symbols) {
  const protocol = createRequire(import.meta.url).resolve(
    '@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto',
  );
  const { ServerReflection } = loadPackageDefinition(loadSync(protocol, options)).grpc.reflection.v1;
  const asking = new ServerReflection(BARLINE_RPC, credentials.createInsecure());
  const stream = asking.ServerReflectionInfo();
  const files = new Set();
  for (const symbol of symbols) stream.write({ file_containing_symbol: symbol });
  stream.end();
  for await (const { file_descriptor_response: answer } of stream)
    for (const file of answer?.file_descriptor_proto ?? []) files.add(file.toString('base64'));
  asking.close();
  return [...files].map((text) => Buffer.from(text, 'base64'));
}

/** A `FileDescriptorSet`: each file is its field 1, with its length before it. */
function setOf(files) {
  const lengthOf = (bytes) => {
    const digits = [];
    for (let left = bytes.length; ; left >>>= 7) {
      if (left < 0x80) return Buffer.from([...digits, left]);
      digits.push((left & 0x7f) | 0x80);
    }
  };
  return Buffer.concat(files.flatMap((file) => [Buffer.from([0x0a]), lengthOf(file), file]));
}

const definition = loadFileDescriptorSetFromBuffer(setOf(await reflected(SERVICES)), options);
const { Strategies } = loadPackageDefinition(definition).barline.v1;

/** The fields of a message with their types, as the server describes them. */
function describe(name) {
  const { field } = definition[`barline.v1.${name}`].type;
  return field.map(
    ({ name, type, typeName }) => `${name}: ${typeName.replace('barline.v1.', '') || type.slice(5).toLowerCase()}`,
  );
}

const { Run } = definition['barline.v1.Backtests'];
console.log(`a backtest takes ${describe(Run.requestType.type.name).length} fields, among them`);
for (const line of describe(Run.requestType.type.name).filter((line) => /Settings|asset|date/.test(line)))
  console.log(`  ${line}`);
console.log('and answers with');
for (const line of describe(Run.responseType.type.name)) console.log(`  ${line}`);

const client = new Strategies(BARLINE_RPC, credentials.createInsecure());

/** The error of the service; empty for one of the connection. */
const failureOf = (error) => JSON.parse(error.metadata?.get('barline-error-bin')[0]?.toString() ?? '{}');

/** A call that is sent up to six times with one key, each time with 10 s to answer. */
async function call(method, request) {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${BARLINE_API_KEY}`);
  metadata.set('idempotency-key', crypto.randomUUID());
  for (let retriesLeft = 5, waitMs = 250; ; retriesLeft--, waitMs *= 2) {
    try {
      return await promisify(client[method]).call(client, request, metadata, { deadline: Date.now() + 10_000 });
    } catch (error) {
      const seconds = failureOf(error).details?.retry_after ?? (error.code === status.UNAVAILABLE ? 0 : null);
      if (seconds === null || retriesLeft === 0) throw error;
      await sleep(Math.max(waitMs, 1_000 * seconds));
    }
  }
}

/** Numbers by name as a `google.protobuf.Struct`; the loader reads a described map as its entries. */
const params = (numbers) => ({
  fields: Object.entries(numbers).map(([key, number_value]) => ({ key, value: { number_value } })),
});

const { strategy } = await call('Create', {
  name: 'Dip Buyer',
  asset: 'BTC-USD',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: params({}) },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: params({ window: 50 }) },
  ],
});
console.log(`created ${strategy.name} on ${strategy.asset}, ${strategy.status}`);

const { strategies } = await call('List', { limit: 10 });
for (const { name, created_at } of strategies) console.log(`${created_at} ${name}`);

await call('Delete', { strategy_id: strategy.id });
try {
  await call('Get', { strategy_id: strategy.id });
} catch (error) {
  console.log(`then ${error.code} ${failureOf(error).code}`);
}
client.close();
