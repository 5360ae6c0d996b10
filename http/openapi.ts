import { endpointOf, type MethodName } from '../contract/index.js';
import { errorRows, errorSchema } from './errors.js';
import { codesByStatus, describeOperation } from './openapi/failures.js';
import {
  answerHeaders,
  failureHeaders,
  listRequestHeaders,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  successHeaders,
} from './openapi/headers.js';
import type { Route } from './route.js';
import { pathParameters } from './routes.js';
import { answerSchema, type JsonSchema, requireMessageFacts, Schemas } from './schemas.js';

/** The example of an id. */
const ID = '3f0c1a52-7c1e-4d0e-9a55-2b6d3f1c8e70';

/** What the start page says. */
export interface Overview {
  readonly success: true;
  readonly name: string;
  readonly version: string;
  readonly docs: string;
  readonly openapi: string;
  readonly api: string;
  readonly health: string;
}

const overview: JsonSchema = {
  type: 'object',
  properties: {
    success: { type: 'boolean', enum: [true] },
    ...Object.fromEntries(
      ['name', 'version', 'docs', 'openapi', 'api', 'health'].map((name) => [name, { type: 'string' }]),
    ),
  },
  required: ['success', 'name', 'version', 'docs', 'openapi', 'api', 'health'],
  description: 'this server and its main paths',
};

const intro = `Backtests, sweeps and paper trading over HTTP. Every answer has \`X-Correlation-Id\`; every answer to a call that
was counted has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. Send \`Idempotency-Key\` with a
change to make it happen once. A failure names field, bound and value in \`message\`, and has a \`code\` for programs.`;

const BEARER = 'bearer';
const JSON_TYPE = 'application/json';

/** The OpenAPI document of all routes, from the annotations that check their requests. */
export function openApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const writer = new Writer();
  const paths: Record<string, Record<string, OpenApiOperation>> = { '/': { get: overviewOperation } };
  for (const [route, id] of operationIds(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method]: writer.operation(route, id) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Barline', version, description: intro, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ endpoint }) => endpoint.tag))].sort().map((name) => ({ name })),
    components: {
      securitySchemes: {
        [BEARER]: {
          type: 'http',
          scheme: 'bearer',
          description: 'access token or API key; an API key needs the scope that the operation names',
        },
      },
      headers: answerHeaders,
      schemas: { Error: errorSchema(Object.keys(errorRows)), Overview: overview, ...writer.schemas.components },
      responses: writer.responses,
    },
    paths,
  };
}

const overviewOperation: OpenApiOperation = {
  operationId: 'overviewGet',
  summary: 'Paths of the documentation and the API',
  description: 'Names this server and where its documentation and API begin.\n\nNeeds no credential.',
  tags: ['Documentation'],
  security: [],
  responses: content('Success', JSON_TYPE, { $ref: '#/components/schemas/Overview' }),
};

function content(description: string, type: string, schema: JsonSchema) {
  return { 200: { description, content: { [type]: { schema } } } };
}

/** Readable names: service and method, with `Alias` for a second path of a method. */
function operationIds(routes: readonly Route[]): ReadonlyMap<Route, string> {
  const ids = new Map<Route, string>();
  const taken = new Set<string>();
  for (const route of routes) {
    const [service = '', method = ''] = route.rpc.split('.');
    const name = `${service[0]?.toLowerCase()}${service.slice(1)}${method}`;
    const id = taken.has(name) ? `${name}Alias` : name;
    taken.add(id);
    ids.set(route, id);
  }
  return ids;
}

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'No credential, or one that is invalid or expired',
  402: 'The call is sold, and was not paid for',
  403: 'The caller may not do this',
  404: 'There is no such thing, or it belongs to another user',
  409: 'The present state does not allow it',
  413: 'The body is too large',
  429: 'A limit is reached',
  500: 'A fault of the server, or of a provider',
  503: 'Too busy to answer in time',
};

/** Writes operations, and collects what they share. */
class Writer {
  readonly schemas = new Schemas();
  readonly responses: Record<string, object> = {};

