import { listStoredRules, type StoredRules } from './definition.js';
import type { StrategyRow } from './store.js';

export const strategyStatuses = ['draft', 'inactive', 'paper', 'live', 'archived'] as const;
export type StrategyStatus = (typeof strategyStatuses)[number];

/** Summary of the paper account of a strategy; amounts are in the quote currency. */
export interface ExecutionState {
  readonly cash_balance: number;
  readonly account_value: number;
  readonly total_trades: number;
  readonly num_open_positions: number;
}

export interface StrategyListItem {
  readonly id: string;
  readonly name: string;
  readonly asset: string;
  readonly status: StrategyStatus;
  readonly created_at: string;
  readonly strategy_type: string | null;
  readonly description: string | null;
  readonly archived: boolean;
  readonly archived_at: string | null;
}

export interface StrategyDetail extends StrategyListItem {
  readonly rules: StoredRules;
  readonly execution_config: Readonly<Record<string, unknown>>;
  readonly execution_state: ExecutionState;
  readonly user_id: string;
  readonly org_id: string;
  readonly session_id: string | null;
  readonly parent_strategy_id: string | null;
  readonly content_hash: string | null;
  readonly updated_at: string;
  readonly last_evaluated_at: string | null;
  readonly evaluation_count: number;
}

type ListedColumns =
  | 'id'
  | 'name'
  | 'asset'
  | 'status'
  | 'created_at'
  | 'strategy_type'
  | 'description'
  | 'archived_at';

export function toListItem(row: Pick<StrategyRow, ListedColumns>): StrategyListItem {
  return {
    id: row.id,
    name: row.name,
    asset: row.asset,
    status: row.status as StrategyStatus,
    created_at: row.created_at.toISOString(),
    strategy_type: row.strategy_type,
    description: row.description,
    archived: row.archived_at !== null,
    archived_at: row.archived_at?.toISOString() ?? null,
  };
}

export function toDetail(row: StrategyRow): StrategyDetail {
  return {
    ...toListItem(row),
    rules: row.rules as StoredRules,
    execution_config: row.execution_config as Record<string, unknown>,
    execution_state: row.execution_state as ExecutionState,
    user_id: row.user_id,
    org_id: row.org_id,
    session_id: row.session_id,
    parent_strategy_id: row.parent_strategy_id,
    content_hash: row.content_hash,
    updated_at: row.updated_at.toISOString(),
    last_evaluated_at: row.last_evaluated_at?.toISOString() ?? null,
    evaluation_count: row.evaluation_count,
  };
}

/** A strategy in its user's overview. */
export interface OwnStrategy {
  readonly id: string;
  readonly name: string;
  readonly asset: string;
  readonly status: StrategyStatus;
  /** Signal names in the order of the rules. */
  readonly entry_signals: readonly string[];
  readonly exit_signals: readonly string[];
  /** Empty without a short side. */
  readonly short_entry_signals: readonly string[];
  readonly short_exit_signals: readonly string[];
  readonly created_at: string;
  readonly archived: boolean;
  readonly archived_at: string | null;
  /** The execution configuration. */
  readonly config: Readonly<Record<string, unknown>>;
}

export function toOwnStrategy(row: StrategyRow): OwnStrategy {
  const { id, name, asset, status, created_at, archived, archived_at } = toListItem(row);
  const { entry, exit, short_entry, short_exit } = row.rules as StoredRules;
  const names = (side: StoredRules['entry'] | undefined) => listStoredRules(side).map((rule) => rule.name);
  return {
    id,
    name,
    asset,
    status,
    entry_signals: names(entry),
    exit_signals: names(exit),
    short_entry_signals: names(short_entry),
    short_exit_signals: names(short_exit),
    created_at,
    archived,
    archived_at,
    config: row.execution_config as Record<string, unknown>,
  };
}
