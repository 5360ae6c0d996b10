import { ApiError, clip, JsonText } from '../rpc/index.js';

/**
 * A parsed mask such as `name,strategy{id,rules{entry}}`: the keys to keep, each with the mask of
 * its value. Null keeps the whole value.
 */
export type FieldsMask = ReadonlyMap<string, FieldsMask | null>;

const DEPTH_MAX = 16;
const LENGTH_MAX = 4_096;

/**
 * @param field what the caller calls the mask
 * @throws ApiError VALIDATION_ERROR for a mask that cannot be parsed
 */
export function parseFieldsMask(text: string, field = 'X-Fields'): FieldsMask {
  const unreadable = (): ApiError =>
    new ApiError('VALIDATION_ERROR', `${field} must be keys such as a,b{c,d}, was ${clip(text, 60)}`, { field });
  const tokens = text.length > LENGTH_MAX ? null : text.match(/[{},]|[^{},\s]+/g);
  if (tokens === null) throw unreadable();
  let at = 0;
  const readList = (depth: number): FieldsMask => {
    if (depth > DEPTH_MAX) throw unreadable();
    const mask = new Map<string, FieldsMask | null>();
    for (;;) {
      const key = tokens[at++];
      if (key === undefined || /[{},]/.test(key)) throw unreadable();
      mask.set(key, null);
      if (tokens[at] === '{') {
        at++;
        mask.set(key, readList(depth + 1));
        if (tokens[at++] !== '}') throw unreadable();
      }
      if (tokens[at] !== ',') return mask;
      at++;
    }
  };
  // Clients may wrap the mask in braces.
  const isWrapped = tokens[0] === '{' && tokens[tokens.length - 1] === '}';
  if (isWrapped) at = 1;
  const mask = readList(0);
  if (at !== tokens.length - (isWrapped ? 1 : 0)) throw unreadable();
  return mask;
}

/** Applies a mask to a value; in a list, to each item. */
export function applyFieldsMask(value: unknown, mask: FieldsMask): unknown {
  if (value instanceof JsonText) return applyFieldsMask(value.toJSON(), mask);
  if (Array.isArray(value)) return value.map((item) => applyFieldsMask(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => mask.has(key));
  return Object.fromEntries(
    kept.map(([key, item]) => {
      const inner = mask.get(key);
      return [key, inner ? applyFieldsMask(item, inner) : item];
    }),
  );
}
