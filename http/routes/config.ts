import type { Route } from '../route.js';
import { textInQuery, z } from '../zod.js';
import { executionConfig } from './setting-schemas.js';

const tag = 'Trading defaults';
const section = executionConfig;

/** The reply is the bare object, without an envelope. */
const toJson = (reply: { readonly defaults: unknown }) => reply.defaults;

export const configRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/config/trading-defaults',
    rpc: 'Config.GetTradingDefaults',
    summary: 'Read the trading defaults by section',
    tag,
    isPublic: true,
    response: z.object({
      description: z.string(),
      signal_defaults: section,
      backtest_defaults: section,
      risk_management: section,
      position_limits: section,
      volatility_settings: section,
      trading_rules: section,
      time_based_exits: section,
    }),
    toJson,
  },
  {
    method: 'get',
    path: '/config/execution-defaults',
    rpc: 'Config.GetExecutionDefaults',
    summary: 'Read the settings of a strategy created without an execution configuration',
    tag,
    isPublic: true,
    response: section,
    toJson,
  },
  {
    method: 'get',
    path: '/docs/list',
    rpc: 'Config.ListDocs',
    summary: 'List the documents of the project',
    tag: 'Documentation',
    response: z.object({
      success: z.literal(true),
      docs: z.array(z.object({ path: z.string(), name: z.string(), title: z.string().nullable() })),
    }),
  },
  {
    method: 'get',
    path: '/docs/content',
    rpc: 'Config.GetDoc',
    summary: 'Read a document of the project, as Markdown',
    tag: 'Documentation',
    query: z.object({ path: textInQuery('required; a path that the list returns') }).partial(),
    response: z.object({
      success: z.literal(true),
      content: z.string(),
      path: z.string(),
      error: z.null(),
    }),
  },
];
