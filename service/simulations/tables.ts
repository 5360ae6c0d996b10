import type { Generated } from 'kysely';
import type { Json, NullableJson } from '../state/json-columns.js';

export interface SimulationTable {
  place: Generated<number>;
  id: string;
  org_id: string;
  user_id: string;
  kind: 'run' | 'generate';
  status: 'completed' | 'failed';
  strategy_name: string | null;
  asset: string | null;
  timeframe: string | null;
  dataset_file: string | null;
  trade_count: number | null;
  metrics: NullableJson<object>;
  error: string | null;
  created_at_ms: number;
}

/** Tables of simulations, as the migrations leave them. */
export interface SimulationTables {
  simulations: SimulationTable;
  synthetic_datasets: { org_id: string; file: string; model: Json<object>; created_at_ms: number };
}
