import { isRecord, quote } from '../../engine/errors.js';
import { ApiError } from '../api-error.js';
import { type StrategyStatus, strategyStatuses } from './records.js';

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
