import assert from 'node:assert/strict';
import test from 'node:test';
import { copyTree, type Edit } from '../support/tree-copy.js';

/**
 * Adds a setting, an indicator and a signal in a copy of the tree: the files that change, what the compiler asks
 * for, and what follows by itself. These tests are slow because they compile.
 */

const line: Edit = {
  file: 'engine/execution/config.ts',
  from: '  max_risk_per_trade: {',
  to: `  target_cap_pct: {
    kind: 'number',
    above: 0,
    nullable: true,
    section: null,
    default: null,
    unit: 'fraction of the entry price',
    description: 'largest distance of the target; no cap when null',
  },
  max_risk_per_trade: {`,
};

const rule: Edit = {
  file: 'engine/execution/entry.ts',
  from: 'targetPrice: targetOf(entryPrice, distance, config.reward_factor),',
  to: `targetPrice: Math.min(
      targetOf(entryPrice, distance, config.reward_factor),
      entryPrice * (1 + (config.target_cap_pct ?? Infinity)),
    ),`,
};

const word: Edit = {
  file: 'engine/sweep/fused-support.ts',
  from: '  reward_factor: read,',
  to: `  reward_factor: read,
  target_cap_pct: onlyWhere(({ target_cap_pct }) => target_cap_pct === null),`,
};

const reference: Edit = {
  file: 'test/reference/execution.ts',
  from: "    const target = fillPrice + distance * numberField(config, 'reward_factor');",
  to: `    const cap = (config.target_cap_pct as number | null | undefined) ?? Infinity;
    const target = Math.min(fillPrice + distance * numberField(config, 'reward_factor'), fillPrice * (1 + cap));`,
};

/** The places where a setting appears without a line written for it there. */
const reach = `
import { corpusSchemas } from './data/corpus/index.js';
import { FusedRuns } from './engine/sweep/fused-runs.js';
import { publishedDefaults, resolveConfig } from './engine/index.js';
import { openApiDocument } from './http/openapi.js';
import { routes } from './http/routes/index.js';
import { resultColumns } from './workers/index.js';
import { randomBars } from './test/support/random.js';
import { maskOf } from './engine/series/index.js';
import { simulate } from './engine/execution/index.js';
import { valuesOf } from './test/support/setting-values.js';

const name = 'target_cap_pct';
const bars = randomBars({ seed: 1, barCount: 500 });
const mask = maskOf(500, [400, 450]);
const nowhere = maskOf(500, []);
const configOf = (value: number | null) =>
  resolveConfig({ request: { [name]: value }, interval: bars.intervalMs }).config;
const covers = (value: number | null) => FusedRuns.over(bars, 0)!.run(mask, nowhere, configOf(value)) !== null;
const distance = (value: number | null) => {
  const [trade] = simulate({ bars, first: 0, entry: mask, exit: nowhere, config: configOf(value) }).trades;
  return trade!.targetPrice / trade!.entryPrice - 1;
};
const refusal = () => {
  try {
    configOf(0);
  } catch (error) {
    return String(error);
  }
};
const { paths, components } = openApiDocument(routes, '1') as any;
console.log(JSON.stringify({
  default: publishedDefaults[name],
  refusal: refusal(),
  schema: components.schemas.ExecutionSettings.properties[name],
  isFilter: paths['/api/v1/oracle/results'].get.parameters.some((parameter: any) => parameter.name === name),
  resultColumn: resultColumns[resultColumns.indexOf('max_risk_per_trade') - 1],
  corpusColumn: corpusSchemas.results.columns.get(name),
  drawn: [...new Set(valuesOf(name).usual)],
  isCovered: [covers(null), covers(0.001)],
  isObeyed: distance(0.001) < 0.0011 && distance(null) > 0.0011,
}));
`;

