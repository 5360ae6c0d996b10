import { ApiError } from '../api-error.js';

/**
 * Nothing in a request nests deeply; refusing what does keeps every later walk over it within the
 * stack.
 */
export const DEPTH_MAX = 32;

/**
 * Refuses what no store can hold and no rule can judge, wherever in a request it stands: numbers
 * that are not finite, text with NUL characters or halves of surrogate pairs, and deep nesting.
 */
export function checkPlain(request: object): void {
  let level: [string, unknown][] = Object.entries(request);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) throw invalid('request', `must nest at most ${DEPTH_MAX} levels deep`);
    const next: [string, unknown][] = [];
    for (const [key, value] of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) throw invalid(key, `must be finite, was ${value}`);
      if (!isStorable(key)) throw invalid('request', 'has a key with characters that cannot be stored');
      if (typeof value === 'string' && !isStorable(value)) throw invalid(key, 'has characters that cannot be stored');
      if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
        for (const entry of Object.entries(value)) next.push(entry);
      }
    }
    level = next;
  }
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const invalid = (field: string, problem: string) =>
  new ApiError('VALIDATION_ERROR', `${field.slice(0, 60)} ${problem}`, { field });
