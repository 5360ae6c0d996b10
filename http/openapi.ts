import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { endpointOf, type MethodName } from '../contract/index.js';
import { CommentFiller, type Components, type JsonSchema } from './documents/comments.js';
import { errorDetails, repeatedDetails } from './documents/error-details.js';
import { exampleOf } from './documents/examples.js';
import { codesByStatus, descriptionOf } from './documents/failures.js';
import { answerHeaders, failureHeadersOf, requestHeadersOf, successHeadersOf } from './documents/headers.js';
import { pathParameters } from './documents/path-parameters.js';
import { errorRows } from './errors.js';
import { pathOf, type Route } from './route.js';
import { documentedAs, z } from './zod.js';

const error = z
  .object({
    success: z.literal(false),
    error: z.string(),
    message: z.string().openapi({ description: 'names field, bound and value' }),
    code: z.enum(Object.keys(errorRows) as [string, ...string[]]).openapi({ description: 'for programs' }),
    correlation_id: z.string().openapi({ description: 'as in the header X-Correlation-Id' }),
    ...errorDetails,
    ...repeatedDetails,
  })
  .openapi('Error');

const overview = z
  .object({
    success: z.literal(true),
    name: z.string(),
    version: z.string(),
    docs: z.string(),
    openapi: z.string(),
    api: z.string(),
    health: z.string(),
  })
  .openapi('Overview', { description: 'this server and its main paths' });

export type Overview = z.infer<typeof overview>;

const bytes = z.string().openapi({ format: 'binary' });

const intro = `Backtests, sweeps and paper trading over HTTP. Every answer has \`X-Correlation-Id\`; every answer to a call that
was counted has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. Send \`Idempotency-Key\` with a
change to make it happen once. A failure names field, bound and value in \`message\`, and has a \`code\` for programs.`;

/** The OpenAPI document of all routes, from the schemas that check their requests. */
export function openApiDocument(routes: readonly Route[], version: string): Described {
  const registry = new OpenAPIRegistry();
  const bearer = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'access token or API key; an API key needs the scope that the operation names',
  });
  for (const [name, header] of Object.entries(answerHeaders)) {
    registry.registerComponent('headers', name, header as Parameters<typeof registry.registerComponent<'headers'>>[2]);
  }
  registry.registerPath({
    method: 'get',
    path: '/',
    operationId: 'overviewGet',
    summary: 'Paths of the documentation and the API',
    description: 'Names this server and where its documentation and API begin.\n\nNeeds no credential.',
    tags: ['Documentation'],
    security: [],
    responses: { 200: { description: 'Success', content: { 'application/json': { schema: overview } } } },
  });
  registry.register('Error', error);
  const ids = operationIds(routes);
  for (const [route, id] of ids) registry.registerPath(operationOf(route, id, { registry, bearer: bearer.name }));
  const document: object = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'Barline', version, description: intro, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].sort().map((name) => ({ name })),
  });
  const described = document as Described;
  describeFields(described, routes);
  return described;
}

/** Calls that need a credential only where they are sold may be made without one. */
const withoutCredential = (method: MethodName): Record<string, string[]>[] =>
  endpointOf(method).access === 'payable' ? [{}] : [];

interface Registered {
  readonly registry: OpenAPIRegistry;
  /** Name of the scheme of credentials. */
  readonly bearer: string;
}

/** A route as an operation of the document. */
function operationOf(route: Route, operationId: string, { registry, bearer }: Registered): RouteConfig {
  const { method, summary, tag, isPublic = false, isDeprecated = false, status = 200 } = route;
  const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    method,
    path: pathOf(route),
    operationId,
    summary,
    description: descriptionOf(route),
    tags: [tag],
    deprecated: isDeprecated,
    security: isPublic ? [] : [...withoutCredential(route.rpc), { [bearer]: scopesOf(route.rpc) }],
    request: {
      ...(params.length > 0 ? { params: z.object(pathParameters(route.rpc, params)) } : {}),
      ...(route.query === undefined ? {} : { query: withExamples(route, route.query) }),
      headers: requestHeadersOf(route),
      ...(route.body === undefined ? {} : { body: bodyOf(route) }),
    },
    responses: { [status]: success(route), ...failures(route, registry) },
  };
}

