import type { Edit } from '../../crash/tree-copy.js';

/** A cap on the distance of the target. The table has its line in two parts. */
const unsaid = `  target_cap_pct: {
    kind: 'number',
    above: 0,
    nullable: true,
    section: null,
    default: null,
`;
const rest = `    isUnhashedDefault: true,
    unit: 'fraction of the entry price',
    description: 'largest distance of the target; no cap when null',
  },
`;
const riskFields = 'engine/execution/risk-fields.ts';
const line: Edit = {
  file: riskFields,
  from: '  max_risk_per_trade: {',
  to: `${unsaid}${rest}  max_risk_per_trade: {`,
};
const word: Edit = { file: riskFields, after: unsaid, text: "    fastPath: 'default',\n" };

const rule: Edit = {
  file: 'engine/execution/long-account.ts',
  from: 'targetPrice: targetOf(entryPrice, distance, config.reward_factor),',
  to: `targetPrice: Math.min(
      targetOf(entryPrice, distance, config.reward_factor),
      entryPrice * (1 + (config.target_cap_pct ?? Infinity)),
    ),`,
};

/** The same of accounts with sides, which also run a bar at a time. */
const sided: Edit = {
  file: 'engine/execution/account.ts',
  from: "if (config.target_calculation === 'reward') return rewardTarget(sign, entryPrice, distance, config.reward_factor);",
  to: `if (config.target_calculation === 'reward') {
    const target = rewardTarget(sign, entryPrice, distance, config.reward_factor);
    return Math.min(target, entryPrice * (1 + (config.target_cap_pct ?? Infinity)));
  }`,
};

const reference: Edit = {
  file: 'test/reference/execution.ts',
  from: "    const target = fillPrice + distance * numberField(config, 'reward_factor');",
  to: `    const cap = (config.target_cap_pct as number | null | undefined) ?? Infinity;
    const target = Math.min(fillPrice + distance * numberField(config, 'reward_factor'), fillPrice * (1 + cap));`,
};

/** The worked example of the target, sold a bar earlier: by hand, 51.2 * 1.05 = 53.76. */
const golden: Edit = {
  file: 'test/golden/execution/worked-examples.json',
  after: `worked example W2 of the execution rules, computed by an independent implementation, printed to 10 decimals",
    "runs": [
`,
  text: `      {
        "settings": {
          "target_cap_pct": 0.05,
          "initial_balance": 10000,
          "atr_period": 3,
          "atr_volatility_factor": 2,
          "reward_factor": 2,
          "atr_short_weight": 1,
          "atr_long_weight": 0,
          "atr_cap_multiplier": null,
          "max_risk_per_trade": 0.01,
          "min_balance_threshold": 0.1,
          "slippage_pct": 0,
          "fee_pct": 0
        },
        "bars": [
          [50, 50.6, 49.5, 50.2],
          [50.2, 50.9, 49.8, 50.4],
          [50.4, 51.2, 50.1, 50.9],
          [50.9, 51.5, 50.2, 51.1],
          [51.2, 52.4, 50.9, 52.1],
          [52.1, 54, 51.8, 53.7],
          [53.7, 57.3, 53.5, 56.9]
        ],
        "entries": [3],
        "exits": [],
        "denials": [],
        "trades": [{ "targetPrice": 53.76, "exitPrice": 53.76, "profitLoss": 109.7142857143, "exitBar": 5, "exitReason": "TP" }]
      },
`,
};

/** A line of the table that does not say what the fast path does with the setting. */
export const settingLine: readonly Edit[] = [line];
export const setting: readonly Edit[] = [word, rule, sided, golden, reference];

/** A module that prints where the setting appears without a line written for it there. */
export const settingReach = `
import { corpusSchemas } from './data/corpus/index.js';
import { FusedRuns } from './engine/sweep/fused-runs.js';
import { publishedDefaults, resolveConfig, simulate } from './engine/execution/index.js';
import { openApiDocument } from './http/openapi.js';
import { routes } from './http/routes.js';
import { resultColumns } from './workers/index.js';
import { randomBars } from './test/support/random.js';
import { maskWithBars } from './engine/series/index.js';
import { valuesOf } from './test/support/setting-values.js';

const name = 'target_cap_pct';
const bars = randomBars({ seed: 1, barCount: 500 });
const mask = maskWithBars(500, [400, 450]);
const nowhere = maskWithBars(500, []);
const configOf = (value: number | null) =>
  resolveConfig({ request: { [name]: value }, interval: bars.intervalMs }).config;
const covers = (value: number | null) => FusedRuns.over(bars, 0)!.run({ entry: mask, exit: nowhere }, configOf(value)) !== null;
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

/** Tests that list settings, draw their values or hold what is stored of them. */
export const settingTests = [
  ...['unit/engine/execution/golden', 'unit/engine/execution/config', 'unit/engine/execution/rules'],
  ...['unit/engine/sweep/random-plan', 'unit/engine/sweep/run-layout'],
  ...['unit/docs/reference', 'unit/http/setting-documents', 'unit/service/config/trading-defaults'],
  ...['property/execution-reference', 'property/execution-fused', 'property/sweep-settings'],
];
