import type { ReplyOf } from '../../rpc/index.js';
import type { Route } from '../route.js';
import type { SseFrame } from '../sse.js';
import { numberInQuery, textInQuery, time, z } from '../zod.js';
import { trade as closedTrade } from './backtest-schemas.js';

const tag = 'Deployed strategies';

type Event = ReplyOf<'Deployed.ListEvents'>['events'][number];
type Ready = NonNullable<ReplyOf<'Deployed.Stream'>['ready']>;

/** Keeps only the keys that the type of the event sets. */
const eventJson = (event: Event): object =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));

const frameOf = (event: Event): SseFrame => ({ id: event.id, event: event.type, data: eventJson(event) });

/** The part of `ready` that REST shows. */
const readyJson = ({ strategies, timestamp }: Ready): object => ({ strategies, timestamp });

const persona = z
  .object({
    id: z.string(),
    name: z.string(),
    avatar: z.string().nullable(),
    description: z.string().nullable(),
    deployed_strategy_ids: z.array(z.string()).min(1).max(3),
    rank: z.int().openapi({ description: '1 is best; equal returns are ranked by id' }),
    account_value: z.number(),
    return_pct: z.number().openapi({ description: 'mean return of its strategies, a fraction of the initial balance' }),
  })
  .openapi('Persona');

const position = z
  .object({
    position_id: z.string(),
    asset: z.string(),
    entry_price: z.number(),
    position_size: z.number(),
    entry_timestamp: time(),
    stop_loss_price: z.number(),
    take_profit_price: z.number(),
    unrealized_pnl: z.number().openapi({ description: 'before the costs of selling' }),
    unrealized_pct: z.number(),
    bars_held: z.int(),
  })
  .openapi('DeployedPosition');

const warnings = z
  .array(z.string())
  .openapi({ description: 'what to know of the data: which columns that the rules read are generated' });

const balances = {
  cash_balance: z.number(),
  account_value: z.number(),
  total_trades: z.int(),
  num_open_positions: z.int(),
  last_price: z.number().nullable(),
  positions: z.array(position),
  warnings,
};

const strategy = z
  .object({
    id: z.string(),
    strategy_id: z.string(),
    name: z.string(),
    persona_id: z.string(),
    asset: z.string(),
    timeframe: z.string(),
    deployed_at: time(),
    status: z.enum(['active', 'paused', 'stopped', 'error']),
    experiment_id: z.string().nullable(),
    run_index: z.int().nullable(),
    trigger_name: z.string().nullable(),
    last_tick_at: time().nullable(),
    last_tick_status: z.string().nullable(),
    health: z.enum(['ok', 'stale', 'error']),
    equity: z.array(z.object({ timestamp: time(), value: z.number() })),
    trades: z.array(closedTrade),
    backtest_metrics: z.record(z.string(), z.number().nullable()).nullable(),
    ...balances,
  })
  .openapi('DeployedStrategy');

const event = z
  .object({
    id: z.string().openapi({ description: 'a whole number that grows from event to event' }),
    strategy_id: z.string(),
    persona_id: z.string(),
    timestamp: time().openapi({ description: 'open of the bar of the fill' }),
    type: z.enum(['fill', 'signal', 'exit_reason']),
    side: z.enum(['enter_long', 'exit_long']).optional(),
    price: z.number().optional(),
    position_size: z.number().optional(),
    position_id: z.string().optional(),
    profit_loss: z.number().optional(),
    reason: z.string().optional().openapi({ description: 'why an entry was denied or a position closed' }),
    exit_reason: z.string().optional(),
    account_value: z.number().openapi({ description: 'at the close of the bar' }),
  })
  .openapi('DeployedEvent');

const frames = z.string().openapi({
  description:
    'Server-sent events. First `ready` with `{strategies, timestamp}`; then `fill`, `signal`, `exit_reason` and `milestone`, each with an increasing id and the event as one line of JSON; a milestone has `milestone: {metric, change}`. A comment every 15 seconds keeps the connection alive.',
  example:
    'id: 7\nevent: milestone\ndata: {"id":"7","strategy_id":"btc-trend","type":"milestone","milestone":{"metric":"account_value","change":0.05}}\n\n',
});

export const deployedRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/oracle/leaderboard',
    rpc: 'Deployed.GetLeaderboard',
    summary: 'Rank personas by the return of their deployed strategies',
    tag,
    response: z.object({ success: z.literal(true), personas: z.array(persona) }),
  },
  {
    method: 'get',
    path: '/oracle/deployed/strategies',
    rpc: 'Deployed.ListStrategies',
    summary: 'List deployed strategies with their holdings',
    tag,
    response: z.object({ success: z.literal(true), count: z.int(), strategies: z.array(strategy) }),
  },
  {
    method: 'get',
    path: '/oracle/deployed/stream',
    rpc: 'Deployed.Stream',
    summary: 'Stream events of deployed strategies as they happen',
    tag,
    query: z
      .object({
        strategy_id: textInQuery('events of this strategy only'),
        last_event_id: numberInQuery('resume after this event; the last 1000 events are kept', { type: 'integer' }),
      })
      .partial(),
    toFrames: ({ ready, events }) =>
      ready === null ? events.map(frameOf) : [{ event: 'ready', data: readyJson(ready) }],
    sameForAll: { newestIdOf: ({ ready }) => ready?.newest_id ?? null },
    response: frames,
  },
  {
    method: 'get',
    path: '/oracle/deployed/{strategy_id}/state',
    rpc: 'Deployed.GetState',
    summary: 'Read the holdings of a deployed strategy',
    tag,
    response: z.object({
      success: z.literal(true),
      strategy_id: z.string(),
      as_of: time().openapi({ description: 'the close to which the figures refer' }),
      updated_at: time(),
      ...balances,
    }),
  },
  {
    method: 'get',
    path: '/oracle/deployed/{strategy_id}/events',
    rpc: 'Deployed.ListEvents',
    summary: 'List recent events of a deployed strategy, newest first',
    tag,
    query: z
      .object({
        limit: numberInQuery('1..500, default 100', { type: 'integer', minimum: 1, maximum: 500, default: 100 }),
      })
      .partial(),
    toJson: (reply) => ({ success: true, ...reply, events: reply.events.map(eventJson) }),
    response: z.object({
      success: z.literal(true),
      strategy_id: z.string(),
      count: z.int(),
      events: z.array(event),
      warnings,
    }),
  },
];
