import { randomUUID } from 'node:crypto';
import { isSettledWithin } from '../data/settled-within.js';
import { openEmbeddedStore } from '../data/state/embedded/index.js';
import { EngineError } from '../engine/errors.js';
import type { Health } from '../http/index.js';
import type { MountOptions } from '../mcp/index.js';
import type { RpcClient, RpcServer } from '../rpc/index.js';
import type { Checks } from '../service/config/index.js';
import { repeatedly } from '../service/repeatedly.js';
import type { ServiceConfig } from '../service/settings/index.js';
import type { State } from '../service/state/index.js';
import type { Installation } from './compose.js';
import type { Observer } from './observe.js';
import { requireServers } from './servers.js';

/** Parts that a process can run. Default: all. */
export const serviceParts = ['http', 'rpc', 'worker'] as const;
export type ServicePart = (typeof serviceParts)[number];

export interface ServiceOptions extends Installation {
  readonly config: ServiceConfig;
  readonly observer: Observer;
  readonly parts: readonly ServicePart[];
  /**
   * Time after which a worker starts all but the answers of conversations: a process that says one
   * message ends before, and loads no queues. Default: none.
   */
  readonly workAfterMs?: number;
}

export interface RunningService {
  /** `http://host:port`; null if this process does not serve REST. */
  readonly origin: string | null;
  /** `host:port` of the gRPC server; null if this process does not run it. */
  readonly rpcAddress: string | null;
  /** `http://host:port` of health and metrics alone; null without a port for them. */
  readonly operationsOrigin: string | null;
  /** An address of the workbench that signs one browser in; null where another process serves it or has the state. */
  readonly openWorkbench: (() => Promise<string>) | null;
  /** An API key created because there was no other way to log in; shown once. */
  readonly firstKey: string | null;
  /** Makes `/ready` fail from now on; requests are answered as before. */
  drain(): void;
  /** Waits at most `DRAIN_MS` for current calls, then closes everything, all within `STOP_MS`. */
  stop(): Promise<void>;
}

/** Total time for current calls to end when the service stops. */
const DRAIN_MS = 4_000;
/**
 * Time for each part to close after that. A part that waits for an unresponsive database does not
 * hold up the others.
 */
const CLOSE_MS = 500;
/**
 * Time for the whole stop: service managers usually wait ten seconds, then kill the process, and a
 * machine under load needs some of them for what has no limit here.
 */
export const STOP_MS = 5_500;

const UPKEEP_MS = 3_600_000;
/** How often a process looks for lost dependencies, also where nothing else asks. */
const PROBE_MS = 10_000;

