/**
 * Clients of a running service over REST and gRPC. Start one with `npx barline serve`.
 *
 *   BARLINE_API_KEY=local_... npx tsx examples/library/client.ts
 */
import { connectGrpc, createRestClient } from 'barline/client';

const { BARLINE_URL = 'http://127.0.0.1:5001', BARLINE_RPC = '127.0.0.1:50051', BARLINE_API_KEY = '' } = process.env;

const rest = createRestClient({ url: BARLINE_URL, key: BARLINE_API_KEY });
const page = await rest.GET('/api/v1/strategies', { params: { query: { limit: 10 } } });
if (page.error !== undefined) throw new Error(`${page.error.code}: ${page.error.message}`);
console.log(`REST: ${page.data.strategies.length} strategies`);

const grpc = await connectGrpc({ address: BARLINE_RPC, key: BARLINE_API_KEY });
try {
  const { body } = await grpc.call('Strategies.List', { limit: 10 });
  console.log(`gRPC: ${body.strategies.length} strategies`);
} finally {
  grpc.close();
}
