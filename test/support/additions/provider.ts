import type { Edit } from '../../crash/tree-copy.js';

const file = 'data/providers/plain.ts';
const registry = 'data/providers/registry.ts';
/** It has an exchange for each provider. */
export const exchange = 'test/support/exchange.ts';

/** Bars as JSON, from a server that serves nothing else. */
export const provider: readonly Edit[] = [
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

/** A server that speaks its format. */
export const providerServer: readonly Edit[] = [
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
