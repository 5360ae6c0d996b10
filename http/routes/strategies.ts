import type { Route } from '../route.js';
import { flagInQuery, id, json, jsonObject, numberInQuery, textInQuery, time, z } from '../zod.js';
import { executionConfig } from './setting-schemas.js';

const status = z.enum(['draft', 'inactive', 'paper', 'live', 'archived']);

const rule = z
  .object({
    name: z.string(),
    signal_type: z.enum(['TRIGGER', 'FILTER']),
    timeframe: z.string(),
    params: jsonObject('parameters of the signal'),
  })
  .openapi('Rule');

export const executionState = z
  .object({
    cash_balance: z.number(),
    account_value: z.number(),
    total_trades: z.int(),
    num_open_positions: z.int(),
  })
  .openapi('ExecutionState');

const listItem = z
  .object({
    id: id(),
    name: z.string(),
    asset: z.string(),
    status,
    created_at: time(),
    strategy_type: z.string().nullable(),
    description: z.string().nullable(),
    archived: z.boolean(),
    archived_at: time().nullable(),
  })
  .openapi('StrategyListItem');

const rules = z
  .object({
    name: z.string(),
    asset: z.string(),
    entry: z.array(rule),
    exit: z.array(rule),
    reward_factor: z.number(),
  })
  .openapi('StrategyRules');

const strategy = z
  .object({
    ...listItem.shape,
    rules,
    execution_config: jsonObject('all execution settings'),
    execution_state: executionState,
    user_id: id(),
    org_id: id(),
    session_id: z.string().nullable(),
    parent_strategy_id: id().nullable(),
    content_hash: z.string().nullable(),
    updated_at: time(),
    last_evaluated_at: time().nullable(),
    evaluation_count: z.int(),
  })
  .openapi('Strategy');

const ownStrategy = z
  .object({
    id: id(),
    name: z.string(),
    asset: z.string(),
    status,
    entry_signals: z.array(z.string()),
    exit_signals: z.array(z.string()),
    created_at: time(),
    archived: z.boolean(),
    archived_at: time().nullable(),
    config: jsonObject('execution settings'),
  })
  .openapi('OwnStrategy');

const strategyReply = z.object({ success: z.literal(true), strategy });

const written = strategyReply.extend({
  warnings: z
    .array(z.string())
    .openapi({ description: 'unknown settings, deprecated settings that take effect, an asset without bars' }),
});

/**
 * Stop distances belong to `execution_config`. Beside the rules they would be ignored silently, so
 * they are refused.
 */
const misplaced = z
  .undefined('belongs to execution_config')
  .optional()
  .openapi({ type: 'null', description: 'belongs to execution_config' });

const fields = {
  name: z.string(),
  asset: z.string(),
  entry: json('array of Rule'),
  exit: json('array of Rule, default []'),
  reward_factor: z.number(),
  execution_config: executionConfig,
  description: z.string(),
  strategy_type: z.string(),
  atr_period: misplaced,
  atr_multiplier: misplaced,
};

const stateFields = z.looseObject({ execution_state: json('the fields may be nested in this key') });

const archived = z.object({
  success: z.literal(true),
  strategy_id: id(),
  archived: z.boolean(),
  archived_at: time().nullable(),
});

const tag = 'Strategies';

export const strategyRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/strategies',
    rpc: 'Strategies.List',
    summary: 'List the strategies of the caller, newest first',
    tag,
    query: z
      .object({
        skip: numberInQuery('rows to skip, default 0'),
        limit: numberInQuery('rows, 1..1000, default 100'),
        include_archived: flagInQuery('default false'),
      })
      .partial(),
    response: z.object({
      success: z.literal(true),
      strategies: z.array(listItem),
      total: z.int(),
      skip: z.int(),
      limit: z.int(),
    }),
  },
  {
    method: 'get',
    path: '/users/me/strategies',
    rpc: 'Strategies.ListMine',
    summary: 'List the strategies of the caller, with their signals and settings',
    tag,
    query: z
      .object({
        search: textInQuery('part of the name or of the asset'),
        status: textInQuery('a status, or active for both paper and live'),
        limit: numberInQuery('rows, 1..1000, default 50'),
        offset: numberInQuery('rows to skip, default 0'),
        include_archived: flagInQuery('default false'),
      })
      .partial(),
    response: z.object({
      success: z.literal(true),
      strategies: z.array(ownStrategy),
      total: z.int(),
      limit: z.int(),
      offset: z.int(),
    }),
  },
  {
    method: 'post',
    path: '/strategies',
    rpc: 'Strategies.Create',
    summary: 'Store a strategy',
    tag,
    body: z
      .object({
        ...fields,
        status: z.string(),
        session_id: z.string(),
        parent_strategy_id: z.string(),
        execution_state: json('fields of the initial execution state'),
      })
      .partial(),
    required: ['name', 'asset', 'entry'],
    status: 201,
    response: written,
  },
  {
    method: 'get',
    path: '/strategies/{strategy_id}',
    rpc: 'Strategies.Get',
    summary: 'Read a strategy',
    tag,
    response: strategyReply,
  },
  {
    method: 'put',
    path: '/strategies/{strategy_id}',
    rpc: 'Strategies.Update',
    summary: 'Replace the given fields of a strategy',
    tag,
    body: z.object({ ...fields, rules: json('{entry, exit, reward_factor}') }).partial(),
    response: written,
  },
  {
    method: 'delete',
    path: '/strategies/{strategy_id}',
    rpc: 'Strategies.Delete',
    summary: 'Delete a strategy',
    tag,
    response: z.object({ success: z.literal(true), message: z.string() }),
  },
  {
    method: 'patch',
    path: '/strategies/{strategy_id}/status',
    rpc: 'Strategies.SetStatus',
    summary: 'Set the status of a strategy',
    tag,
    body: z.object({ status: z.string() }).partial(),
    required: ['status'],
    response: z.object({ success: z.literal(true), message: z.string(), strategy_id: id(), status }),
  },
  {
    method: 'patch',
    path: '/strategies/{strategy_id}/execution-state',
    rpc: 'Strategies.SetExecutionState',
    summary: 'Set fields of the execution state',
    tag,
    body: stateFields.partial(),
    toRequest: ({ params, body }) => ({ ...params, execution_state: body.execution_state ?? body }),
    response: z.object({ success: z.literal(true), message: z.string(), execution_state: executionState }),
  },
  {
    method: 'post',
    path: '/strategies/{strategy_id}/archive',
    rpc: 'Strategies.Archive',
    summary: 'Hide a strategy from lists',
    tag,
    response: archived,
  },
  {
    method: 'post',
    path: '/strategies/{strategy_id}/unarchive',
    rpc: 'Strategies.Unarchive',
    summary: 'Show a strategy in lists again',
    tag,
    response: archived,
  },
];
