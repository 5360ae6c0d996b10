import type { Edit } from '../../crash/tree-copy.js';

/** The mean range of bars. */
export const indicator: readonly Edit[] = [
  {
    file: 'engine/indicators/volatility.ts',
    from: '/** ATR in percent of the close. */',
    to: `/** Distance from low to high: the true range without the previous close. */
const barRangeKernel = defineKernel('BAR_RANGE', ofOneBar, ([h, l], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = h[t] - l[t];
});
/** Mean range of the last \`window\` bars. NaN before bar window-1. */
export const MEAN_RANGE = (window: number): Column => SMA(columnOf(barRangeKernel, [high, low]), window);

/** ATR in percent of the close. */`,
  },
  {
    file: 'engine/indicators/volatility.ts',
    after: 'export const volatilities = {\n',
    text: `  MEAN_RANGE: overBars({
    title: 'Mean range',
    formula: 'mean(H-L over t-n+1..t)',
    params: { window: bars(14) },
    lines: ({ window }) => ({ mean_range: MEAN_RANGE(window) }),
    functions: { mean_range: line('mean_range', 'mean range of the last n bars', n, self) },
  }),
`,
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

/** Tests that compare indicators with values from outside, list them, and run their functions. */
export const indicatorTests = [
  ...['unit/engine/indicators/indicators', 'unit/docs/reference', 'unit/docs/differences'],
  ...[
    'unit/library/indicators/indicators',
    'property/indicator-streams',
    'unit/engine/signals/formula-language/formula-language',
  ],
];
