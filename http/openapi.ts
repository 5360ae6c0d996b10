import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { type MethodName, methodAccess } from '../rpc/index.js';
import { errorRows } from './errors.js';
import { pathOf, type Route } from './route.js';
import { z } from './zod.js';

const error = z
  .object({
    success: z.literal(false),
    error: z.string(),
    message: z.string(),
    code: z.enum(Object.keys(errorRows) as [string, ...string[]]),
    correlation_id: z.string(),
    retry_after: z.int().optional().openapi({ description: 'seconds to wait' }),
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

/** The OpenAPI document of all routes, from the schemas that check their requests. */
export function openApiDocument(routes: readonly Route[], version: string) {
  const registry = new OpenAPIRegistry();
  const bearer = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'access token or API key; an API key needs the scope that the operation names',
  });
  registry.registerPath({
    method: 'get',
    path: '/',
    operationId: 'get_overview',
    summary: 'Paths of the documentation and the API',
    tags: ['Documentation'],
    security: [],
    responses: { 200: { description: 'Success', content: { 'application/json': { schema: overview } } } },
  });
  for (const route of routes) {
    const { method, summary, tag, isPublic = false, isDeprecated = false, status = 200, response } = route;
    const { contentType = route.toFrames === undefined ? 'application/json' : 'text/event-stream', stream } = route;
    const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    registry.registerPath({
      method,
      path: pathOf(route),
      operationId: `${method}_${pathOf(route).replace(/\W+/g, '_')}`,
      summary,
      tags: [tag],
      deprecated: isDeprecated,
      security: isPublic ? [] : [{ [bearer.name]: scopesOf(route.rpc) }],
      request: {
        ...(params.length > 0
          ? { params: z.object(Object.fromEntries(params.map((name) => [name, z.string()]))) }
          : {}),
        ...(route.query === undefined ? {} : { query: route.query }),
        ...(isResumable(route) ? { headers: resuming } : {}),
        ...(route.body === undefined
          ? {}
          : { body: { content: { 'application/json': { schema: bodySchema(route) } } } }),
      },
      responses: {
        [status]:
          status === 302
            ? { description: 'Redirect' }
            : {
                description: 'Success',
                content: {
                  [contentType]: { schema: response },
                  ...(stream === undefined ? {} : { [stream.contentType]: { schema: bytes } }),
                },
              },
        default: { description: 'Failure', content: { 'application/json': { schema: error } } },
      },
    });
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'Barline', version },
    servers: [{ url: '/' }],
  });
}

function scopesOf(method: MethodName): string[] {
  const requires = methodAccess[method];
  return requires.includes(':') ? [requires] : [];
}

/** Streams that a client can resume. */
const isResumable = ({ toFrames, query }: Route): boolean =>
  toFrames !== undefined && 'last_event_id' in (query?.shape ?? {});
const resuming = z.object({ 'Last-Event-ID': z.string().optional().openapi({ description: 'same as last_event_id' }) });

function bodySchema({ body, required = [] }: Route): z.ZodObject {
  const mask = Object.fromEntries(required.map((name) => [name, true])) as Record<string, true>;
  return (body as z.ZodObject).required(mask);
}