const bodyOf = (route: Route) => ({
  required: (route.required ?? []).length > 0,
  content: { 'application/json': { schema: bodySchema(route), example: exampleOf(route.rpc).body ?? {} } },
});

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

function success(route: Route) {
  const { contentType = route.toFrames === undefined ? 'application/json' : 'text/event-stream', stream } = route;
  const headers = successHeadersOf(route);
  if (route.status === 302) return { description: 'Redirect to the sign-in page', headers };
  const streamed = stream === undefined ? {} : { [stream.contentType]: { schema: bytes } };
  return { description: 'Success', headers, content: { [contentType]: { schema: route.response }, ...streamed } };
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

/** The failures of a route by status, each with its codes; routes share those that are alike. */
function failures(route: Route, registry: OpenAPIRegistry) {
  return Object.fromEntries(
    [...codesByStatus(route)].map(([status, codes]) => {
      const name = [`Failure${status}`, ...codes].join('-');
      const reference = { $ref: `#/components/responses/${name}` };
      if (!registered(registry).has(name)) {
        registry.registerComponent('responses', name, {
          description: `${meanings[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
          headers: failureHeadersOf(status),
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Error' },
                  { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } },
                ],
              },
            },
          },
        });
      }
      return [status, reference];
    }),
  );
}

/** Names of the answers that a registry has. */
const registered = ({ definitions }: OpenAPIRegistry): ReadonlySet<string> =>
  new Set(definitions.map((one) => (one.type === 'component' && one.componentType === 'responses' ? one.name : '')));

function scopesOf(method: MethodName): string[] {
  const requires = endpointOf(method).access;
  return requires.includes(':') ? [requires] : [];
}

/** The query of a route, whose fields show the values of its example. */
function withExamples({ rpc }: Route, query: z.ZodObject): z.ZodObject {
  const { query: values = {} } = exampleOf(rpc);
  const shown = Object.entries(values).map(([name, example]) => [
    name,
    (query.shape[name] as z.ZodType).openapi({ example }),
  ]);
  return query.extend(Object.fromEntries(shown));
}

/** The body as callers should send it: with its required fields, and what the service checks. */
function bodySchema({ body, required = [] }: Route): z.ZodObject {
  const { shape } = body as z.ZodObject;
  const fields = Object.entries(shape).map(([name, schema]) => {
    const given = schema as z.ZodType;
    const inner = bare(given);
    const shown = documentedAs(inner);
    if (required.includes(name)) return [name, shown];
    return [name, shown === inner ? given : shown.optional()];
  });
  return z.object(Object.fromEntries(fields));
}

const bare = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? bare(schema.unwrap() as z.ZodType) : schema;

/** The part of the document that is read and completed here; its generator types it more widely. */
interface Described {
  readonly components: { readonly schemas: Components };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

export interface OpenApiOperation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >;
}

interface OpenApiParameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  description?: string;
  readonly schema: JsonSchema;
}

/** Says of every field that has no description what the contract says of it. */
function describeFields({ components, paths }: Described, routes: readonly Route[]): void {
  const filler = new CommentFiller(components.schemas);
  for (const route of routes) {
    const operation = paths[pathOf(route)]?.[route.method] as OpenApiOperation;
    for (const parameter of operation.parameters ?? []) {
      const comment = filler.ofRequest(route.rpc, parameter.name);
      if (comment !== undefined && parameter.in !== 'header') parameter.description ??= comment;
    }
    const body = operation.requestBody?.content['application/json'];
    if (body !== undefined) filler.request(route.rpc, body.schema);
    const answer = operation.responses[route.status ?? 200]?.content?.['application/json'];
    if (answer !== undefined) filler.reply(route.rpc, answer.schema);
  }
}
