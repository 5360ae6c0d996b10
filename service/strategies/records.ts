import { isRecord, quote } from '../../engine/errors.js';
import { ApiError } from '../api-error.js';
import { listStoredRules } from './definition.js';
import type { StrategyRow } from './store.js';
import { type ExecutionState, type StoredRules, type StrategyStatus, strategyStatuses } from './tables.js';

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
    status: row.status,
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
    rules: row.rules,
    execution_config: row.execution_config,
    execution_state: row.execution_state,
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
  const { entry, exit, short_entry, short_exit } = row.rules;
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
    config: row.execution_config,
  };
}

export const stateFields = ['cash_balance', 'account_value', 'total_trades', 'num_open_positions'] as const;
const countFields: ReadonlySet<string> = new Set(['total_trades', 'num_open_positions']);
const COUNT_MAX = 1_000_000_000;

/** The state of a strategy that has not traded. */
export function freshState(config: Readonly<Record<string, unknown>>): ExecutionState {
  const balance = Number(config.initial_balance);
  return { cash_balance: balance, account_value: balance, total_trades: 0, num_open_positions: 0 };
}

/** Reads the known fields of a state that a client sent; the rest is ignored. */
export function readState(sent: unknown): Partial<ExecutionState> {
  if (!isRecord(sent)) {
    throw new ApiError('VALIDATION_ERROR', `execution_state must be an object, was ${quote(sent)}`, {
      field: 'execution_state',
    });
  }
  const state: Record<string, number> = {};
  for (const field of stateFields) {
    const value = sent[field];
    if (value === undefined || value === null) continue;
    const isCount = countFields.has(field);
    const isValid = isCount ? Number.isInteger(value) && Number(value) <= COUNT_MAX : Number.isFinite(value);
    if (!isValid || Number(value) < 0) {
      const bound = isCount ? `a whole number 0..${COUNT_MAX}` : 'a number >= 0';
      throw new ApiError('VALIDATION_ERROR', `${field} must be ${bound}, was ${quote(value)}`, { field });
    }
    state[field] = Number(value);
  }
  return state;
}

/**
 * The fields of a strategy that a client may write. Rules, settings and state are unchecked JSON.
 */
export interface StrategyFields {
  readonly name?: string;
  readonly asset?: string;
  readonly entry?: unknown;
  readonly exit?: unknown;
  readonly short_entry?: unknown;
  readonly short_exit?: unknown;
  /** Null counts as not given. */
  readonly reward_factor?: number | null;
  readonly execution_config?: unknown;
  readonly description?: string;
  readonly strategy_type?: string;
}

const TEXT_LENGTH_MAX = 10_000;

/** The reward factor of the rules; if they give none, the one of the execution configuration. */
export function rewardIn({ reward_factor, execution_config: config }: StrategyFields): unknown {
  if (reward_factor !== undefined && reward_factor !== null) return reward_factor;
  const isNamed = typeof config === 'object' && config !== null && Object.hasOwn(config, 'reward_factor');
  return isNamed ? (config as StrategyFields).reward_factor : undefined;
}

/**
 * Copies the reward factor of the rules into the execution configuration, where the request's own
 * settings may override it.
 */
export const withReward = (config: object, rewardFactor: unknown): Readonly<Record<string, unknown>> =>
  rewardFactor === undefined ? { ...config } : { ...config, reward_factor: rewardFactor };

export const definedFields = (request: StrategyFields): StrategyFields =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));

export function fieldsOfRules(rules: unknown): StrategyFields {
  if (rules === undefined || rules === null) return {};
  if (!isRecord(rules)) {
    throw new ApiError('VALIDATION_ERROR', `rules must be an object, was ${quote(rules)}`, { field: 'rules' });
  }
  for (const field of ['atr_period', 'atr_multiplier']) {
    if (Object.hasOwn(rules, field)) {
      const message = `${field} must not be in rules: it belongs in execution_config`;
      throw new ApiError('VALIDATION_ERROR', message, { field });
    }
  }
  const { entry, exit, short_entry, short_exit, reward_factor } = rules as StrategyFields;
  return definedFields({
    entry,
    exit,
    short_entry,
    short_exit,
    ...(reward_factor === undefined ? {} : { reward_factor }),
  });
}

export function readStatus(status: unknown): StrategyStatus {
  const known = strategyStatuses.find((name) => name === status);
  if (known === undefined) {
    const message = `status must be one of ${strategyStatuses.join(', ')}, was ${quote(status)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'status' });
  }
  return known;
}

export const readStatuses = (status: string): readonly StrategyStatus[] =>
  status === 'active' ? ['paper', 'live'] : [readStatus(status)];

export function shortText(field: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (text.length > TEXT_LENGTH_MAX) {
    const message = `${field} must have at most ${TEXT_LENGTH_MAX} characters, has ${text.length}`;
    throw new ApiError('VALIDATION_ERROR', message, { field });
  }
  return text;
}
