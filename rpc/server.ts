import {
  type handleBidiStreamingCall,
  logVerbosity,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  setLogVerbosity,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import type { MethodName, StreamName } from '../contract/index.js';
import { fileDescriptors } from '../contract/wire.js';
import type { UseCases } from '../service/use-cases.js';
import { asBytes, type CallDeps, serverStream, unary } from './calls.js';
import { LocalCalls } from './local-calls.js';
import { type Contract, contract, PACKAGE, REPLY_BYTES_MAX, REQUEST_BYTES_MAX } from './protos.js';

export interface RpcServerOptions extends CallDeps {
  readonly useCases: UseCases;
  /** Such as `127.0.0.1:50051`; port 0 means any free port. */
  readonly address: string;
}

export interface RpcServer {
  readonly port: number;
  /** For the clients of this process. */
  readonly local: LocalCalls;
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
  const local = new LocalCalls();
  addMethods(server, local, methods, useCases, deps);
  health.addToServer(server);
  addReflection(server);
  const port = await bind(server, address);
  const checked = ['', ...services.map((name) => `${PACKAGE}.${name}`)];
  for (const service of checked) health.setStatus(service, 'SERVING');
  return {
    port,
    local,
    async stop(drainMs) {
      for (const service of checked) health.setStatus(service, 'NOT_SERVING');
      await Promise.all([local.stop(drainMs), drain(server, drainMs)]);
    },
  };
}

function addMethods(
  server: Server,
  local: LocalCalls,
  methods: Contract['methods'],
  useCases: UseCases,
  deps: CallDeps,
): void {
  const isStream = (name: MethodName): name is StreamName => methods.get(name)?.definition.responseStream === true;
  const definitions: Record<string, MethodDefinition<object, object>> = {};
  const implementations: Record<string, UntypedHandleCall> = {};
  const onWire = {
    ...{ requestSerialize: asBytes, requestDeserialize: asBytes },
    ...{ responseSerialize: asBytes, responseDeserialize: asBytes },
  };
  for (const [name, method] of methods) {
    const { path, requestStream, responseStream } = method.definition;
    definitions[name] = { path, requestStream, responseStream, ...onWire };
    if (isStream(name)) {
      implementations[name] = serverStream({ ...method, name }, useCases[name], deps);
    } else {
      const handler = unary({ ...method, name }, useCases[name], deps);
      implementations[name] = handler;
      local.add(name, handler);
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

const METHOD = 'ServerReflectionInfo';

/** One version of reflection: they have one method each. */
interface Version {
  readonly definition: ServiceDefinition;
  readonly answer: handleBidiStreamingCall<unknown, unknown>;
}

/** Those with the index of all descriptors, which takes longer to make than the rest of a server. */
let indexed: readonly Version[] | null = null;

/** Serves reflection. The first question of the process makes the index. */
function addReflection(server: Server): void {
  for (const [i, { definition }] of versionsOver({}).entries()) {
    server.addService(definition, {
      [METHOD]: (call: Parameters<Version['answer']>[0]) => {
        indexed ??= versionsOver(described());
        indexed[i]?.answer(call);
      },
    });
  }
}

type Descriptors = ConstructorParameters<typeof ReflectionService>[0];

function versionsOver(descriptors: Descriptors): readonly Version[] {
  const versions: Version[] = [];
  new ReflectionService(descriptors).addToServer({
    addService: (definition: ServiceDefinition, handlers: UntypedServiceImplementation) =>
      versions.push({ definition, answer: handlers[METHOD] as Version['answer'] }),
  });
  return versions;
}

/** Reflection reads only the descriptors of files, which any definition brings along. */
const described = (): Descriptors => ({
  contract: {
    format: 'Protocol Buffer 3 EnumDescriptorProto', // the kind that needs no codec
    type: {},
    fileDescriptorProtos: fileDescriptors.map((text) => Buffer.from(text, 'base64')),
  },
});
