import { requireFields, wrongValue } from '../api-error.js';

export interface SearchRequest {
  readonly q?: string | null | undefined;
  /** Separated by commas. */
  readonly tags?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly expand?: boolean | null | undefined;
}

export const QUERY_CHARACTERS_MAX = 300;
const TAGS_MAX = 20;
const LIMIT_MAX = 100;
const LIMIT_USUAL = 10;

/** @throws MISSING_FIELD without a query, VALIDATION_ERROR */
export function readSearch(request: SearchRequest) {
  requireFields({ q: request.q }, ['q']);
  const query = (request.q ?? '').trim();
  if (query === '') throw wrongValue('q', 'a text that is not blank', request.q);
  if (query.length > QUERY_CHARACTERS_MAX) {
    throw wrongValue('q', `at most ${QUERY_CHARACTERS_MAX} characters`, `${query.length} characters`);
  }
  const limit = request.limit ?? LIMIT_USUAL;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw wrongValue('limit', `a whole number 1..${LIMIT_MAX}`, limit);
  }
  const given = (request.tags ?? '').split(',').map((tag) => tag.trim().toLowerCase());
  const tags = [...new Set(given)].filter((tag) => tag !== '');
  if (tags.length > TAGS_MAX) throw wrongValue('tags', `at most ${TAGS_MAX} tags`, `${tags.length} tags`);
  return { query, tags, limit, expand: request.expand ?? true };
}
