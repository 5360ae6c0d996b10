import { z } from 'zod';
import { type Binding, endpointOf, type FieldFacts, type MethodName, methodNames } from '../contract/index.js';
import { adapters } from './adapters/index.js';
import { pathPrefixes } from './paths.js';
import type { Route, RouteOf } from './route.js';
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
function fieldsShape(message: string, names: readonly string[], place: 'query' | 'body'): z.ZodObject {
  const { fields, hasRest } = requireMessageFacts(message);
  const of = (facts: FieldFacts) => (place === 'query' ? inQuery(facts) : inBody(facts, hasRest));
  return z.object(Object.fromEntries(names.map((name) => [name, of(fields[name] as FieldFacts)]))).partial();
}

/** A route for every path of every method; a path without parameters comes before one with them. */
export const routes: readonly Route[] = methodNames
  .flatMap((rpc) => endpointOf(rpc).bindings.map((binding) => makeRoute(rpc, binding)))
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

/** The cast is safe: an adapter is listed under the method whose route it completes. */
function makeRoute(rpc: MethodName, binding: Binding): Route {
  const endpoint = endpointOf(rpc);
  const { fields } = requireMessageFacts(endpoint.request);
  const params = pathParameters(binding.path);
  const isCookie = (name: string): boolean => fields[name]?.cookie !== undefined;
  const open = Object.keys(fields).filter((name) => !params.includes(name) && !endpoint.hidden.includes(name));
  const sent = open.filter((name) => !isCookie(name));
  const bodyMessage =
    binding.body === undefined || binding.body === '*' ? endpoint.request : fields[binding.body]?.message;
  const inBody =
    binding.body === undefined
      ? []
      : binding.body === '*'
        ? sent
        : Object.keys(requireMessageFacts(bodyMessage ?? '').fields);
  const inQuery = binding.body === undefined ? sent : [];
  const factsIn = requireMessageFacts(bodyMessage ?? endpoint.request).fields;
  const adapter: object = adapters[rpc] ?? {};
  const opened = (shape: z.ZodObject): z.ZodObject => ('takesAnyKey' in adapter ? shape.loose() : shape);
  const route: RouteOf<MethodName> = {
    rpc,
    endpoint,
    binding,
    method: binding.verb,
    path: binding.path,
    isPublic: endpoint.access === 'public',
    query: inQuery.length === 0 ? undefined : opened(fieldsShape(endpoint.request, inQuery, 'query')),
    repeatable: inQuery.filter((name) => fields[name]?.isRepeatable),
    cookies: Object.fromEntries(open.filter(isCookie).map((name) => [fields[name]?.cookie ?? '', name])),
    body: binding.body === undefined ? undefined : opened(bodyShape(binding, bodyMessage ?? '', inBody)),
    keptNulls: inBody.filter((name) => factsIn[name]?.keepsNull),
    required: inBody.filter((name) => factsIn[name]?.required),
  };
  return { ...route, ...adapter } as Route;
}

/** A body that is one field is passed on whole: the use case names its problems. */
function bodyShape({ body }: Binding, message: string, names: readonly string[]): z.ZodObject {
  if (body === '*') return fieldsShape(message, names, 'body');
  return z.looseObject(Object.fromEntries(names.map((name) => [name, z.unknown()]))).partial();
}

/** Names of the parameters in a path. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/**
 * Path of a method from the root of the server.
 * @throws Error for a method without a route
 */
export function pathOfMethod(method: MethodName): string {
  const [binding] = endpointOf(method).bindings;
  if (binding === undefined) throw new Error(`the method ${method} has no route`);
  return binding.path;
}

/**
 * All routes of a method in the form of the documentation, without the base, such as `POST
 * /strategies`.
 */
export const documentedRoutes = (method: MethodName): readonly string[] =>
  endpointOf(method).bindings.map(({ verb, path }) => `${verb.toUpperCase()} ${withoutBase(path)}`);

function withoutBase(path: string): string {
  const base = [pathPrefixes.v1, pathPrefixes.v2].find((prefix) => path.startsWith(`${prefix}/`));
  return base === undefined ? path : path.slice(base.length);
}
