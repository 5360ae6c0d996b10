/**
 * Follows recipes of CONTRIBUTING in a copy of the tree: counts the files they touch, and shows
 * that the additions work.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RpcClient } from '../../rpc/index.js';
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
contract('the month that is counted is told', async ({ api }) => {
  assert.match((await api.call('Usage.GetMonth')).body.month, /^20/);
});
`,
  },
];

/** Bars as JSON, from a server that serves nothing else. */
const provider: readonly Edit[] = [
  {
    file: 'data/providers/plain.ts',
    text: `import type { BarProvider, BarRow, ProviderOptions } from './provider.js';

export async function openPlain({ exchange, apiUrl = '' }: ProviderOptions): Promise<BarProvider> {
  return {
    name: exchange,
    via: apiUrl,
    open: async () => ({ pageBarsMax: 100 }),
    fetchTime: async () => null,
    async fetchPage(symbol, _intervalMs, fromMs, limit, signal) {
      const query = new URLSearchParams({ symbol, from: String(fromMs), limit: String(limit) });
      const response = await fetch(\`\${apiUrl}/bars?\${query}\`, { signal });
      return (await response.json()) as readonly BarRow[];
    },
  };
}
`,
  },
  { file: 'data/providers/registry.ts', after: '  ccxt: openCcxt,\n', text: '  plain: openPlain,\n' },
  {
    file: 'data/providers/registry.ts',
    after: "import { openCcxt } from './ccxt.js';\n",
    text: "import { openPlain } from './plain.js';\n",
  },
];

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2024, 0, 1);
const BARS = 48;

/** The server that the added provider calls: the third file of its recipe, if it were to stay. */
async function startPlainExchange() {
  const rows = Array.from({ length: BARS }, (_, i) => [START_MS + i * HOUR_MS, 100 + i, 102 + i, 99 + i, 101 + i, 5]);
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [from, limit] = [Number(searchParams.get('from')), Number(searchParams.get('limit'))];
    response.end(JSON.stringify(rows.filter(([time]) => time >= from).slice(0, limit)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const copy = copyTree();
const main = join(copy.path, 'dist/bundle/barline.js');

test('an endpoint touches six files and a provider two, three with a server for its tests', async () => {
  assert.equal(copy.apply(endpoint), 6);
  assert.equal(copy.apply(provider), 2);
  await copy.build();
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

test('an added provider fetches bars', async () => {
  const { url, server } = await startPlainExchange();
  try {
    const window = ['--start', '2024-01-01', '--end', '2024-01-02'];
    const market = ['--provider', 'plain', '--exchange', 'ours', '--asset', 'BTC', '--interval', '1h'];
    const args = [main, 'data', 'fetch', ...market, ...window, '--base-url', url, '--json'];
    const text = await copy.run(args, { BARLINE_HOME: await newHome() });
    const { entry } = JSON.parse(text) as { entry: { bars: number } };
    assert.equal(entry.bars, BARS);
  } finally {
    server.close();
  }
});
