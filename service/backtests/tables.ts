import type { Generated } from 'kysely';
import type { ExecutionConfig } from '../../engine/execution/index.js';
import type { Json, NullableJson } from '../state/json-columns.js';
import type { BacktestOutcome, BacktestStatus, RunContent } from './stored.js';

/** The stored part of an outcome other than its metrics and trades. */
type BacktestEvidence = Omit<BacktestOutcome<RunContent>, 'metrics' | 'trades'>;

export interface BacktestTable {
  id: string;
  user_id: string;
  org_id: string;
  strategy_id: string | null;
  strategy_name: string;
  session_id: string | null;
  asset: string;
  interval: string;
  base_asset: string;
  start_ms: number;
  end_ms: number;
  config: Json<ExecutionConfig>;
  request: Json<unknown>;
  warnings: Json<readonly string[]>;
  created_at_ms: number;
  status: BacktestStatus;
  completed_at_ms: number | null;
  execution_seconds: number | null;
  metrics: NullableJson<object>;
  evidence: NullableJson<BacktestEvidence>;
  error: string | null;
  archived_at_ms: number | null;
  attempts: Generated<number>;
  lease_runner: string | null;
  lease_until_ms: number | null;
  /** The turn of its last claim. */
  turn: number | null;
  is_shared: Generated<boolean>;
  is_awaited: Generated<boolean>;
  is_portfolio: Generated<boolean>;
}

interface BacktestTradeTable {
  backtest_id: string;
  /** From 0, in the order of closing. */
  index: number;
  trade: Json<object>;
}

export interface BacktestTables {
  backtests: BacktestTable;
  backtest_trades: BacktestTradeTable;
}
