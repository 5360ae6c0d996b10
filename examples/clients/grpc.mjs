/**
 * A gRPC client from the .proto files alone. Values of free form travel as JSON bytes in fields that
 * end in `_json`. When a call fails, the trailer `barline-error-bin` has the whole error. A call has
 * a key of its own, so it takes effect once although it is sent again until it is answered.
 *
 *   BARLINE_API_KEY=local_... node examples/clients/grpc.mjs
 *
 * BARLINE_RPC names another address than localhost:50051.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { credentials, loadPackageDefinition, Metadata, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const { BARLINE_RPC = 'localhost:50051', BARLINE_API_KEY = '' } = process.env;

const protos = fileURLToPath(new URL('../../protos', import.meta.url));
const definition = loadSync('barline/v1/strategies.proto', { includeDirs: [protos], keepCase: true, defaults: true });
const { Strategies } = loadPackageDefinition(definition).barline.v1;

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

const entry = [
  { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} },
  { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1h', params: { window: 50 } },
];

const { strategy } = await call('Create', {
  name: 'Dip Buyer',
  asset: 'BTC-USD',
  entry_json: Buffer.from(JSON.stringify(entry)),
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
