import type { MethodDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import type { MethodName, ServiceName } from '../contract/index.js';
import { contractJson } from '../contract/wire.js';

export const PACKAGE = 'barline.v1';

/**
 * Twice the size of the largest answer, 200,000 bars of signals on their series.
 */
export const REPLY_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Six times the size of the largest body of the REST facade: a number may take that much more room
 * in a `Struct` than in JSON. It holds unpacked too.
 */
export const REQUEST_BYTES_MAX = 24 * 1024 * 1024;

/** A message as the library makes it of bytes, by names of fields. */
export type Message = Readonly<Record<string, unknown>>;

export interface ContractMethod<M extends MethodName = MethodName> {
  readonly name: M;
  readonly definition: MethodDefinition<Message, Message>;
  readonly request: protobuf.Type;
  readonly reply: protobuf.Type;
}

/** The contract, as the files in `protos/` define it. */
export interface Contract {
  readonly services: readonly ServiceName[];
  readonly methods: ReadonlyMap<MethodName, ContractMethod>;
}

let loaded: Contract | null = null;

/** Reads the contract on the first call. */
export function contract(): Contract {
  loaded ??= load();
  return loaded;
}

export function contractMethod<M extends MethodName>(name: M): ContractMethod<M> {
  const method = contract().methods.get(name);
  if (method === undefined) throw new Error(`the contract has no method ${name}`);
  return { ...method, name };
}

function load(): Contract {
  const root = protobuf.Root.fromJSON(JSON.parse(contractJson));
  const described = root.lookup(PACKAGE) as protobuf.Namespace;
  const services: ServiceName[] = [];
  const methods = new Map<MethodName, ContractMethod>();
  for (const service of described.nestedArray) {
    if (!(service instanceof protobuf.Service)) continue;
    services.push(service.name as ServiceName); // the type is generated from the same files
    for (const method of service.methodsArray) {
      const name = `${service.name}.${method.name}` as MethodName;
      methods.set(name, { name, ...readMethod(`/${PACKAGE}.${service.name}/${method.name}`, method) });
    }
  }
  return { services, methods };
}

function readMethod(path: string, method: protobuf.Method) {
  const { resolvedRequestType: request, resolvedResponseType: reply } = method;
  if (request === null || reply === null) throw new Error(`${path} has messages that are not in the contract`);
  const definition = {
    path,
    requestStream: method.requestStream === true,
    responseStream: method.responseStream === true,
    requestSerialize: serializer(request),
    requestDeserialize: deserializer(request),
    responseSerialize: serializer(reply),
    responseDeserialize: deserializer(reply),
  };
  return { definition, request, reply };
}

/** In Node.js the library writes into a buffer. */
export const serializer = (type: protobuf.Type) => (message: object) =>
  type.encode(type.fromObject(message)).finish() as Buffer;

export const deserializer =
  (type: protobuf.Type) =>
  (bytes: Buffer): Message =>
    type.toObject(type.decode(bytes), { longs: Number, defaults: true, arrays: true });
