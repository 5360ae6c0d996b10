import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import cors from 'cors';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import helmet from 'helmet';
import {
  ApiError,
  asSeenBy,
  type CallerIds,
  clip,
  type OpenStreams,
  openSpan,
  type RpcClient,
  type StreamName,
} from '../rpc/index.js';
import { readBody } from './body.js';
import { docsRouter } from './docs.js';
import { fromExpress, sendError } from './errors.js';
import { addOperations, askHealth, draining } from './operations.js';
import type { Route, StreamRoutes } from './route.js';
import { routes } from './routes.js';
import { stream } from './shared-streams.js';
import { translate } from './translate.js';
import { UNREAD_HEADER } from './unread-keys.js';

/** The log record of an answered request. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route, or null. Never the address: it may hold anything. */
  readonly route: string | null;
  readonly status: number;
  readonly elapsedMs: number;
  /** Null for a public route, or a request without a valid credential. */
  readonly caller: CallerIds | null;
  /** True for a deprecated alias of another route. */
  readonly isDeprecated: boolean;
  /** Set only for bugs of the service. */
  readonly error?: unknown;
}

export interface AppOptions {
  readonly rpc: RpcClient;
  readonly version: string;
  /** Folder of the installed package. */
  readonly packageRoot: string;
  /** Origin whose pages may call the service; `*` for any. */
  readonly corsOrigin: string;
  /** Proxies whose word about the client is believed: hops or addresses, as Express takes them. */
  readonly trustedProxies?: number | readonly string[] | undefined;
  readonly record: (request: RequestRecord) => void;
  /** Metrics in the Prometheus text format. */
  readonly metrics: () => Promise<string>;
  /** Whether the process is about to stop; it then answers that it is not ready. */
  readonly isDraining?: () => boolean;
  /** Counts the readers of streams. */
  readonly streams: OpenStreams;
  /** Further protocols on this server, by path. */
  readonly mounts?: readonly Mount[];
}

/** Another protocol, which answers every request of its path itself. */
interface Mount {
  readonly path: string;
  /** @param closing aborted when the server stops; open answers then end */
  open(closing: AbortSignal): RequestHandler;
  /** Headers that pages of other origins may read. */
  readonly exposedHeaders: readonly string[];
}

/** Headers that tell clients what happened to their request. */
const exposedHeaders = [
  'Retry-After',
  'X-Correlation-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
  'X-Billed-Units',
  UNREAD_HEADER,
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  ...routes.flatMap(({ stream }) => Object.values(stream?.headers ?? {})),
];

/** Status that proxies log when the client disconnects before the answer. */
const CLIENT_GONE = 499;

/**
 * The service speaks plain HTTP. `upgrade-insecure-requests` would make browsers load its pages'
 * resources over HTTPS, which fails without a proxy in front.
 */
const helmetOptions = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } };

/** The REST API over the gRPC contract. Streams end when `closing` is aborted. */
export function createApp(options: AppOptions, closing: AbortSignal): Express {
  const { rpc, version, corsOrigin, record, metrics, mounts = [] } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false); // a 304 has no body, and clients expect one
  if (options.trustedProxies !== undefined) app.set('trust proxy', options.trustedProxies);
  const exposed = [...exposedHeaders, ...mounts.flatMap((mount) => mount.exposedHeaders)];
  app.use(correlate, recorded(record), helmet(helmetOptions), cors({ origin: corsOrigin, exposedHeaders: exposed }));
  const isDraining = (): boolean => closing.aborted || (options.isDraining?.() ?? false);
  addOperations(app, {
    health: () => askHealth(rpc, false),
    readiness: async () => (isDraining() ? draining(version) : askHealth(rpc, true)),
    metrics,
  });
  app.use(docsRouter(routes, version, join(options.packageRoot, 'dist')));
  addRoutes(app, options, closing);
  for (const { path, open } of mounts) app.all(path, named(path), open(closing));
  app.use((request: Request, response: Response) => {
    sendError(response, new ApiError('RESOURCE_NOT_FOUND', `no endpoint ${request.method} ${clip(request.path, 200)}`));
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) {
      if (response.writableEnded) return; // the server stopped and refused the request
      if (!response.destroyed) response.locals.error = error; // otherwise the client is gone
      response.destroy(); // a partial answer must not look complete
      return;
    }
    const known = fromExpress(error);
    if (known === null) response.locals.error = error;
    const { method = '' } = response.locals;
    sendError(response, asSeenBy(method, known ?? new ApiError('INTERNAL_ERROR', 'an unexpected error occurred')));
  });
  return app;
}

function addRoutes(app: Express, { rpc, streams }: AppOptions, closing: AbortSignal): void {
  const methodsOf = new Map<string, string[]>();
  for (const route of routes) {
    const path = expressPath(route);
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), route.method.toUpperCase()]);
    const answer = isStream(route) ? stream(route, rpc, { streams, closing }) : translate(route, rpc);
    app[route.method](path, named(path, route), readBody(route, rpc), answer);
  }
  let refusals: Router | null = null;
  app.use((request, response, next) => {
    // Few clients use a wrong method, so no start waits for this.
    refusals ??= refuseOtherMethods(methodsOf);
    refusals(request, response, next);
  });
}

/** Answers a request for a path by a method that the path does not have. */
function refuseOtherMethods(methodsOf: ReadonlyMap<string, readonly string[]>): Router {
  const router = Router();
  for (const [path, methods] of methodsOf) {
    router.all(path, named(path), (request, response) => {
      response.set('Allow', methods.join(', '));
      const message = `${request.method} is not a method of this endpoint, which has ${methods.join(', ')}`;
      sendError(response, { code: 'METHOD_NOT_ALLOWED', message, details: {} });
    });
  }
  return router;
}

const isStream = (route: Route): route is StreamRoutes[StreamName] => route.toFrames !== undefined;

const expressPath = ({ path }: Route): string => path.replace(/\{(\w+)\}/g, ':$1');

const named =
  (path: string, { rpc, binding }: Partial<Route> = {}): RequestHandler =>
  (_request, response, next) => {
    Object.assign(response.locals, { route: path, method: rpc, isDeprecated: binding?.isDeprecated });
    next();
  };

function recorded(record: AppOptions['record']): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    const span = openSpan({ name: request.method, kind: 'SERVER', from: (name) => request.get(name) });
    response.on('close', () => {
      const { correlationId, route = null, caller = null, isDeprecated = false, error } = response.locals;
      const status = response.headersSent ? response.statusCode : CLIENT_GONE;
      span.end(`${request.method} ${route ?? ''}`.trim(), { 'http.response.status_code': status }, error);
      record({
        requestId: correlationId,
        method: request.method,
        route,
        status,
        elapsedMs: performance.now() - startedMs,
        caller,
        isDeprecated,
        ...(error === undefined ? {} : { error }),
      });
    });
    span.run(next);
  };
}

const acceptable = /^[\w.:-]{1,128}$/;

/**
 * Gives a request one id, used in the log lines of everything it causes. A client may send its own.
 */
const correlate: RequestHandler = (request, response, next) => {
  const sent = request.get('X-Request-Id') ?? request.get('X-Correlation-Id');
  const correlationId = sent !== undefined && acceptable.test(sent) ? sent : randomUUID();
  response.locals.correlationId = correlationId;
  response.set('X-Correlation-Id', correlationId);
  next();
};