  operation(route: Route, operationId: string): OpenApiOperation {
    const { endpoint, binding } = route;
    const parameters = this.#parameters(route);
    return {
      operationId,
      summary: endpoint.summary,
      description: describeOperation(route),
      tags: [endpoint.tag],
      ...(binding.isDeprecated ? { deprecated: true } : {}),
      security: route.isPublic ? [] : [...withoutCredential(route.rpc), { [BEARER]: scopes(route.rpc) }],
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(route.body === undefined ? {} : { requestBody: this.#body(route) }),
      responses: { [endpoint.status]: this.#success(route), ...this.#failures(route) },
    };
  }

  #parameters(route: Route): OpenApiParameter[] {
    const { fields } = requireMessageFacts(route.endpoint.request);
    const { query: shown = {} } = methodExample(route.rpc);
    const asked = Object.keys(route.query?.shape ?? {}).map((name): OpenApiParameter => {
      const facts = fields[name];
      if (facts === undefined) throw new Error(`${route.rpc} has no field ${name}`);
      const { description, ...schema } = this.schemas.field({ ...facts, isList: false }, 'request');
      const example = shown[name];
      return {
        name,
        in: 'query',
        ...(description === undefined ? {} : { description: String(description) }),
        schema: example === undefined ? schema : { ...schema, example },
      };
    });
    const beside = Object.entries(route.queryBeside ?? {}).map(
      ([name, { description, ...schema }]): OpenApiParameter => ({
        name,
        in: 'query',
        ...(description === undefined ? {} : { description: String(description) }),
        schema,
      }),
    );
    return [...this.#pathParameters(route), ...asked, ...beside, ...listRequestHeaders(route)];
  }

  #pathParameters({ rpc, path, endpoint }: Route): OpenApiParameter[] {
    const { fields } = requireMessageFacts(endpoint.request);
    const { path: shown = {} } = methodExample(rpc);
    return pathParameters(path).map((name) => {
      // A test refuses a parameter that is not described.
      const { comment = '', example = ID } = fields[name] ?? {};
      const description = comment === '' ? {} : { description: comment };
      return {
        name,
        in: 'path',
        required: true,
        ...description,
        schema: { type: 'string', example: shown[name] ?? example },
      };
    });
  }

  #body(route: Route) {
    const { binding, endpoint } = route;
    const { fields } = requireMessageFacts(endpoint.request);
    const whole = binding.body === '*' ? endpoint.request : (fields[binding.body ?? '']?.message ?? endpoint.request);
    const taken = Object.keys(route.body?.shape ?? {});
    const leftOut = Object.keys(requireMessageFacts(whole).fields).filter((name) => !taken.includes(name));
    const schema = this.schemas.object(whole, 'request', leftOut);
    return {
      required: route.required.length > 0,
      content: { [JSON_TYPE]: { schema, example: methodExample(route.rpc).body ?? {} } },
    };
  }

  #success(route: Route) {
    const { endpoint, binding, contentType, toFrames, stream } = route;
    const headers = successHeaders(route);
    if (endpoint.status === 302) return { description: 'Redirect to the sign-in page', headers };
    const type = contentType ?? (toFrames === undefined ? JSON_TYPE : 'text/event-stream');
    const schema = route.describe?.(this.schemas) ?? answerSchema(this.schemas, endpoint, binding.responseBody);
    const bytes = { schema: { type: 'string', format: 'binary' } };
    const streamed = stream === undefined ? {} : { [stream.contentType]: bytes };
    return { description: 'Success', headers, content: { [type]: { schema }, ...streamed } };
  }

  /** The failures of a route by status, each with its codes; routes share equal ones. */
  #failures(route: Route): Record<string, object> {
    return Object.fromEntries(
      [...codesByStatus(route)].map(([status, codes]) => {
        const name = [`Failure${status}`, ...codes].join('-');
        this.responses[name] ??= {
          description: `${meanings[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
          headers: failureHeaders(status),
          content: {
            [JSON_TYPE]: {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Error' },
                  { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } },
                ],
              },
            },
          },
        };
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }
}

/** Calls that need a credential only where they are sold may be made without one. */
const withoutCredential = (method: MethodName): Record<string, string[]>[] =>
  endpointOf(method).access === 'payable' ? [{}] : [];

function scopes(method: MethodName): string[] {
  const { access } = endpointOf(method);
  return access.includes(':') ? [access] : [];
}

type Values = Readonly<Record<string, string | number | boolean>>;

/** A request to try, as REST sends it. */
export interface Example {
  /** Values of parameters in the path that differ from the usual ones. */
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: object;
}

/** The example of a method, which a test sends; empty for a request that its path says whole. */
export function methodExample(method: MethodName): Example {
  const { example, bindings } = endpointOf(method);
  const { path = '', body } = bindings[0] ?? {};
  const isInPath = (name: string): boolean => path.includes(`{${name}}`);
  const entries = Object.entries(example);
  const inPath = Object.fromEntries(entries.filter(([name]) => isInPath(name))) as Values;
  const beside = Object.fromEntries(entries.filter(([name]) => !isInPath(name))) as Values;
  return {
    ...(Object.keys(inPath).length > 0 && { path: inPath }),
    ...(Object.keys(beside).length > 0 &&
      (body === undefined ? { query: beside } : { body: exampleBody(beside, body) })),
  };
}

/** @param field the field that is the whole body, or `*` */
const exampleBody = (request: object, field: string): object =>
  field === '*' ? request : ((request as Readonly<Record<string, object>>)[field] ?? {});
