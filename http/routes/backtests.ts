import { type Route, sendPage, type UnaryRoute } from '../route.js';
import { flagInQuery, numberInQuery, textInQuery, z } from '../zod.js';
import { audit } from './audit-schema.js';
import {
  archived,
  bulkBody,
  bulkResult,
  history,
  manifest,
  replayed,
  result,
  runBody,
  state,
  stored,
  submitted,
  tradeList,
} from './backtest-schemas.js';

const tag = 'Backtests';

/** Records that have their own `success`. */
const asIs = (reply: object) => reply;

const canonical: readonly Route[] = [
  {
    method: 'post',
    path: '/backtests',
    rpc: 'Backtests.Run',
    summary: 'Run a backtest and wait for it',
    tag,
    body: runBody,
    required: ['interval'],
    response: result,
  },
  {
    method: 'post',
    path: '/backtests/bulk',
    rpc: 'Backtests.RunBulk',
    summary: 'Run up to 99 strategies over one window',
    tag,
    body: bulkBody,
    required: ['start_date', 'end_date'],
    response: bulkResult,
  },
  {
    method: 'get',
    path: '/backtests/{id}',
    rpc: 'Backtests.Get',
    summary: 'Read a backtest with its trades',
    tag,
    response: stored,
    toJson: asIs,
  },
  {
    method: 'get',
    path: '/backtests/{id}/trades',
    rpc: 'Backtests.ListTrades',
    summary: 'Read the trades of a backtest',
    tag,
    response: tradeList,
  },
];

/** The four routes under their former paths. */
const aliases = canonical.map(
  (route): Route => ({ ...route, path: route.path.replace('/backtests', '/backtesting/backtest'), isDeprecated: true }),
);

const status: Omit<UnaryRoute<'Backtests.GetStatus'>, 'path' | 'summary'> = {
  method: 'get',
  rpc: 'Backtests.GetStatus',
  version: 'v2',
  tag,
  response: state,
  toJson: asIs,
};

export const backtestRoutes: readonly Route[] = [
  ...canonical,
  ...aliases,
  {
    method: 'post',
    path: '/backtests/{id}/archive',
    rpc: 'Backtests.Archive',
    summary: 'Hide a backtest from the history',
    tag,
    response: archived,
  },
  {
    method: 'post',
    path: '/backtests/{id}/unarchive',
    rpc: 'Backtests.Unarchive',
    summary: 'Show a backtest in the history again',
    tag,
    response: archived,
  },
  {
    method: 'get',
    path: '/backtests/{id}/manifest',
    rpc: 'Backtests.GetManifest',
    summary: 'Read what is needed to run a backtest again',
    tag,
    response: manifest,
  },
  {
    method: 'post',
    path: '/backtests/{id}/replay',
    rpc: 'Backtests.Replay',
    summary: 'Run a backtest again and compare it with the record',
    tag,
    response: replayed,
  },
  {
    method: 'get',
    path: '/backtests/{id}/audit',
    rpc: 'Backtests.GetAudit',
    summary: 'Check for look-ahead and for dependence on where the data begins',
    tag,
    query: z
      .object({
        cuts: numberInQuery('number of places to cut the data at, 1..200, default 20', {
          type: 'integer',
          minimum: 1,
          maximum: 200,
          default: 20,
        }),
        seed: numberInQuery('the same seed cuts at the same bars; default 42', { type: 'integer', default: 42 }),
      })
      .partial(),
    response: audit,
  },
  {
    method: 'get',
    path: '/backtests/{id}/report',
    rpc: 'Backtests.GetReport',
    summary: 'Read the tear sheet of a backtest, a self-contained page',
    tag,
    contentType: 'text/html',
    response: z.string(),
    send: sendPage,
  },
  {
    method: 'get',
    path: '/users/me/backtests',
    rpc: 'Backtests.History',
    summary: 'List the backtests of the caller, newest first',
    tag,
    query: z
      .object({
        status: textInQuery('pending, running, completed or failed', {
          enum: ['pending', 'running', 'completed', 'failed'],
        }),
        asset: textInQuery('asset'),
        date_from: textInQuery('created from; YYYY-MM-DD or ISO 8601'),
        date_to: textInQuery('created up to; YYYY-MM-DD (includes that day) or ISO 8601'),
        limit: numberInQuery('rows, 1..1000, default 50', { type: 'integer', minimum: 1, maximum: 1000, default: 50 }),
        offset: numberInQuery('rows to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
        include_archived: flagInQuery('default false', { default: false }),
        session_id: textInQuery('session'),
      })
      .partial(),
    response: history,
  },
  {
    method: 'post',
    path: '/backtests',
    version: 'v2',
    rpc: 'Backtests.Submit',
    summary: 'Submit a backtest to be run later',
    tag,
    body: runBody,
    required: ['interval'],
    status: 202,
    response: submitted,
  },
  {
    method: 'post',
    path: '/backtests/{id}/cancel',
    version: 'v2',
    rpc: 'Backtests.Cancel',
    summary: 'Stop a submitted backtest for good',
    tag,
    response: state,
    toJson: asIs,
  },
  { ...status, path: '/backtests/{id}/status', summary: 'Poll a submitted backtest' },
  { ...status, path: '/backtests/{id}', summary: 'Poll a submitted backtest; same as its status' },
];
