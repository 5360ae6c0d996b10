import { settingColumnNames } from '../../rpc/index.js';
import type { Route } from '../route.js';
import { integerOf, numberInQuery, textInBody, textInQuery, time, unchecked, z } from '../zod.js';

const tag = 'Corpus';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const row = z.record(z.string(), cell);
const filter = z
  .object({
    col: z.string(),
    op: z.enum(['=', '!=', '>', '>=', '<', '<=', 'in', 'between']),
    value: z.union([cell, z.array(cell)]),
  })
  .openapi('RowFilter');

const listing = z
  .object({
    experiment_id: textInQuery('default all'),
    asset: textInQuery('asset'),
    timeframe: textInQuery('timeframe'),
    trigger_name: textInQuery('entry trigger'),
    status: textInQuery('ok, no_trades, skipped or error', { enum: ['ok', 'no_trades', 'skipped', 'error'] }),
    min_trades: numberInQuery('minimum total_trades', { type: 'integer' }),
    min_sharpe: numberInQuery('minimum sharpe_ratio'),
    min_win_rate: numberInQuery('minimum win_rate, percent'),
    sort: textInQuery('any column, default sharpe_ratio'),
    order: textInQuery('desc (default for every column) or asc, which lists the smallest max_drawdown first', {
      enum: ['desc', 'asc'],
      default: 'desc',
    }),
    limit: numberInQuery('rows, 1..500, default 100', { type: 'integer', minimum: 1, maximum: 500, default: 100 }),
    offset: numberInQuery('rows to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
  })
  .partial();

const query = z
  .object({
    ...listing.shape,
    ...Object.fromEntries(settingColumnNames.map((name) => [name, textInQuery('value of the setting').optional()])),
  })
  .catchall(z.string()); // the service knows the columns and refuses names that are not filters

export const corpusRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/oracle/data/query',
    rpc: 'Corpus.Query',
    summary: 'Query the result rows of the organization, or bars',
    tag,
    body: z
      .object({
        table: textInBody('what to read', { enum: ['results', 'ohlcv'] }),
        select: unchecked(z.array(z.string()).min(1).max(80).openapi({ description: 'names of columns' })),
        filters: unchecked(z.array(filter).max(20)),
        order_by: unchecked(z.array(z.object({ col: z.string(), dir: z.enum(['desc', 'asc']).optional() })).max(5)),
        limit: integerOf('rows', { minimum: 1, maximum: 1000, default: 100 }),
        page_token: z.string().openapi({ description: 'next_page_token of the page before' }),
        sql: unchecked(z.null().openapi({ description: 'refused' })),
      })
      .partial(),
    required: ['table', 'select'],
    response: z.object({
      success: z.literal(true),
      rows: z.array(row.openapi({ description: 'the selected columns' })),
      row_count: z.int(),
      total_bytes_billed: z.int(),
      cost_estimate_usd: z.number(),
      next_page_token: z.string().nullable(),
      held: z
        .array(z.object({ asset: z.string(), timeframe: z.string(), start: time(), end: time() }))
        .openapi({ description: 'where a query of ohlcv has no rows: the bars held of what it names, or of all' }),
    }),
    stream: {
      contentType: 'application/vnd.apache.arrow.stream',
      open: (rpc, request, options) => rpc.stream('Corpus.QueryColumns', request, options),
      bytesIn: 'arrow',
      headers: {
        row_count: 'X-Row-Count',
        total_bytes_billed: 'X-Total-Bytes-Billed',
        cost_estimate_usd: 'X-Cost-Estimate-Usd',
        next_page_token: 'X-Next-Page-Token',
      },
    },
  },
  {
    method: 'get',
    path: '/oracle/results',
    rpc: 'Corpus.ListResults',
    summary: 'List result rows of the organization, best first',
    tag,
    query,
    response: z.object({
      success: z.literal(true),
      total: z.int(),
      offset: z.int(),
      limit: z.int(),
      results: z.array(row.openapi({ description: 'all columns of a result row and its id' })),
    }),
    toRequest: ({ query: given }) => {
      const entries = Object.entries(given);
      const isNamed = ([name]: [string, unknown]): boolean => Object.hasOwn(listing.shape, name);
      const filters = Object.fromEntries(entries.filter((entry) => !isNamed(entry)));
      return { ...Object.fromEntries(entries.filter(isNamed)), filters };
    },
  },
];
