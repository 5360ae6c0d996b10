/**
 * Follows the recipe for a provider in a copy of the tree: the files that change, and that the
 * provider, in a soak, passes the faults of a fetch. Slow, because it builds.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { soak } from '../support/scale.js';
import { copyTree, type Edit } from '../support/tree-copy.js';

const file = 'data/providers/plain.ts';
const registry = 'data/providers/registry.ts';
const exchange = 'test/support/exchange.ts';

/** Bars as JSON, from a server that serves nothing else. */
const provider: readonly Edit[] = [
  {
    file,
    text: `import type { BarRow, OpenProvider } from './provider.js';
import { createTransport } from './transport.js';

/** Bars of a server with one path, as rows of numbers. */
export const openPlain: OpenProvider = async ({ exchange, apiUrl = '', timeoutMs }) => {
  const transport = createTransport({ timeoutMs });
  return {
    name: exchange,
    via: apiUrl,
    open: async () => ({ pageBarsMax: 100 }),
    fetchTime: async () => null,
    async fetchPage(symbol, _intervalMs, fromMs, limit, signal) {
      transport.signal = signal;
      const query = new URLSearchParams({ symbol, from: String(fromMs), limit: String(limit) });
      const response = await transport.fetch(\`\${apiUrl}/bars?\${query}\`);
      return (await response.json()) as readonly BarRow[];
    },
  };
};
`,
  },
  { file: registry, after: '  ccxt: openCcxt,\n', text: '  plain: openPlain,\n' },
  {
    file: registry,
    after: "import { openCcxt } from './ccxt.js';\n",
    text: "import { openPlain } from './plain.js';\n",
  },
];

/** The server that speaks its format. */
const server: readonly Edit[] = [
  {
    file: exchange,
    from: '/** An exchange for each provider',
    to: `const plain: Format = {
  exchange: 'ours',
  barsPath: '/bars',
  read: (query) => ({
    symbol: query.get('symbol') ?? '',
    interval: '',
    startTime: Number(query.get('from')),
    limit: Number(query.get('limit')),
  }),
  row: (bar) => bar,
  answer: () => undefined,
};

/** An exchange for each provider`,
  },
  { file: exchange, from: 'formats = { ccxt: binance }', to: 'formats = { ccxt: binance, plain }' },
];

test('a provider needs its file, its line and a server that speaks its format: three files', async () => {
  const copy = copyTree();
  copy.apply(provider);
  await copy.build();
  const asked = await copy.compile('tsconfig.test.json');
  assert.ok(
    asked.some((each) => each.startsWith(exchange)),
    asked.join('\n'),
  );
  // The compiler also names the places that would read the line.
  for (const each of asked) assert.match(each, /^test\/[\s\S]*Property 'plain' (is missing|does not exist)/);

  copy.apply(server);
  assert.deepEqual(await copy.compile('tsconfig.test.json'), []);
  assert.deepEqual(copy.changes(), { places: [file, registry, exchange], pages: [] });
  if (!soak) return; // the faults take another minute and a half
  const output = await copy.test('crash/data-fetch', 'unit/cli/pictures');
  assert.equal(output.match(/^ok .* plain: a fetch survives a passing fault/gm)?.length, 13, output);
  assert.equal(output.match(/^ok .* plain: a lasting fault ends in one clear line/gm)?.length, 10, output);
});
