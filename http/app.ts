import cors from 'cors';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { ApiError, asSeenBy, type RpcClient, type StreamName } from '../rpc/index.js';
import { docsRouter } from './docs.js';
import { fromExpress, sendError } from './errors.js';
import { healthHandler } from './health.js';
import { correlate } from './request-id.js';
import { pathOf, type Route, type StreamRoutes } from './route.js';
import { routes } from './routes/index.js';
import { stream } from './stream.js';
import { checkAccess, optionsOf, translate } from './translate.js';

/** What is written of an answered request. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route, not the address, which may hold anything; null for none. */
  readonly route: string | null;
  readonly status: number;
  readonly elapsedMs: number;
  /** The route is another, older address of one that stays. */
  readonly isDeprecated: boolean;
  /** Only of bugs of ours. */
  readonly error?: unknown;
}

export interface AppOptions {
  readonly rpc: RpcClient;
  readonly version: string;
  /** Origins whose pages may call the service; `*` for any. */
  readonly corsOrigin: string;
  readonly record: (request: RequestRecord) => void;
  /** Metrics in the text form that Prometheus reads. */
  readonly metrics: () => Promise<string>;
}

/** As many bars as an evaluation takes, 20,000, of 200 bytes each. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** Headers by which clients see what happened to their request. */
const exposedHeaders = [
  'Retry-After',
  'X-Correlation-Id',
  'Idempotent-Replayed',
  'X-Billed-Units',
  ...routes.flatMap(({ stream }) => Object.values(stream?.headers ?? {})),
];

/** What proxies write where the client did not wait for an answer. */
const CLIENT_GONE = 499;

/**
 * The service speaks plain HTTP: telling browsers to ask for its parts by HTTPS would break its
 * pages where no proxy is before it.
 */
const helmetOptions = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } };

/** The REST API over the contract. Streams end when `closing` is aborted. */
export function createApp(options: AppOptions, closing: AbortSignal): Express {
  const { rpc, version, corsOrigin, record, metrics } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false); // a 304 has no body, and clients want one always
  app.use(correlate, recorded(record), helmet(helmetOptions), cors({ origin: corsOrigin, exposedHeaders }));
  app.get(['/health', '/api/v1/health'], healthHandler(rpc));
  app.get('/metrics', async (_request, response) => {
    response.type('text/plain').send(await metrics());
  });
  app.use(docsRouter(routes, version));
  addRoutes(app, rpc, closing);
  app.use((request: Request, response: Response) => {
    sendError(
      response,
      new ApiError('RESOURCE_NOT_FOUND', `no endpoint ${request.method} ${request.path.slice(0, 200)}`),
    );
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) {
      if (!response.destroyed) response.locals.error = error; // else the client is gone
      response.destroy(); // half an answer must not look whole
      return;
    }
    const known = fromExpress(error);
    if (known === null) response.locals.error = error;
    const { method = '' } = response.locals as { method?: string };
    sendError(response, asSeenBy(method, known ?? new ApiError('INTERNAL_ERROR', 'an unexpected error occurred')));
  });
  return app;
}

function addRoutes(app: Express, rpc: RpcClient, closing: AbortSignal): void {
  const methodsOf = new Map<string, string[]>();
  for (const route of routes) {
    const path = expressPath(route);
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), route.method.toUpperCase()]);
    const answer = isStream(route) ? stream(route, rpc, closing) : translate(route, rpc);
    app[route.method](path, named(path, route), readBody(route, rpc), answer);
  }
  for (const [path, methods] of methodsOf) {
    app.all(path, named(path), (request, response) => {
      response.set('Allow', methods.join(', '));
      const message = `${request.method} is not a method of this endpoint: it has ${methods.join(', ')}`;
      sendError(response, { code: 'METHOD_NOT_ALLOWED', message, details: {} });
    });
  }
}

const isStream = (route: Route): route is StreamRoutes[StreamName] => route.toFrames !== undefined;

const expressPath = (route: Route): string => pathOf(route).replace(/\{(\w+)\}/g, ':$1');

const named =
  (path: string, { rpc, isDeprecated = false }: Partial<Route> = {}): RequestHandler =>
  (_request, response, next) => {
    Object.assign(response.locals, { route: path, method: rpc, isDeprecated });
    next();
  };

/**
 * Reads JSON whatever the content type says. A body that cannot be read is refused to those only
 * who may call at all.
 */
function readBody(route: Route, rpc: RpcClient): RequestHandler {
  const parse = express.json({ limit: BODY_BYTES_MAX, type: () => true, strict: false });
  return (request, response, next) => {
    parse(request, response, (error?: unknown) => {
      if (error === undefined) next();
      else checkAccess(route, rpc, optionsOf(request, response)).then(() => next(error), next);
    });
  };
}

function recorded(record: AppOptions['record']): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    response.on('close', () => {
      const {
        correlationId,
        route = null,
        isDeprecated = false,
        error,
      } = response.locals as {
        correlationId: string;
        route?: string;
        isDeprecated?: boolean;
        error?: unknown;
      };
      record({
        requestId: correlationId,
        method: request.method,
        route,
        status: response.headersSent ? response.statusCode : CLIENT_GONE,
        elapsedMs: performance.now() - startedMs,
        isDeprecated,
        ...(error === undefined ? {} : { error }),
      });
    });
    next();
  };
}
