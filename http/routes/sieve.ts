import type { Route } from '../route.js';
import { integerOf, unchecked, z } from '../zod.js';
import { denied } from './backtest-schemas.js';
import { rule } from './definition-schemas.js';
import { executionConfig } from './setting-schemas.js';

const probability = z.number().openapi({ minimum: 0, maximum: 1 });

const strategy = z
  .object({
    asset: z.string(),
    entry: z.array(rule),
    exit: z.array(rule).optional(),
    execution_config: executionConfig.optional(),
  })
  .openapi('SieveStrategy');

const run = z
  .object({
    entry_json: z.string().openapi({ description: 'JSON of a list of rules' }),
    exit_json: z.string().optional().openapi({ description: 'JSON of a list of rules' }),
    asset: z.string(),
    exec_config: executionConfig.optional(),
  })
  .openapi('SieveRun');

const prediction = z
  .object({
    binary: z.object({ p_no_trades: probability, p_trades: probability }),
    four_class: z.object({ losing: probability, no_trades: probability, wash: probability, winning: probability }),
    denied_signals: denied,
    warnings: z.array(z.string()),
  })
  .openapi('SievePrediction');

export const sieveRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/oracle/sieve/score',
    rpc: 'Sieve.Score',
    summary: 'Say before a run whether strategies are likely to trade, and how they are likely to end',
    tag: 'Batch engine',
    body: z
      .object({
        strategies: unchecked(z.array(strategy).openapi({ minItems: 1, maxItems: 99 })),
        runs: unchecked(z.array(run).openapi({ minItems: 1, maxItems: 99 })),
        window_bars: integerOf('bars of the window from now on', { minimum: 100, maximum: 20_000, default: 2_000 }),
      })
      .partial(),
    response: z.object({
      success: z.literal(true),
      predictions: z.array(prediction),
      count: z.int(),
      model_version: z.string().openapi({ example: 'barline-sieve-1:0123456789ab' }),
      code_version: z.string(),
    }),
  },
];