/**
 * Starts the parts in order of dependency, and stops them in reverse. Long because it is the list
 * of the parts, each with what it hands to the next. Their code loads while the embedded store
 * opens in its thread.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, observer, parts } = options;
  const needsState = parts.some((part) => part !== 'http');
  if (needsState) {
    checkOwner(options);
    await requireServers(config);
  }
  const closers: Closer[] = [];
  let isDraining = false;
  const drain = (): void => {
    isDraining = true;
  };
  const stop = (): Promise<void> => {
    drain();
    return closeAll(closers.splice(0).reverse(), observer.recordFailure);
  };
  const opening = needsState ? openServiceState(config) : null;
  opening?.catch(() => {}); // the await below reports the failure
  closers.push(async () => (await opening?.catch(() => null))?.close());
  try {
    let rpcAddress: string | null = null;
    let local: RpcServer['local'] | null = null;
    let makeFirstKey = async (): Promise<string | null> => null;
    let makeOneTimeToken: (() => Promise<string>) | null = null;
    let origin: string | null = null;
    const { contract, FacadeKey, OpenStreams, RpcClient, startRpcServer } = await import('../rpc/index.js');
    // REST and gRPC of one process need no setting for it.
    const facades = new FacadeKey(config.BARLINE_SECRET ?? randomUUID());
    const streams = new OpenStreams({
      perCredential: config.BARLINE_STREAMS_PER_CREDENTIAL,
      perOrganization: config.BARLINE_STREAMS_PER_ORGANIZATION,
    });
    contract(); // parsed while the store opens
    let checkReadiness: (() => Promise<Health>) | null = null;
    let startWork = (): void => {};
    const { askHealth, startHttpServer } = await import('../http/index.js');
    if (opening !== null) {
      const { compose } = await import('./compose.js');
      const { mintOneTimeToken, mintOperatorKey, needsFirstKey, OPERATOR_EMAIL } = await import('./operator-key.js');
      const state = await opening;
      if (parts.includes('rpc') && (await needsFirstKey(state, config))) {
        makeFirstKey = async () => (await mintOperatorKey(state, config, OPERATOR_EMAIL, 'first key')).key;
      }
      makeOneTimeToken = () => mintOneTimeToken(state, config);
      const composed = await compose(config, state, {
        ...options,
        onInternalError: observer.recordFailure,
        dependencies: observer.dependencies,
        onWarnings: observer.recordWarnings,
        isDraining: () => isDraining,
      });
      const { gate, useCases, answers, computing, upkeep, upstreams, workSources } = composed;
      observer.watch(upstreams);
      observer.watchWork(workSources);
      observer.dependencies.watch(config);
      checkReadiness = () => probeReadiness(composed.readiness, options.version);
      closers.push(() => composed.close());
      if (state.kind === 'embedded') {
        const { openDoor } = await import('./operator-door.js');
        closers.push(await openDoor(config.BARLINE_HOME, composed.operator, () => ({ rpc: rpcAddress, origin })));
      }
      const startUpkeep = (): void => {
        const endProbes = repeatedly(composed.probe, PROBE_MS, observer.recordFailure);
        closers.push(async () => void endProbes()); // a dependency that hangs does not hold up the stop
        closers.push(repeatedly(upkeep, UPKEEP_MS, (err) => observer.log.error({ err }, 'upkeep failed')));
      };
      const { workAfterMs } = options;
      if (workAfterMs === undefined) startUpkeep();
      if (parts.includes('worker')) {
        startWork = () => {
          composed.startTalk();
          if (workAfterMs === undefined) return composed.startWork();
          const startRest = (): void => {
            startUpkeep();
            composed.startWork();
          };
          const timer = setTimeout(startRest, workAfterMs).unref();
          closers.push(async () => clearTimeout(timer));
        };
        closers.push(async () => void (await composed.stopWork()));
      }
      if (parts.includes('rpc')) {
        const address = `${config.BARLINE_RPC_HOST}:${config.BARLINE_RPC_PORT}`;
        const answering = { gate, useCases, streams, answers, computing, facades, record: observer.recordCall };
        const server = await startRpcServer({ address, ...answering });
        closers.push((drainMs) => server.stop(drainMs));
        closers.push(async () => composed.endStreams());
        rpcAddress = `${config.BARLINE_RPC_HOST}:${server.port}`;
        local = server.local;
      }
    }
    let operationsOrigin: string | null = null;
    if (parts.includes('http')) {
      const rpc = new RpcClient(rpcAddress ?? `${config.BARLINE_RPC_HOST}:${config.BARLINE_RPC_PORT}`, facades, local);
      closers.push(async () => rpc.close());
      if (rpcAddress === null && config.BARLINE_SECRET === undefined) observer.log.warn(unprovenFacade);
      const { mcpMount } = await import('../mcp/index.js');
      const mounts = [mcpMount({ ...mcpOptions(options, rpc), streams })];
      const server = await startHttpServer({
        ...httpOptions(options),
        rpc,
        streams,
        mounts,
        isDraining: () => isDraining,
      });
      checkReadiness ??= () => askHealth(rpc, true);
      closers.push((drainMs) => server.stop(drainMs));
      origin = `http://${config.BARLINE_HTTP_HOST}:${server.port}`;
    }
    if (config.BARLINE_METRICS_PORT !== undefined && checkReadiness !== null) {
      const server = await startOperations(options, checkReadiness);
      closers.push((drainMs) => server.stop(drainMs));
      operationsOrigin = `http://${config.BARLINE_METRICS_HOST}:${server.port}`;
    }
    // The key is made last, when nothing can fail any more, because it is shown only once.
    const firstKey = await makeFirstKey();
    startWork();
    const openWorkbench = await workbenchOpener(origin, makeOneTimeToken);
    return { origin, rpcAddress, operationsOrigin, openWorkbench, firstKey, drain, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function workbenchOpener(
  origin: string | null,
  makeToken: (() => Promise<string>) | null,
): Promise<RunningService['openWorkbench']> {
  if (origin === null || makeToken === null) return null;
  const { workbenchAddress } = await import('./operator-door.js');
  return async () => workbenchAddress(origin, await makeToken());
}

const unprovenFacade =
  'without the BARLINE_SECRET of the gRPC server, all clients without a credential count as this one address';

async function startOperations({ config, observer }: ServiceOptions, readiness: () => Promise<Health>) {
  const { startOperationsServer } = await import('../http/index.js');
  const { BARLINE_METRICS_HOST: host, BARLINE_METRICS_PORT: port = 0 } = config;
  return startOperationsServer(host, port, { health: readiness, readiness, metrics: observer.metrics });
}

async function probeReadiness(readiness: Checks, version: string): Promise<Health> {
  const { isHealthy, runChecks } = await import('../service/config/index.js');
  const checks = await runChecks(readiness);
  return { status: isHealthy(checks) ? 'healthy' : 'unhealthy', service: 'barline', version, checks };
}

/**
 * @throws EngineError MISSING_FIELD if several processes would share the embedded store
 */
