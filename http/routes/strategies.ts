import type { Route } from '../route.js';
import { flagInQuery, id, numberInQuery, textInQuery, time, unchecked, z } from '../zod.js';
import { rewardFactor, rule, rules } from './definition-schemas.js';
import { executionConfig } from './setting-schemas.js';

const status = z.enum(['draft', 'inactive', 'paper', 'live', 'archived']);

const statusInBody = z.string().openapi({ enum: status.options });

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

export const strategySchema = z
  .object({
    ...listItem.shape,
    rules,
    execution_config: executionConfig,
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
    config: executionConfig,
  })
  .openapi('OwnStrategy');

const strategyReply = z.object({ success: z.literal(true), strategy: strategySchema });

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
  entry: unchecked(z.array(rule)),
  exit: unchecked(z.array(rule).openapi({ default: [] })),
  reward_factor: rewardFactor,
  execution_config: executionConfig,
  description: z.string(),
  strategy_type: z.string(),
  atr_period: misplaced,
  atr_multiplier: misplaced,
};

const stateFields = z.looseObject({ execution_state: unchecked(executionState.partial()) });

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
        skip: numberInQuery('rows to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
        limit: numberInQuery('rows, 1..1000, default 100', {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          default: 100,
        }),
        include_archived: flagInQuery('default false', { default: false }),
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
        status: textInQuery('a status, or active for both paper and live', {
          enum: ['draft', 'inactive', 'paper', 'live', 'archived', 'active'],
        }),
        limit: numberInQuery('rows, 1..1000, default 50', { type: 'integer', minimum: 1, maximum: 1000, default: 50 }),
        offset: numberInQuery('rows to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
        include_archived: flagInQuery('default false', { default: false }),
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
        status: statusInBody,
        session_id: z.string(),
        parent_strategy_id: z.string(),
        execution_state: unchecked(executionState.partial()),
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
    body: z.object({ ...fields, rules: unchecked(rules.partial()) }).partial(),
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
    body: z.object({ status: statusInBody }).partial(),
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
