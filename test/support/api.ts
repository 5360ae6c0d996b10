import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { asJson } from '../../http/answer.js';
import { errorRows, type HttpCode } from '../../http/errors.js';
import { openApiDocument } from '../../http/openapi.js';
import type { Route } from '../../http/route.js';
import { routes } from '../../http/routes.js';
import { ApiError, contract, type MethodName, OpenStreams, type RpcClient, type UnaryName } from '../../rpc/index.js';

/** The outcome of a call, over either transport. */
export interface Answer {
  /** `OK` or the code of the failure. */
  readonly code: string;
  readonly message: string | null;
  /** Without the envelope; null for a failure. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
  readonly body: any;
  /** Of REST only. */
  readonly http?: { readonly status: number; readonly headers: Headers; readonly text: string };
}

export interface CallHeaders {
  readonly token?: string | null;
  readonly idempotencyKey?: string;
  readonly managementKey?: string;
}

/** The API as seen by a caller with one credential. */
export interface Api {
  call(method: UnaryName, request?: object, headers?: CallHeaders): Promise<Answer>;
}

/** For a server whose test opens few streams. */
export const anyStreams = new OpenStreams({ perCredential: Infinity, perOrganization: Infinity });

/** Methods that answered with success over gRPC in this process. */
export const methodsAnswered = new Set<MethodName>();

export function grpcApi(client: RpcClient, token: string | null): Api {
  return {
    async call(method, request = {}, headers = {}) {
      const bearer = headers.token === undefined ? token : headers.token;
      try {
        const { body } = await client.call(method, request, {
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          idempotencyKey: headers.idempotencyKey,
          managementKey: headers.managementKey,
        });
        methodsAnswered.add(method);
        return { code: 'OK', message: null, body };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { code: error.code, message: error.message, body: null };
      }
    },
  };
}

interface Documented {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

const document = openApiDocument(routes, 'test') as unknown as {
  components: { responses: Record<string, Documented>; schemas: Record<string, object> };
  paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, 'date-time': true } });
ajv.addSchema({ $id: 'openapi', components: document.components });
/** By the text of their schema, which most refusals share. */
const validators = new Map<string, ValidateFunction>();

function responseOf({ path, method }: Route, status: number): Documented {
  const one = document.paths[path]?.[method]?.responses[status] ?? assert.fail(`${method} ${path} has no ${status}`);
  return document.components.responses[one.$ref?.split('/').at(-1) ?? ''] ?? one;
}

