import { z } from 'zod';
import { type Binding, endpointOf, type MethodName, methodNames } from '../contract/index.js';
import { adapters } from './adapters/index.js';
import { pathPrefixes } from './paths.js';
import type { Route, RouteOf } from './route.js';
import { requireMessageFacts } from './schemas.js';
import { fieldsShape } from './shape.js';

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
