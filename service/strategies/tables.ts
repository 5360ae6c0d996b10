import type { Generated } from 'kysely';
import type { Json } from '../state/json-columns.js';

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

export interface StrategyTables {
  strategies: StrategyTable;
}
