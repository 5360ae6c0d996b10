import { isRecord, quote } from '../../engine/errors.js';
import { ApiError } from '../api-error.js';
import type { ExecutionState } from './records.js';

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