function checkOwner({ config, parts }: ServiceOptions): void {
  if (config.DATABASE_URL !== undefined || (parts.includes('rpc') && parts.includes('worker'))) return;
  const message = `--only ${parts.join(' ')} needs DATABASE_URL: only one process can own the embedded store`;
  throw new EngineError('MISSING_FIELD', message, { field: 'DATABASE_URL' });
}

type Closer = (drainMs: number) => Promise<void>;

/**
 * Closes one after the other, each within the time that is left. A part that fails to close, such
 * as one that cannot tell a lost database what it returns, does not keep the others open.
 */
async function closeAll(closers: readonly Closer[], onError: (error: unknown) => void): Promise<void> {
  const startMs = performance.now();
  const left = (ms: number): number => Math.max(0, startMs + ms - performance.now());
  for (const close of closers) {
    const drainMs = left(DRAIN_MS);
    const closing = close(drainMs).catch(onError);
    await isSettledWithin(Math.min(drainMs + CLOSE_MS, left(STOP_MS)), closing);
  }
}

const httpOptions = ({ config, version, packageRoot, observer }: ServiceOptions) => ({
  host: config.BARLINE_HTTP_HOST,
  port: config.BARLINE_HTTP_PORT,
  version,
  packageRoot,
  corsOrigin: config.BARLINE_CORS_ORIGIN,
  trustedProxies: config.BARLINE_TRUSTED_PROXIES,
  record: observer.recordRequest,
  metrics: observer.metrics,
});

/** Pages that REST serves may use the tools too, unless REST serves any page. */
const mcpOptions = ({ config, version, observer }: ServiceOptions, rpc: RpcClient): Omit<MountOptions, 'streams'> => ({
  ...{ rpc, version },
  host: config.BARLINE_HTTP_HOST,
  origins: [config.BARLINE_CORS_ORIGIN, config.BARLINE_PUBLIC_URL].flatMap((url) =>
    url === undefined || url === '*' ? [] : [new URL(url).origin],
  ),
  limits: { sessionsMax: config.BARLINE_MCP_SESSIONS, idleMs: config.BARLINE_MCP_IDLE_MS },
  onBug: observer.recordFailure,
});

async function openServiceState({ BARLINE_HOME: home, DATABASE_URL: databaseUrl }: ServiceConfig): Promise<State> {
  const opening = databaseUrl === undefined ? openEmbeddedStore(home) : undefined;
  opening?.catch(() => {});
  const { openState } = await import('../service/state/index.js');
  return openState({ home, databaseUrl, opening });
}
