import type { Route, UnaryRoute } from '../route.js';
import { batchBody, batchBulkBody, bulkResult, result, state, submitted } from './backtest-schemas.js';

const tag = 'Batch engine';
/** The service refuses an explicit null for this field, so it must see it. */
const keptNulls = ['position_size_calc'];

const status: Omit<UnaryRoute<'Batch.GetStatus'>, 'path' | 'summary'> = {
  method: 'get',
  rpc: 'Batch.GetStatus',
  tag,
  response: state,
};

export const batchRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/oracle/backtest',
    rpc: 'Batch.Run',
    summary: 'Run a backtest and wait for it; settings that are left out take the published defaults',
    tag,
    body: batchBody,
    keptNulls,
    required: ['asset', 'strategy_json'],
    response: result,
  },
  {
    method: 'post',
    path: '/oracle/backtest/async',
    rpc: 'Batch.Submit',
    summary: 'Submit a backtest to be run later',
    tag,
    body: batchBody,
    keptNulls,
    required: ['asset', 'strategy_json'],
    status: 202,
    response: submitted,
  },
  {
    method: 'post',
    path: '/oracle/backtest/bulk',
    rpc: 'Batch.RunBulk',
    summary: 'Run up to 99 strategies over one window',
    tag,
    body: batchBulkBody,
    keptNulls,
    required: ['start_date', 'end_date'],
    response: bulkResult,
  },
  { ...status, path: '/oracle/backtest/async/{backtest_id}', summary: 'Poll a submitted backtest' },
  {
    ...status,
    path: '/oracle/backtest/async/{backtest_id}/status',
    summary: 'Poll a submitted backtest; same as without /status',
  },
];
