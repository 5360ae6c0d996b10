import { unknownKeys, unknownKeyText } from '../rpc/index.js';
import type { Route } from './route.js';

/** Header of an answer whose request has keys that nothing reads. */
export const UNREAD_HEADER = 'X-Barline-Unread';

/** So many keys are named in one header. */
const NAMED_MAX = 5;

interface Asked {
  readonly query: object;
  readonly body: unknown;
}

/**
 * Keys of query and body that a route does not read, as one line. They are no error, since existing
 * clients send every setting that they know; but a misspelled one must not pass in silence.
 * @returns null where all are read
 */
export function unreadKeys({ query, body }: Pick<Route, 'query' | 'body'>, asked: Asked): string | null {
  const unread = [
    ...(isClosed(query) ? unknownKeys('query', asked.query, Object.keys(query?.shape ?? {})) : []),
    ...(body !== undefined && isClosed(body) && isRecord(asked.body)
      ? unknownKeys('body', asked.body, Object.keys(body.shape))
      : []),
  ];
  if (unread.length === 0) return null;
  const rest = unread.length - NAMED_MAX;
  const named = unread.slice(0, NAMED_MAX).map(unknownKeyText).join('; ');
  return `${named}${rest > 0 ? `; and ${rest} more` : ''}`.replace(/[^\x20-\x7e]/g, '?');
}

/** Whether a shape drops keys that it does not name. */
const isClosed = (shape: Route['query']): boolean => shape?.def.catchall === undefined;

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
