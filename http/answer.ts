import type { MethodName } from '../contract/index.js';
import { ApiError, clip, JsonText, Pace } from '../rpc/index.js';
import type { RouteOf } from './route.js';
import { requireMessageFacts } from './schemas.js';

type Shown = Pick<RouteOf<MethodName>, 'endpoint' | 'binding'>;

/** The JSON of a reply: without the fields that JSON leaves out, and with `success: true`. */
export const asJson = (route: Shown, reply: object): unknown => jsonWith(route, reply, new Map());

/** Items above which a list is made in pieces, with turns of the event loop in between. */
const ITEMS_AT_ONCE = 1_000;

/** The same, so that a long reply does not hold up other calls. */
export async function pacedAsJson(route: Shown, reply: object): Promise<unknown> {
  const { fields } = requireMessageFacts(route.endpoint.reply);
  const lists = new Map<string, unknown>();
  const pace = new Pace();
  for (const [name, value] of Object.entries(reply)) {
    const { message } = fields[name] ?? {};
    if (message === undefined || !Array.isArray(value) || value.length < ITEMS_AT_ONCE) continue;
    const items: unknown[] = [];
    for (const item of value) {
      items.push(withoutUnset(message, item));
      if (pace.isDue) await pace.rest();
    }
    lists.set(name, items);
  }
  return lists.size === 0 ? asJson(route, reply) : jsonWith(route, reply, lists);
}

/** @param lists of the reply that are made already */
function jsonWith({ endpoint, binding }: Shown, reply: object, lists: ReadonlyMap<string, unknown>): unknown {
  const others = Object.entries(reply).map(([name, value]) => [name, lists.has(name) ? 0 : value]);
  const made = Object.entries(withoutUnset(endpoint.reply, Object.fromEntries(others)) as object);
  const shown = Object.fromEntries(made.map(([name, value]) => [name, lists.get(name) ?? value]));
  if (binding.responseBody !== undefined) return shown[binding.responseBody];
  return endpoint.isPlain ? shown : { success: true, ...shown };
}

const leavingOut = new Map<string, boolean>();

/** Whether a message, or one that it holds, has a field that JSON leaves out where it is not set or empty. */
function leavesOut(message: string): boolean {
  const known = leavingOut.get(message);
  if (known !== undefined) return known;
  leavingOut.set(message, false); // set first: a message may hold itself
  const does = Object.values(requireMessageFacts(message).fields).some(
    ({ omitUnset, omitEmpty, message: inner }) =>
      omitUnset === true || omitEmpty === true || (inner !== undefined && leavesOut(inner)),
  );
  leavingOut.set(message, does);
  return does;
}

/** A reply without the nulls and the empty lists that its message leaves out of JSON. */
export function withoutUnset(message: string, value: unknown): unknown {
  if (!leavesOut(message)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutUnset(message, item));
  if (typeof value !== 'object' || value === null || value instanceof JsonText) return value;
  const { fields } = requireMessageFacts(message);
  const kept = Object.entries(value).filter(([name, item]) => {
    const { omitUnset, omitEmpty } = fields[name] ?? {};
    return !(omitUnset && item === null) && !(omitEmpty && Array.isArray(item) && item.length === 0);
  });
  return Object.fromEntries(
    kept.map(([name, item]) => {
      const { message: inner, isMap } = fields[name] ?? {};
      if (inner === undefined || typeof item !== 'object' || item === null) return [name, item];
      if (!isMap) return [name, withoutUnset(inner, item)];
      return [name, Object.fromEntries(Object.entries(item).map(([key, one]) => [key, withoutUnset(inner, one)]))];
    }),
  );
}

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
