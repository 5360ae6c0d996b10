import { isUuid } from '../data/state/index.js';
import { quote } from '../engine/errors.js';
import { ApiError } from './api-error.js';

/** Most rows of a list, where an endpoint states no bounds of its own. */
const LIMIT_MAX = 1_000;

/** Clamps a page to 1..1000 rows, from row 0 on. */
export function clampPage(offset: number | undefined, limit: number | undefined, limitDefault: number) {
  return {
    offset: clamp(offset ?? 0, 0, Number.MAX_SAFE_INTEGER),
    limit: clamp(limit ?? limitDefault, 1, LIMIT_MAX),
  };
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(Math.trunc(value), min), max);

/** Checks an id in the body of a request, which must be a UUID. An id in a path need not be one. */
export function requireUuid(field: string, id: string): string {
  if (!isUuid(id)) throw new ApiError('VALIDATION_ERROR', `${field} must be a UUID, was ${quote(id)}`, { field });
  return id.toLowerCase();
}
