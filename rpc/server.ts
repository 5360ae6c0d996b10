import {
  logVerbosity,
  type MethodDefinition,
  Server,
  ServerCredentials,
  setLogVerbosity,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import type { MethodName, StreamName } from '../contract/index.js';
import type { UseCases } from '../service/use-cases.js';
import { asBytes, type CallDeps, serverStream, unary } from './calls.js';
import { type Contract, contract, PACKAGE, REPLY_BYTES_MAX, REQUEST_BYTES_MAX } from './protos.js';
import { addReflection } from './reflection.js';

export interface RpcServerOptions extends CallDeps {
  readonly useCases: UseCases;
  /** Such as `127.0.0.1:50051`; port 0 means any free port. */
  readonly address: string;
}

export interface RpcServer {
  readonly port: number;
  /** Accepts no new calls, waits at most `drainMs` for current calls, then cancels them. */
  stop(drainMs: number): Promise<void>;
}

const KEEPALIVE_MS = 60_000;
const KEEPALIVE_ANSWER_MS = 20_000;
/** The server disconnects a client that pings more often than this. */
const PING_INTERVAL_MS_MIN = 10_000;

// The library also reports its messages as errors; standard error is for the service's own.
setLogVerbosity(logVerbosity.NONE);

/** Serves the contract, health checks and reflection. */
export async function startRpcServer({ useCases, address, ...deps }: RpcServerOptions): Promise<RpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': REQUEST_BYTES_MAX,
    'grpc.max_send_message_length': REPLY_BYTES_MAX,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_ANSWER_MS,
    'grpc.http2.min_ping_interval_without_data_ms': PING_INTERVAL_MS_MIN,
  });
  const { services, methods } = contract();
  const health = new HealthImplementation();
  addMethods(server, methods, useCases, deps);
  health.addToServer(server);
  addReflection(server);
  const port = await bind(server, address);
  const checked = ['', ...services.map((name) => `${PACKAGE}.${name}`)];
  for (const service of checked) health.setStatus(service, 'SERVING');
  return {
    port,
    async stop(drainMs) {
      for (const service of checked) health.setStatus(service, 'NOT_SERVING');
      await drain(server, drainMs);
    },
  };
}

function addMethods(server: Server, methods: Contract['methods'], useCases: UseCases, deps: CallDeps): void {
  const isStream = (name: MethodName): name is StreamName => methods.get(name)?.definition.responseStream === true;
  const definitions: Record<string, MethodDefinition<object, object>> = {};
  const implementations: Record<string, UntypedHandleCall> = {};
  for (const [name, method] of methods) {
    definitions[name] = { ...method.definition, requestDeserialize: asBytes, responseSerialize: asBytes };
    if (isStream(name)) {
      implementations[name] = serverStream({ ...method, name }, useCases[name], deps);
    } else {
      implementations[name] = unary({ ...method, name }, useCases[name], deps);
    }
  }
  server.addService(definitions, implementations);
}

/** The error code that Node servers use for this case; the gRPC library hides it. */
const taken = (address: string): Error =>
  Object.assign(new Error(`listen EADDRINUSE: address already in use ${address}`), {
    code: 'EADDRINUSE',
    syscall: 'listen',
  });

const bind = (server: Server, address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(/EADDRINUSE/.test(error.message) ? taken(address) : error);
    });
  });

async function drain(server: Server, drainMs: number): Promise<void> {
  const timer = setTimeout(() => server.forceShutdown(), drainMs);
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  clearTimeout(timer);
}
