/**
 * Builds what is older than its sources: `node scripts/build.mjs [step…]`, by default all that a
 * checkout needs to run. Types are no step: `npm run check` proves them, and `npm run build:types`
 * writes the declarations of the package.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { globSync } from 'tinyglobby';

const root = resolve(import.meta.dirname, '..');

const rooms = [
  'cli',
  'contract',
  'data',
  'engine',
  'http',
  'library',
  'mcp',
  'report',
  'research',
  'rpc',
  'server',
  'service',
];
const sources = [...rooms, 'workers'].map((room) => `${room}/**/*.ts`);

/** The steps that write sources which the others read. */
const generated = ['kernels', 'pages', 'grammar', 'signals', 'indicators', 'contract'];

/**
 * Each step with its script, the steps before it, the sources that it reads, and one file that it
 * always writes.
 */
const steps = {
  kernels: {
    run: () => import('./build-kernels.mjs'),
    from: ['engine/{simd/assembly,formulas,sweep,execution}/**/*.ts'],
    to: 'engine/simd/binary.ts',
  },
  pages: { run: () => import('./build-pages.mjs'), from: ['report/browser/**'], to: 'report/browser-bundle.ts' },
  grammar: {
    run: () => import('./build-grammar.mjs'),
    from: ['service/assistant/reading/grammar.ts'],
    to: 'service/assistant/reading/compiled-grammar.ts',
  },
  signals: {
    run: () => import('./build-signals.mjs'),
    from: ['engine/signals/signals.json'],
    to: 'engine/signals/generated/published.ts',
  },
  indicators: {
    run: async () => (await import('tsx/esm/api')).tsImport('./generate-indicators.ts', import.meta.url),
    from: ['engine/indicators/**/*.ts'],
    to: 'library/indicators/generated/functions.ts',
  },
  contract: {
    run: () => import('./build-contract.mjs'),
    from: ['protos/barline/**'],
    to: 'contract/generated/types.ts',
  },
  client: {
    run: async () => (await import('tsx/esm/api')).tsImport('./generate-client.ts', import.meta.url),
    after: ['signals', 'contract'],
    from: [
      'http/**/*.ts',
      'contract/*.ts',
      'protos/**',
      'service/{config,identity}/**/*.ts',
      'engine/execution/**/*.ts',
    ],
    to: 'library/client/generated/api.ts',
  },
  sources: { run: () => undefined, after: [...generated, 'client'], from: [] },
  modules: {
    run: () => import('./transpile.mjs'),
    after: generated,
    from: [], // compares each file by itself
  },
  bundle: {
    run: () => import('./build-bundle.mjs'),
    after: generated,
    from: sources,
    to: 'dist/bundle/barline.js',
  },
  web: {
    run: () => import('./build-web.mjs'),
    after: [...generated, 'client'],
    from: ['web/**', 'engine/**/*.ts'],
    to: 'dist/web/index.html',
  },
  'docs-page': { run: () => import('./build-docs-page.mjs'), from: [], to: 'dist/docs-page/openapi-explorer.js' },
  store: { run: () => import('./build-store.mjs'), from: [] }, // compares by itself
};

const changedMs = (path) => statSync(resolve(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isFresh({ from, to }) {
  if (to === undefined) return false;
  const writtenMs = changedMs(to);
  const read = ['scripts/*', 'package.json', ...from];
  return writtenMs > 0 && globSync(read, { cwd: root, ignore: [to] }).every((file) => changedMs(file) <= writtenMs);
}

async function make(name) {
  const step = steps[name];
  if (step === undefined) throw new Error(`no step ${name}; known are ${Object.keys(steps).join(', ')}`);
  for (const before of step.after ?? []) await make(before);
  if (!isFresh(step)) await step.run();
}

const asked = process.argv.slice(2);
const all = ['bundle', 'web', 'docs-page', 'store'];
for (const name of asked.length > 0 ? asked : all) await make(name);
