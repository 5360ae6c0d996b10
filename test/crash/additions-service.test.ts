/**
 * Follows the recipe for an endpoint in a copy of the tree: the files that change, and that the
 * endpoint works and passes the contract tests. Slow, because it builds.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RpcClient } from '../../rpc/index.js';
import { soak } from '../support/scale.js';
import { startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { copyTree, type Edit } from '../support/tree-copy.js';

/** The calendar month that is counted, as a method of its own. */
const endpoint: readonly Edit[] = [
  {
    file: 'service/usage/usage.ts',
    after: '  async listTiers() {\n    return { tiers: this.#parts.tiers.all.map(tierOf) };\n  }\n',
    text: `
  async getMonth({ orgId }: Caller, { prefix = '' }: { readonly prefix?: string }) {
    const { month } = await this.#parts.quotas.month(orgId);
    return { month: prefix + month };
  }
`,
  },
  {
    file: 'protos/barline/v1/usage.proto',
    after: '  rpc GetUserMetrics(Empty) returns (UserMetricsReply);\n}\n',
    text: `
message MonthRequest {
  // Put before the month, default empty.
  optional string prefix = 1;
}

message Month {
  // 2024-01.
  string month = 1;
}
`,
  },
  {
    file: 'protos/barline/v1/usage.proto',
    after: '  rpc GetUtilization(Empty) returns (Utilization);\n',
    text: '  rpc GetMonth(MonthRequest) returns (Month);\n',
  },
  {
    file: 'service/identity/scopes.ts',
    after: "  'Usage.GetUtilization': 'credential',\n",
    text: "  'Usage.GetMonth': 'credential',\n",
  },
  {
    file: 'rpc/handlers/usage.ts',
    after: "  'Usage.GetUtilization': (_, { caller }) => usage.getUtilization(caller),\n",
    text: "  'Usage.GetMonth': (request, { caller }) => usage.getMonth(caller, request),\n",
  },
  {
    file: 'http/routes/usage.ts',
    after: 'export const usageRoutes: readonly Route[] = [\n',
    text: `  {
    method: 'get',
    path: '/usage/month',
    rpc: 'Usage.GetMonth',
    summary: 'The month that is counted',
    tag,
    query: z.object({ prefix: z.string() }).partial(),
    response: z.object({ success: z.literal(true), month: z.string() }),
  },
`,
  },
  {
    file: 'test/contract/cases/usage.ts',
    after: 'const none = { used: 0, limit: null };\n',
    text: `
contract('the month that is counted is told, with a prefix, to a caller with a credential', async ({ api }) => {
  const { month } = (await api.call('Usage.GetMonth')).body;
  assert.match(month, /^20\\d\\d-(0\\d|1[0-2])$/);
  assert.equal((await api.call('Usage.GetMonth', { prefix: 'm' })).body.month, 'm' + month);
  assert.equal((await api.call('Usage.GetMonth', {}, { token: null })).code, 'AUTH_REQUIRED');
});
`,
  },
];

const copy = copyTree();
const main = join(copy.path, 'dist/bundle/barline.js');

test('an endpoint needs a use case, contract, access, handler, route and cases: six files', async () => {
  copy.apply(endpoint);
  await copy.writeReference();
  const places = [...new Set(endpoint.map(({ file }) => file))];
  assert.deepEqual(copy.changes(), { places: places.sort(), pages: [] });
});

test('an added endpoint answers over REST and over gRPC', async () => {
  const service = await startServiceProcess(await newHome(), {}, [], 'serve', [main]);
  const library: typeof import('../../rpc/index.js') = await import(
    pathToFileURL(join(copy.path, 'dist/rpc/index.js')).href
  );
  const address = /^gRPC +(\S+)/.exec(service.said.find((line) => line.startsWith('gRPC')) ?? '')?.[1];
  assert.ok(address);
  const client: RpcClient = new library.RpcClient(address);
  try {
    const authorization = `Bearer ${service.firstKey}`;
    const month = new Date().toISOString().slice(0, 7);
    const rest = await fetch(`${service.origin}/api/v1/usage/month?prefix=m`, { headers: { authorization } });
    assert.deepEqual(await rest.json(), { success: true, month: `m${month}` });
    const call = client.call.bind(client) as (name: string, request: object, options: object) => Promise<object>;
    const { body } = (await call('Usage.GetMonth', {}, { authorization })) as { body: object };
    assert.deepEqual(body, { month });
    await assert.rejects(call('Usage.GetMonth', {}, {}), { code: 'AUTH_REQUIRED' });
    const document = (await (await fetch(`${service.origin}/openapi.json`)).json()) as { paths: object };
    assert.ok('/api/v1/usage/month' in document.paths, 'the documentation has it');
  } finally {
    client.close();
    await service.terminate();
  }
});

/** The cases of all endpoints, which also walk the tables for access, input and documents. */
test('the contract holds with the added case', { skip: soak ? false : 'two minutes: a soak runs it' }, async () => {
  const output = await copy.test(
    ...[
      'contract/contract',
      'unit/http/openapi',
      'unit/http/routes/routes',
      'unit/rpc/contract-types',
      'unit/rpc/protos',
    ],
    ...['unit/docs/mcp', 'unit/docs/reference'],
  );
  assert.match(output, /^ok .* the month that is counted is told/m);
  assert.match(output, /^ok .* the example of get \/api\/v1\/usage\/month succeeds/m);
});
