import { z } from 'zod';
import type { FieldFacts } from '../contract/index.js';
import { requireMessageFacts } from './schemas.js';

/*
 * Checks of the shape of a request, from the fields of its message. They look at the types of JSON
 * only; the use case checks the values and names the problems.
 */

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  True: true,
  1: true,
  false: false,
  False: false,
  0: false,
};

const flagInQuery = z.enum(Object.keys(flags), 'must be true or false').transform((text) => flags[text] as boolean);

const numberInQuery = z
  .string()
  .trim()
  .regex(/^[+-]?\d+(\.\d+)?$/, 'must be a number')
  .transform(Number);

const listInQuery = z.string().transform((text) => text.split(',').filter((part) => part.trim() !== ''));

function inQuery({ type, isList }: FieldFacts): z.ZodType {
  if (isList) return listInQuery;
  if (type === 'bool') return flagInQuery;
  return type === 'string' ? z.string() : numberInQuery;
}

/** Returns the value itself: a copy would lose the key __proto__. */
const object = z.custom(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** @param hasRest whether the message holds what its fields cannot */
function inBody({ type, isList, isMap, isUnchecked, message, refused }: FieldFacts, hasRest: boolean): z.ZodType {
  if (refused !== undefined) return z.undefined(refused);
  if (isUnchecked || ['Value', 'ListValue'].includes(type)) return z.unknown();
  if (isMap || message !== undefined || type === 'Struct') {
    if (hasRest) return z.unknown();
    return isList ? z.array(object) : object;
  }
  const one = type === 'string' ? z.string() : type === 'bool' ? z.boolean() : z.number();
  return isList ? z.array(one) : one;
}

/** The shape of fields of a message in a query or in a body, all optional. */
export function fieldsShape(message: string, names: readonly string[], place: 'query' | 'body'): z.ZodObject {
  const { fields, hasRest } = requireMessageFacts(message);
  const of = (facts: FieldFacts) => (place === 'query' ? inQuery(facts) : inBody(facts, hasRest));
  return z.object(Object.fromEntries(names.map((name) => [name, of(fields[name] as FieldFacts)]))).partial();
}
