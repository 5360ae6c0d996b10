import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Upstream } from '../data/upstreams/index.js';
import type { HttpServerOptions } from '../http/index.js';
import type { RpcServerOptions } from '../rpc/index.js';
import type { WarningLog } from '../service/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import { Dependencies } from './dependencies.js';
import { callerFields, Floodgate, readableStream } from './log-lines.js';
import { measureUpstreams, measureWork, type WorkSources } from './measure-work.js';

/** In seconds. A read takes a few milliseconds, a long backtest some seconds. */
const buckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** A failure that repeats fills no disk: so many lines in a window, and the number left out. */
const FAILURE_LINES_MAX = 20;
const FAILURE_WINDOW_MS = 60_000;

/** Log lines and metrics of the service. */
export interface Observer {
  readonly log: Logger;
  readonly recordCall: RpcServerOptions['record'];
  readonly recordRequest: HttpServerOptions['record'];
  /** Logs a bug that did not fail any call or request, but not each of a flood of them. */
  readonly recordFailure: (error: unknown) => void;
  /** Counts and logs an error that nothing caught, in the same way. */
  readonly recordUncaught: (error: unknown) => void;
  readonly recordWarnings: WarningLog;
  /** Adds the calls to these providers to the metrics. */
  readonly watch: (upstreams: readonly Upstream[]) => void;
  /** Adds queues, work, threads, connections and caches to the metrics. */
  readonly watchWork: (sources: WorkSources) => void;
  readonly dependencies: Dependencies;
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
  const dependencies = new Dependencies(log, registry);
  return {
    log,
    dependencies,
    recordCall({ method, requestId, caller, code, elapsedMs, deprecatedKeys, error, outage }) {
      calls.observe({ method, code }, elapsedMs / 1000);
      const line = { request_id: requestId, rpc: method, code, elapsed_ms: round(elapsedMs), ...callerFields(caller) };
      if (error === undefined) log.debug(line, 'call');
      else log.error({ ...line, err: error }, 'call failed');
      if (outage !== undefined) dependencies.failed(outage);
      for (const key of deprecatedKeys) warnOnce(key, { ...line, key }, 'deprecated key');
    },
    recordRequest({ requestId, method, route, status, elapsedMs, caller, isDeprecated, error }) {
      requests.observe({ method, route: route ?? 'none', status }, elapsedMs / 1000);
      const line = {
        request_id: requestId,
        method,
        route,
        status,
        elapsed_ms: round(elapsedMs),
        ...callerFields(caller),
      };
      if (error === undefined) log.info(line, 'request');
      else log.error({ ...line, err: error }, 'request failed');
      if (isDeprecated) warnOnce(`${method} ${route}`, line, 'deprecated route');
    },
    ...failureRecords(log, registry, dependencies),
    recordWarnings: (about, warnings) => log.warn({ ...about, warnings }, 'warnings'),
    watch: (upstreams) => measureUpstreams(upstreams, registry),
    watchWork: (sources) => measureWork(sources, registry),
    metrics: () => registry.metrics(),
  };
}

/** Records of failures that belong to no call or request. */
function failureRecords(
  log: Logger,
  registry: Registry,
  dependencies: Dependencies,
): Pick<Observer, 'recordFailure' | 'recordUncaught'> {
  const uncaught = new Counter({
    name: 'barline_uncaught_errors_total',
    help: 'Errors that nothing caught; the process went on',
    registers: [registry],
  });
  const floodgate = new Floodgate(FAILURE_LINES_MAX, FAILURE_WINDOW_MS);
  const logFailure = (error: unknown, message: string): void => {
    const leftOut = floodgate.pass(performance.now());
    if (leftOut === null) return;
    log.error({ err: error, ...(leftOut === 0 ? {} : { left_out: leftOut }) }, message);
  };
  return {
    recordFailure(error) {
      if (!dependencies.failed(error)) logFailure(error, 'failure');
    },
    recordUncaught(error) {
      uncaught.inc();
      if (!dependencies.failed(error)) logFailure(error, 'uncaught error');
    },
  };
}

/** Where a service writes its log: readable lines to a terminal, JSON to anything else. */
export function logTo(format: ServiceConfig['BARLINE_LOG_FORMAT'], out: NodeJS.WriteStream): DestinationStream {
  const isReadable = format === 'readable' || (format === 'auto' && out.isTTY);
  return isReadable ? readableStream(out) : destination(out === process.stderr ? 2 : 1);
}

/** Appends lines to a file; its folder is made. */
export const logToFile = (path: string): DestinationStream => destination({ dest: path, mkdir: true, sync: true });

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

/**
 * From here on an error that nothing caught, thrown or rejected, is handed to `record` and the
 * process goes on: its other calls, streams and jobs have no part in it. The call that it belongs
 * to ends at its deadline at the latest, and its job when its lease does.
 *
 * It is called when all parts have started. An error before that still ends the process, since a
 * service that started in part would serve in part. Lack of memory ends it at any time.
 */
export function keepServing(record: (error: unknown) => void): void {
  // A rejection that nothing handles becomes such an exception too.
  process.on('uncaughtException', (error) => {
    try {
      record(error);
    } catch {} // an exception here would end the process
  });
}
