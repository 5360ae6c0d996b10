import type { ColumnType, Generated } from 'kysely';

/** Written as JSON text, read as the value. */
type Json<T> = ColumnType<T, string, string>;

export interface StrategyTable {
  id: string;
  user_id: string;
  org_id: string;
  name: string;
  asset: string;
  status: string;
  rules: Json<object>;
  execution_config: Json<object>;
  execution_state: Json<object>;
  content_hash: string;
  session_id: string | null;
  parent_strategy_id: string | null;
  strategy_type: string | null;
  description: string | null;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
  last_evaluated_at: Date | null;
  evaluation_count: Generated<number>;
}

/** Tables of the state, as the migrations leave them. */
export interface StateSchema {
  strategies: StrategyTable;
}
