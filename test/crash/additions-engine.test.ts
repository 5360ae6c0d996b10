/**
 * Follows the recipes for a signal and an indicator in copies of the tree: the files that change,
 * and the tests that hold signals and indicators. Slow, because they build.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { copyTree, type Edit } from '../support/tree-copy.js';

const record = {
  name: 'column_rising',
  origin: 'barline',
  category: 'user',
  type: 'FILTER',
  requires: [],
  params: {
    column: {
      type: 'str',
      note: 'name of a column beside the bars: a letter, then up to 63 letters, digits and underscores',
      optional: false,
    },
    window: { type: 'int', min: 1, max: 200, default: 14, optional: true },
  },
  indicators: ['CLEAN'],
  definition: 'X[m-1] > X[m-1-window]',
  min_bars: 'window + 1',
  description: 'True while a column is higher than window values earlier.',
  family: 'none',
  bias: 'neutral',
  min_bars_counts: 'observations',
};

const signalFile = 'engine/signals/user/columns.ts';
const signal: readonly Edit[] = [
  {
    file: signalFile,
    from: "import { above, all, below, crossesAbove, crossesBelow } from '../condition.js';",
    to: "import { above, ago, all, below, crossesAbove, crossesBelow } from '../condition.js';",
  },
  {
    file: signalFile,
    after: 'export const columnSignals: readonly Signal[] = [\n',
    text: `  defineSignal({
    ...shared,
    name: 'column_rising',
    type: 'FILTER',
    params: { column: columnName(), window: int(1, 200, 14) },
    description: 'True while a column is higher than window values earlier.',
    definition: 'X[m-1] > X[m-1-window]',
    minBars: ({ window }) => window + 1,
    condition: ({ column, window }) => above(source(column), ago(source(column), window)),
  }),
`,
  },
  {
    file: 'test/golden/signals.json',
    from: '{"name": "column_above"',
    to: `${JSON.stringify(record)},\n{"name": "column_above"`,
  },
  {
    file: 'test/reference/signals-columns.ts',
    after: 'export const columnSignals: SignalTable = {\n',
    text: `  column_rising: over(
    (p) => number(p, 'window') + 1,
    (x, p) => raw(x[x.length - 1] > x[x.length - 1 - number(p, 'window')]),
  ),
`,
  },
];

/** Tests that list or draw signals, hold plans and documents, or search among signals. */
const signalTests = [
  ...['unit/engine/signals/records', 'unit/engine/sweep/random-plan', 'unit/docs/reference'],
  ...['unit/reference/signals', 'property/signals'],
];

test('a signal needs its record, the published one and a naive version: three files', async () => {
  const copy = copyTree();
  copy.apply(signal);
  await copy.writeReference();
  assert.deepEqual(copy.changes(), {
    places: [signalFile, 'test/golden/signals.json', 'test/reference/signals-columns.ts'],
    pages: ['docs/reference/README.md', 'docs/reference/indicators.md', 'docs/reference/signals-user.md'],
  });
  const output = await copy.test(...signalTests);
  for (const name of ['is recorded as published', 'agrees with the reference', 'is seen both true and false']) {
    assert.ok(output.includes(`column_rising ${name}`), name);
  }
});

const indicatorPlaces: readonly Edit[] = [
  {
    file: 'engine/indicators/volatility.ts',
    from: '/** ATR in percent of the close. */',
    to: `/** Distance from low to high: the true range without the previous close. */
const barRangeKernel = defineKernel('BAR_RANGE', ([h, l], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = h[t] - l[t];
});
/** Mean range of the last \`window\` bars. NaN before bar window-1. */
export const MEAN_RANGE = (window: number): Column => SMA(columnOf(barRangeKernel, [high, low]), window);

/** ATR in percent of the close. */`,
  },
  {
    file: 'test/golden/check-values.json',
    from: '    {"series": "KVO", ',
    to: `    {"series": "mean range", "params": [14], "first": 13, "value": 2.086428571},
    {"series": "KVO", `,
  },
  {
    file: 'test/reference/indicators.ts',
    from: 'export const sma = ',
    to: `export const meanRange = (h: Series, l: Series, n: number): number[] =>
  rolling(combine(h, l, (a, b) => a - b), n, meanOf);

export const sma = `,
  },
  {
    file: 'test/support/check-values.ts',
    from: '  NATR,\n',
    to: '  MEAN_RANGE,\n  NATR,\n',
  },
  {
    file: 'test/support/check-values.ts',
    from: "  NATR: ['ATR 14'",
    to: `  'mean range': ['ATR 14', (n) => MEAN_RANGE(n), (n) => ind.meanRange(H, L, n)],
  NATR: ['ATR 14'`,
  },
];

test('an indicator needs its kernel, a value from outside, a naive version and a line: four files', async () => {
  const copy = copyTree();
  copy.apply(indicatorPlaces);
  const places = [...new Set(indicatorPlaces.map(({ file }) => file))];
  assert.deepEqual(copy.changes(), { places: places.sort(), pages: [] });
  const output = await copy.test(
    ...['unit/engine/indicators/check-values', 'unit/reference/check-values'],
    ...['unit/docs/reference', 'unit/docs/differences'], // no page lists the indicator yet
  );
  assert.equal(output.match(/^ok .* mean range/gm)?.length, 2, output);
  assert.match(
    await copy.run(['--import', 'tsx', 'bench/run.ts', '--smoke', 'catalogue']),
    /mean range .* ATR 14 in C/,
  );
});
