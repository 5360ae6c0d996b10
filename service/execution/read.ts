import { isRecord } from '../../engine/errors.js';
import { parseIsoTime } from '../../engine/series/index.js';
import { ApiError, wrongValue } from '../api-error.js';

/** Readers of untyped values. An absent value is undefined; null counts as absent. */

/** No one trades larger amounts, and below it sums and products stay far from infinity. */
export const AMOUNT_MAX = 1e15;

export const invalid = wrongValue;

export type Json = Readonly<Record<string, unknown>>;

export function readRecord(value: unknown, field: string): Json {
  if (isRecord(value)) return value;
  throw invalid(field, 'an object', value);
}

/** An own value of a record; inherited ones, such as `constructor`, are absent. */
export function own(record: Json, key: string): unknown {
  return Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined;
}

export function readText(value: unknown, field: string, lengthMax = 255): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= lengthMax) return value;
  throw invalid(field, `a text of 1..${lengthMax} characters`, value);
}

export function readBoolean(value: unknown, field: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw invalid(field, 'true or false', value);
}

interface NumberBounds {
  readonly min?: number;
  /** Exclusive. */
  readonly above?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
}

export function readNumber(value: unknown, field: string, bounds: NumberBounds): number | undefined {
  if (value === undefined || value === null) return undefined;
  const { min = -AMOUNT_MAX, above = -Infinity, max = AMOUNT_MAX, isInteger = false } = bounds;
  const isNumber = typeof value === 'number' && (isInteger ? Number.isInteger(value) : Number.isFinite(value));
  if (isNumber && value >= min && value > above && value <= max) return value;
  const from = bounds.above === undefined ? `>= ${min}` : `> ${above}`;
  throw invalid(field, `${isInteger ? 'an integer' : 'a number'} ${from} and <= ${max}`, value);
}

export function readOneOf<T extends string>(value: unknown, field: string, values: readonly T[]): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (values.includes(value as T)) return value as T;
  throw invalid(field, values.join(' or '), value);
}

export function readArray(value: unknown, field: string, lengthMax: number): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalid(field, 'an array', value);
  if (value.length <= lengthMax) return value;
  throw new ApiError('VALIDATION_ERROR', `${field} must hold at most ${lengthMax} items, holds ${value.length}`, {
    field,
  });
}

/** Reads an ISO 8601 text as epoch ms. */
export function readTime(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const ms = typeof value === 'string' ? parseIsoTime(value.trim()) : NaN;
  if (Number.isFinite(ms)) return ms;
  throw invalid(field, 'an ISO 8601 time', value);
}

/** The value; MISSING_FIELD if it is absent. */
export function required<T>(value: T | undefined, field: string): T {
  if (value !== undefined) return value;
  throw new ApiError('MISSING_FIELD', `Missing required field: ${field}`, { fields: [field] });
}
