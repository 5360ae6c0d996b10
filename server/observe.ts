import { type DestinationStream, type Logger, pino } from 'pino';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Upstream } from '../data/upstreams/index.js';
import type { HttpServerOptions } from '../http/index.js';
import type { RpcServerOptions } from '../rpc/index.js';
import type { WarningLog } from '../service/index.js';
import { measureUpstreams } from './measure-upstreams.js';

/** In seconds. A read takes a few milliseconds, a long backtest some seconds. */
const buckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** Log lines and metrics of the service. */
export interface Observer {
  readonly log: Logger;
  readonly recordCall: RpcServerOptions['record'];
  readonly recordRequest: HttpServerOptions['record'];
  /** Logs a bug that did not fail any call or request. */
  readonly recordFailure: (error: unknown) => void;
  readonly recordWarnings: WarningLog;
  /** Adds the calls to these providers to the metrics. */
  readonly watch: (upstreams: readonly Upstream[]) => void;
  readonly metrics: () => Promise<string>;
}

/**
 * @param level minimum level of the log; `silent` turns it off
 * @param out destination of the lines; default standard output
 */
export function createObserver(level: string, version: string, out?: DestinationStream): Observer {
  const options = { level, base: { service: 'barline', version } };
  const log = out === undefined ? pino(options) : pino(options, out);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: 'barline_rpc_call_seconds',
    help: 'gRPC calls by method and outcome',
    labelNames: ['method', 'code'],
    buckets,
    registers: [registry],
  });
  const requests = new Histogram({
    name: 'barline_http_request_seconds',
    help: 'HTTP requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [registry],
  });
  /** Deprecated routes and keys already logged. At most as many as the tables of both list. */
  const told = new Set<string>();
  const warnOnce = (deprecated: string, line: object, message: string): void => {
    if (told.has(deprecated)) return;
    told.add(deprecated);
    log.warn(line, message);
  };
  return {
    log,
    recordCall({ method, requestId, userId, code, elapsedMs, deprecatedKeys, error }) {
      calls.observe({ method, code }, elapsedMs / 1000);
      const line = { request_id: requestId, rpc: method, user_id: userId, code, elapsed_ms: round(elapsedMs) };
      if (error === undefined) log.debug(line, 'call');
      else log.error({ ...line, err: error }, 'call failed');
      for (const key of deprecatedKeys) warnOnce(key, { ...line, key }, 'deprecated key');
    },
    recordRequest({ requestId, method, route, status, elapsedMs, isDeprecated, error }) {
      requests.observe({ method, route: route ?? 'none', status }, elapsedMs / 1000);
      const line = { request_id: requestId, method, route, status, elapsed_ms: round(elapsedMs) };
      if (error === undefined) log.info(line, 'request');
      else log.error({ ...line, err: error }, 'request failed');
      if (isDeprecated) warnOnce(`${method} ${route}`, line, 'deprecated route');
    },
    recordFailure: (error) => log.error({ err: error }, 'failure'),
    recordWarnings: (about, warnings) => log.warn({ ...about, warnings }, 'warnings'),
    watch: (upstreams) => measureUpstreams(upstreams, registry),
    metrics: () => registry.metrics(),
  };
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;