test('a setting needs its table line, its rule, its reference case and the word of the fast path', async () => {
  const copy = copyTree();
  assert.equal(copy.apply([line]), 1);
  const asked = await copy.compile('engine');
  assert.equal(asked.length, 1, asked.join('\n'));
  assert.match(
    asked[0]!,
    /^engine\/sweep\/fused-support\.ts[\s\S]*Property 'target_cap_pct' is missing/,
    'the compiler asks for the word',
  );

  assert.equal(copy.apply([rule, word, reference]), 3);
  assert.deepEqual(await copy.compile('tsconfig.build.json'), []);
  assert.deepEqual(await copy.evaluate(reach), {
    default: null,
    refusal: 'EngineError: target_cap_pct must be a number > 0 or null, was 0',
    schema: {
      type: ['number', 'null'],
      exclusiveMinimum: 0,
      default: null,
      description: 'largest distance of the target; no cap when null (fraction of the entry price)',
    },
    isFilter: true,
    resultColumn: 'target_cap_pct',
    corpusColumn: { name: 'target_cap_pct', type: 'number', isPercent: false, isSetting: true },
    drawn: [null, 0.003, 0.05, 0.5, 1, 2.5],
    isCovered: [true, false],
    isObeyed: true,
  });
  const names = ['unit/engine/execution/config', 'unit/http/setting-documents', 'property/execution-reference'];
  const { isGreen, output } = await copy.test(
    ...[...names, 'property/execution-fused'].map((name) => `test/${name}.test.ts`),
  );
  assert.ok(isGreen, output);
});

const record = {
  name: 'is_under_sma',
  category: 'trend',
  type: 'FILTER',
  requires: ['Close'],
  params: { window: { type: 'int', min: 1, max: 200, optional: false } },
  indicators: ['SMA'],
  definition: 'C[t] < SMA(C,window)[t]',
  min_bars: 'window',
  description: 'True while the close is below its simple average.',
  family: 'trend_following',
  bias: 'bearish',
};

const signalPlaces: readonly Edit[] = [
  {
    file: 'engine/signals/trend/sma.ts',
    from: "  defineSignal({\n    name: 'sma_crossover',",
    to: `  defineSignal({
    name: 'is_under_sma',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: { window: int(1, 200) },
    indicators: ['SMA'],
    description: 'True while the close is below its simple average.',
    definition: 'C[t] < SMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(SMA(close, window), close),
  }),
  defineSignal({
    name: 'sma_crossover',`,
  },
  {
    file: 'test/golden/signals.json',
    from: '{"name": "is_above_sma"',
    to: `${JSON.stringify(record)},\n{"name": "is_above_sma"`,
  },
  {
    file: 'test/reference/signals-trend.ts',
    from: '  is_above_sma: aboveAverage(sma),',
    to: `  is_under_sma: { minBars: window, rule: (bars, p) => above(sma(bars.close, window(p), p), bars.close) },
  is_above_sma: aboveAverage(sma),`,
  },
];

test('a signal needs its record, the published one and a naive version', async () => {
  const copy = copyTree();
  assert.equal(copy.apply(signalPlaces), 3);
  assert.deepEqual(await copy.compile('engine'), []);
  const { isGreen, output } = await copy.test(
    ...['--test-name-pattern', '/is_under_sma|lists|names|registry/'],
    ...['unit/engine/signals/records', 'unit/reference/signals', 'property/signals'].map(
      (name) => `test/${name}.test.ts`,
    ),
  );
  assert.ok(isGreen, output);
  assert.match(output, /is_under_sma/);
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

test('an indicator needs its kernel, a value from outside, a naive version and the line that compares them', async () => {
  const copy = copyTree();
  assert.equal(copy.apply(indicatorPlaces), 4);
  assert.deepEqual(await copy.compile('tsconfig.build.json'), []);
  const { isGreen, output } = await copy.test(
    ...['--test-name-pattern', '/mean range|golden file/'],
    ...['unit/engine/indicators/check-values', 'unit/reference/check-values'].map((name) => `test/${name}.test.ts`),
  );
  assert.ok(isGreen, output);
  assert.equal(output.match(/^ok .* mean range/gm)?.length, 2, output);
  assert.match(
    await copy.run(['--import', 'tsx', 'bench/run.ts', '--smoke', 'catalogue']),
    /mean range .* ATR 14 in C/,
  );
});