/** Fails for an answer that the OpenAPI document does not describe. */
export function assertDocumented(route: Route, status: number, body: unknown): void {
  const name = `${route.method} ${route.path} ${status}`;
  const { content } = responseOf(route, status);
  const text = JSON.stringify(content?.['application/json']?.schema).replaceAll('"#/', '"openapi#/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as object);
  validators.set(text, validate);
  const schema = content?.['application/json']?.schema;
  const unnamed = schema === undefined ? [] : undocumentedKeys(body, schema, document.components.schemas);
  assert.deepEqual([...new Set(unnamed)], [], `${name} answers with keys that the document does not name`);
  assert.ok(validate(body), `${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`);
}

const flatConfig = ({ config, ...known }: Record<string, unknown>) => ({ ...(config as object), ...known });

/** Parts of each schema met so far, since the answers of a process have few schemas and many values. */
const known = new WeakMap<Schema, readonly Schema[]>();

/** Requests that REST takes in another form than gRPC. */
const restForms: Readonly<Partial<Record<MethodName, (request: Record<string, unknown>) => object>>> = {
  'Experiments.Create': flatConfig,
  'Experiments.Replace': flatConfig,
  'Corpus.ListResults': ({ filters, ...known }) => ({ ...(filters as object), ...known }),
};

/** Takes requests in the form of gRPC. */
export function restApi(origin: string, token: string | null): Api {
  return {
    async call(method, request = {}, headers = {}) {
      const route = routeOf(method) ?? assert.fail(`${method} has no route`);
      const { path, query, body } = asHttp(route, request);
      const bearer = headers.token === undefined ? token : headers.token;
      const response = await fetch(`${origin}${path}${query}`, {
        method: route.method.toUpperCase(),
        redirect: 'manual',
        headers: {
          ...(bearer === null ? {} : { Authorization: `Bearer ${bearer}` }),
          ...(headers.idempotencyKey === undefined ? {} : { 'Idempotency-Key': headers.idempotencyKey }),
          ...(headers.managementKey === undefined ? {} : { 'X-Management-Key': headers.managementKey }),
          'Content-Type': 'application/json',
        },
        ...(body === undefined ? {} : { body }),
      });
      return readAnswer(route, response);
    },
  };
}

/** Reads a REST answer and checks it against the document. */
export async function readAnswer(route: Route, response: Response): Promise<Answer> {
  const text = await response.text();
  const json = JSON.parse(text) as Record<string, unknown>;
  assertDocumented(route, response.status, json);
  const http = { status: response.status, headers: response.headers, text };
  if (response.status >= 400) {
    return { code: String(json.code), message: String(json.message), body: null, http };
  }
  assert.equal(response.status, route.endpoint.status);
  return { code: 'OK', message: null, body: withoutEnvelope(route.rpc, json), http };
}

/** Puts a bare array under the one field of its message. */
function withoutEnvelope(method: MethodName, json: unknown): unknown {
  if (Array.isArray(json)) return { [fields(method)[0]!]: json };
  if (!('success' in (json as object)) || hasSuccess(method)) return json;
  const { success: _, ...body } = json as Record<string, unknown>;
  return body;
}

const routeOf = (method: MethodName): Route | undefined =>
  routes.find(({ rpc, binding }) => rpc === method && !binding.isDeprecated);

function jsonOf(route: Route, reply: object): unknown {
  const { toJson } = route as { toJson?: (reply: unknown) => unknown };
  return toJson === undefined ? asJson(route, reply) : toJson(reply);
}

/** Fails for an answer or a refusal over gRPC that the document does not describe in the form of REST. */
export function assertAnswerDocumented(method: UnaryName, { code, body }: Answer): void {
  const route = routeOf(method);
  if (route === undefined || route.toFrames !== undefined || route.send !== undefined) return;
  if (code === 'OK') {
    assertDocumented(route, route.endpoint.status, JSON.parse(JSON.stringify(jsonOf(route, body))));
    return;
  }
  const { description } = responseOf(route, errorRows[code as HttpCode].status);
  assert.ok(description.includes(`\`${code}\``), `${method} documents ${code}: ${description}`);
}

/** Turns an answer over gRPC into that of REST. */
export function asRest(method: UnaryName, { body, ...answer }: Answer): Answer {
  const route = routeOf(method);
  return {
    ...answer,
    body: body === null || route === undefined ? body : withoutEnvelope(method, jsonOf(route, body)),
  };
}

/** True where the answer itself, and not only its envelope, reports success. */
const hasSuccess = (method: MethodName): boolean => fields(method).includes('success');

/** Fields of a method's answer. An array that REST answers with stands in the only field. */
const fields = (method: MethodName): string[] =>
  contract()
    .methods.get(method)
    ?.reply.fieldsArray.map(({ name }) => name) ?? [];

/** A request in the form of gRPC as that of a route: each field in the path, the query or the body. */
export function asHttp(route: Route, request: object) {
  const rest: Record<string, unknown> = { ...(restForms[route.rpc]?.({ ...request }) ?? request) };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of route.query !== undefined && route.takesAnyKey
    ? Object.keys(rest)
    : Object.keys(route.query?.shape ?? {})) {
    if (rest[name] !== undefined) query.set(name, String(rest[name]));
    delete rest[name];
  }
  const text = query.toString();
  return {
    path,
    query: text === '' ? '' : `?${text}`,
    body: route.body === undefined ? undefined : JSON.stringify(rest),
  };
}

/** What of a JSON Schema says which keys a value may have. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Schemas = Readonly<Record<string, unknown>>;

/** The schemas of which a schema is made: itself without references and combinations. */
function partsOf(schema: Schema, schemas: Schemas): readonly Schema[] {
  const parts = known.get(schema) ?? unfolded(schema, schemas);
  known.set(schema, parts);
  return parts;
}

function unfolded(schema: Schema, schemas: Schemas): readonly Schema[] {
  if (schema.$ref !== undefined) return partsOf(schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema, schemas);
  const inner = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...inner.flatMap((each) => partsOf(each, schemas))];
}

const anyOf = (schemas: readonly Schema[]): Schema =>
  schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas };

/**
 * The keys of an answer that its schema does not name, by path: `trades[].funding_paid`. A schema
 * without properties, or one that allows further keys, allows every key.
 */
function undocumentedKeys(value: unknown, schema: Schema, schemas: Schemas, path = ''): string[] {
  const parts = partsOf(schema, schemas);
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    if (items.length === 0) return [];
    const item = anyOf(items);
    return value.flatMap((each) => undocumentedKeys(each, item, schemas, `${path}[]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const objects = parts.filter((part) => part.properties !== undefined || part.additionalProperties !== undefined);
  if (objects.length === 0) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const named = objects.flatMap((part) => part.properties?.[key] ?? []);
    const rest = objects.flatMap(({ additionalProperties: more }) => (typeof more === 'object' ? [more] : []));
    const at = path === '' ? key : `${path}.${key}`;
    if (named.length > 0) return undocumentedKeys(inner, anyOf(named), schemas, at);
    if (rest.length > 0) return undocumentedKeys(inner, anyOf(rest), schemas, at);
    return objects.some(({ additionalProperties: more }) => more === true) ? [] : [at];
  });
}
