import { type ObjectSchema, pathParameters, type RawInput, type Route } from '../http/index.js';
import { ApiError, checkDepth, clip } from '../rpc/index.js';
import { textsOfJson } from './schemas.js';

/**
 * Arguments by where the route expects them. Null means the same as leaving an argument out.
 * @param ownId the argument for a place `{id}` in the path
 */
export function placeArguments(
  { path, query, body, repeatable }: Pick<Route, 'path' | 'query' | 'body' | 'repeatable'>,
  args: Readonly<Record<string, unknown>>,
  ownId = 'id',
): RawInput {
  const inPath = pathParameters(path).map((name) => (name === 'id' ? ownId : name));
  const inQuery = Object.keys(query?.shape ?? {});
  const params: Record<string, string> = {};
  const asked: Record<string, string> = {};
  const rest: [string, unknown][] = [];
  for (const [name, value] of Object.entries(args)) {
    if (value === null || value === undefined) {
      if (!inPath.includes(name) && !inQuery.includes(name)) rest.push([name, value]);
    } else if (inPath.includes(name)) params[name] = asText(name, value);
    else if (inQuery.includes(name) || body === undefined) {
      asked[name] = Array.isArray(value) && repeatable.includes(name) ? value.join(',') : asText(name, value);
    } else rest.push([name, textsOfJson.includes(name) && typeof value === 'object' ? JSON.stringify(value) : value]);
  }
  const missing = inPath.filter((name) => params[name] === undefined || params[name] === '');
  if (missing.length > 0) {
    throw new ApiError('MISSING_FIELD', `Missing required fields: ${missing.join(', ')}`, { fields: missing });
  }
  const { [ownId]: id, ...others } = params;
  return {
    params: id === undefined ? params : { ...others, id },
    query: asked,
    body: body === undefined ? undefined : Object.fromEntries(rest),
  };
}

function asText(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ApiError('VALIDATION_ERROR', `${name} must be text, a number, true or false, was ${typeof value}`, {
    field: name,
  });
}

/**
 * Refuses arguments that nest too deep, and unknown arguments. REST only names unknown fields in a
 * header; an agent that misspells one would go on to trust a result without it.
 */
export function checkArguments(
  args: Readonly<Record<string, unknown>>,
  { properties, additionalProperties }: ObjectSchema,
): void {
  checkDepth(args);
  if (additionalProperties !== false) return;
  const known = Object.keys(properties);
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const field = clip(unknown, 60);
  const has = known.length === 0 ? 'takes none' : `has ${known.join(', ')}`;
  throw new ApiError('VALIDATION_ERROR', `${field} is not an argument of the tool, which ${has}`, { field });
}
