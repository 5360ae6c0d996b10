import { type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { Json } from '../state/json-columns.js';

export const strategyStatuses = ['draft', 'inactive', 'paper', 'live', 'archived'] as const;
export type StrategyStatus = (typeof strategyStatuses)[number];

/** Summary of the paper account of a strategy; amounts are in the quote currency. */
export interface ExecutionState {
  readonly cash_balance: number;
  readonly account_value: number;
  readonly total_trades: number;
  readonly num_open_positions: number;
}

/** Rules in the form in which they are stored and shown. */
export interface StoredRules {
  /** The strategy's name in snake case. */
  readonly name: string;
  readonly asset: string;
  /** Empty where the strategy has a short side only. */
  readonly entry: StoredSide;
  readonly exit: StoredSide;
  readonly reward_factor: number;
  /** Absent where the strategy has no short side. */
  readonly short_entry?: StoredSide;
  readonly short_exit?: StoredSide;
}

/** The rules of a side: a list, or lists; one of them must hold. */
export type StoredSide = readonly StoredRule[] | { readonly any: readonly (readonly StoredRule[])[] };

export interface StoredRule {
  readonly name: string;
  readonly signal_type: 'TRIGGER' | 'FILTER';
  readonly timeframe: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly negate?: true;
  readonly within_bars?: number;
  readonly asset?: string;
}

export interface StrategyTable {
  id: string;
  user_id: string;
  org_id: string;
  name: string;
  asset: string;
  status: StrategyStatus;
  rules: Json<StoredRules>;
  execution_config: Json<Readonly<Record<string, unknown>>>;
  execution_state: Json<ExecutionState>;
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

export const strategyMigrations: Migrations = {
  /** Users and organizations are referred to by id only, so a strategy outlives changes to either. */
  '0001-strategies': {
    async up(db) {
      await sql`
        create table strategies (
          id uuid primary key,
          user_id uuid not null,
          org_id uuid not null,
          name text not null,
          asset text not null,
          status text not null,
          rules jsonb not null,
          execution_config jsonb not null,
          execution_state jsonb not null,
          content_hash text not null,
          session_id text,
          parent_strategy_id uuid,
          strategy_type text,
          description text,
          archived_at timestamptz,
          created_at timestamptz not null,
          updated_at timestamptz not null,
          last_evaluated_at timestamptz,
          evaluation_count integer not null default 0
        )`.execute(db);
      await sql`create index strategies_of_user on strategies (user_id, created_at desc, id)`.execute(db);
    },
  },
};
