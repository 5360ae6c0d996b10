import type { MethodName } from '../contract/index.js';
import { JsonText } from '../rpc/index.js';
import type { RouteOf } from './route.js';
import { factsOf } from './schemas.js';

/** The JSON of a reply: without the fields that JSON leaves out, and with `success: true`. */
export function asJson(
  { endpoint, binding }: Pick<RouteOf<MethodName>, 'endpoint' | 'binding'>,
  reply: object,
): unknown {
  const shown = withoutUnset(endpoint.reply, reply) as Readonly<Record<string, unknown>>;
  if (binding.responseBody !== undefined) return shown[binding.responseBody];
  return endpoint.isPlain ? shown : { success: true, ...shown };
}

const leavingOut = new Map<string, boolean>();

/** Whether a message, or one that it holds, has a field that JSON leaves out where it is not set or empty. */
function leavesOut(message: string): boolean {
  const known = leavingOut.get(message);
  if (known !== undefined) return known;
  leavingOut.set(message, false); // set first: a message may hold itself
  const does = Object.values(factsOf(message).fields).some(
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
  const { fields } = factsOf(message);
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
