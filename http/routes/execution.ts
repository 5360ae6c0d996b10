import type { ReplyOf } from '../../rpc/index.js';
import type { Route } from '../route.js';
import {
  flagInQuery,
  integerOf,
  jsonObject,
  numberInBody,
  numberInQuery,
  textInBody,
  textInQuery,
  unchecked,
  z,
} from '../zod.js';
import { definition, rules } from './definition-schemas.js';
import { account, evaluation, failedEvaluation, portfolioEntry, position, trade } from './execution-records.js';
import { executionConfig } from './setting-schemas.js';
import { executionState } from './strategies.js';

const tag = 'Execution';

/** A strategy as a read of it returns it. */
const ruled = z
  .looseObject({
    name: z.string(),
    asset: z.string(),
    rules: rules.partial(),
    execution_config: executionConfig.optional(),
    execution_state: executionState.partial().optional(),
  })
  .openapi('StrategyWithRules');

type Evaluation = ReplyOf<'Execution.Evaluate'>;

/**
 * The reply message holds every key that an evaluation can have; this keeps those that this one
 * has.
 */
function evaluationJson(reply: Evaluation): object {
  if (reply.success === true) {
    const { open_positions, ...rest } = reply;
    return open_positions === null ? rest : reply;
  }
  return Object.fromEntries(failedKeys.map((key) => [key, reply[key]]));
}

const failedKeys = failedEvaluation.keyof().options;

const persist = z.boolean().openapi({ description: 'store the result' });
const settings = {
  name: z.string(),
  min_balance_threshold: numberInBody('fraction when <= 1, otherwise an amount', { minimum: 0, default: 0.1 }),
  min_trade_amount: numberInBody('smallest trade', { minimum: 0, default: 25 }),
  max_open_positions: integerOf('most positions at a time', { minimum: 0, default: 3 }),
  max_trades_per_day: integerOf('most entries of a UTC day', { minimum: 0, default: 10 }),
  max_risk_per_trade: numberInBody('fraction of the account', { exclusiveMinimum: 0, maximum: 1, default: 0.02 }),
  risk_params: unchecked(jsonObject('data of the owner; the service does not read it')),
  active: z.boolean().openapi({ description: 'default true' }),
};
const page = {
  skip: numberInQuery('rows to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
  limit: numberInQuery('rows, 1..1000, default 100', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
};

const idsOf = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(',').filter((part) => part.trim() !== '') : [];

export const executionRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/execution/evaluate/bulk',
    rpc: 'Execution.EvaluateBulk',
    summary: 'Evaluate up to 100 strategies',
    tag,
    body: z
      .object({
        strategy_ids: z.array(z.string()),
        strategy_configs: unchecked(z.array(definition).max(100)),
        persist,
      })
      .partial(),
    toJson: (reply) => ({ ...reply, results: reply.results.map(evaluationJson) }),
    response: z.object({
      success: z.literal(true),
      results: z.array(z.union([evaluation, failedEvaluation])),
      data_fetches: z.int(),
      total_execution_time_seconds: z.number(),
      error: z.null(),
    }),
  },
  {
    method: 'post',
    path: '/execution/evaluate',
    rpc: 'Execution.EvaluateInline',
    summary: 'Evaluate a definition that is not saved',
    tag,
    body: z
      .object({
        strategy: unchecked(z.union([definition, ruled])),
        persist,
        open_positions: unchecked(
          z
            .array(jsonObject('a position as an earlier answer returned it'))
            .openapi({ description: 'positions that the caller stores; cannot be combined with persist' }),
        ),
      })
      .partial(),
    required: ['strategy'],
    toJson: evaluationJson,
    response: evaluation,
  },
  {
    method: 'post',
    path: '/execution/evaluate/{strategy_id}',
    rpc: 'Execution.Evaluate',
    summary: 'Evaluate a saved strategy',
    tag,
    body: z.object({ persist: persist.openapi({ description: 'store the result, default true' }) }).partial(),
    toJson: evaluationJson,
    response: evaluation,
  },
  {
    method: 'get',
    path: '/execution/portfolio',
    rpc: 'Execution.GetPortfolio',
    summary: 'Read holdings and recent trades of strategies',
    tag,
    query: z.object({ strategy_ids: textInQuery('1..100 ids separated by commas, or the key repeated') }).partial(),
    repeatable: ['strategy_ids'],
    toRequest: ({ query }) => ({ strategy_ids: idsOf(query.strategy_ids) }),
    response: z.object({
      success: z.literal(true),
      results: z.array(portfolioEntry),
      missing: z.array(z.string()),
    }),
  },
  {
    method: 'get',
    path: '/execution/accounts',
    rpc: 'Execution.ListAccounts',
    summary: 'List accounts, newest first',
    tag,
    query: z.object({ account_type: textInQuery('paper or live', { enum: ['paper', 'live'] }) }).partial(),
    response: z.object({
      success: z.literal(true),
      accounts: z.array(account.omit({ success: true })),
      total: z.int(),
    }),
  },
  {
    method: 'post',
    path: '/execution/accounts',
    rpc: 'Execution.CreateAccount',
    summary: 'Open an account',
    tag,
    body: z
      .object({
        account_type: textInBody('kind of account', { enum: ['paper', 'live'] }),
        initial_balance: numberInBody('cash at the start', { exclusiveMinimum: 0, default: 10_000 }),
        ...settings,
      })
      .partial(),
    required: ['account_type'],
    status: 201,
    response: account,
  },
  {
    method: 'get',
    path: '/execution/accounts/{id}',
    rpc: 'Execution.GetAccount',
    summary: 'Read an account',
    tag,
    response: account,
  },
  {
    method: 'put',
    path: '/execution/accounts/{id}',
    rpc: 'Execution.UpdateAccount',
    summary: 'Replace named settings of an account',
    tag,
    body: z.object(settings).partial(),
    response: account,
  },
  {
    method: 'get',
    path: '/execution/positions',
    rpc: 'Execution.ListPositions',
    summary: 'List open and closed positions, latest entry first',
    tag,
    query: z
      .object({
        account_id: textInQuery('positions of this account'),
        strategy_id: textInQuery('positions of this strategy'),
        asset: textInQuery('in any spelling'),
        status: textInQuery('open or closed', { enum: ['open', 'closed'] }),
        open_only: flagInQuery('default false', { default: false }),
        ...page,
      })
      .partial(),
    response: z.object({
      success: z.literal(true),
      positions: z.array(position),
      total: z.int(),
      skip: z.int(),
      limit: z.int(),
    }),
  },
  {
    method: 'get',
    path: '/execution/positions/{id}',
    rpc: 'Execution.GetPosition',
    summary: 'Read a position',
    tag,
    response: z.object({ success: z.literal(true), ...position.shape }),
  },
  {
    method: 'get',
    path: '/execution/trades',
    rpc: 'Execution.ListTrades',
    summary: 'List trades, latest first',
    tag,
    query: z
      .object({
        account_id: textInQuery('trades of this account'),
        asset: textInQuery('in any spelling'),
        outcome: textInQuery('win or loss', { enum: ['win', 'loss'] }),
        ...page,
      })
      .partial(),
    response: z.object({
      success: z.literal(true),
      trades: z.array(trade),
      total: z.int(),
      skip: z.int(),
      limit: z.int(),
    }),
  },
];
