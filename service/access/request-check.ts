import { clip } from '../../engine/text.js';
import { ApiError } from '../api-error.js';

/**
 * No valid request nests deeper. The limit keeps every later recursion over it within the stack.
 */
export const DEPTH_MAX = 32;

/**
 * Refuses what cannot be stored or validated, at any depth of a request: non-finite numbers, text
 * with NUL characters or lone surrogates, deep nesting, and the key `__proto__`, which copying
 * would turn into a prototype. Other names that objects have, such as `constructor`, are data.
 */
export function checkPlain(request: object): void {
  let level: [string, unknown][] = Object.entries(request);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) throw invalid('request', `must nest at most ${DEPTH_MAX} levels deep`);
    const next: [string, unknown][] = [];
    for (const [key, value] of level) {
      if (key === '__proto__') throw invalid('request', 'must not have the key __proto__');
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
  new ApiError('VALIDATION_ERROR', `${clip(field, 60)} ${problem}`, { field });
