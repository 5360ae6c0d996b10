import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadSync, type MethodDefinition, type PackageDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import type { MethodName, ServiceName } from './messages.js';

export const PACKAGE = 'barline.v1';

/**
 * Twice the size of the largest answer, 200,000 bars of signals on their series. The REST facade
 * accepts far smaller requests.
 */
export const MESSAGE_BYTES_MAX = 32 * 1024 * 1024;

export interface ContractMethod<M extends MethodName = MethodName> {
  readonly name: M;
  readonly definition: MethodDefinition<object, object>;
}

/** The contract, as the files in `protos/` define it. */
export interface Contract {
  readonly definition: PackageDefinition;
  readonly services: readonly ServiceName[];
  readonly methods: ReadonlyMap<MethodName, ContractMethod>;
}

let loaded: Contract | null = null;

/** Reads the contract on the first call. */
export function contract(): Contract {
  loaded ??= load();
  return loaded;
}

export function methodOf<M extends MethodName>(name: M): ContractMethod<M> {
  const method = contract().methods.get(name);
  if (method === undefined) throw new Error(`the contract has no method ${name}`);
  return { name, definition: method.definition };
}

const protoFolder = (): string => join(packageRoot(import.meta.dirname), 'protos');

/** The proto files lie beside the sources; compiled code is one level deeper. */
function packageRoot(from: string): string {
  let folder = from;
  while (!existsSync(join(folder, 'protos'))) folder = dirname(folder);
  return folder;
}

function load(): Contract {
  const folder = PACKAGE.replace('.', '/');
  const files = readdirSync(join(protoFolder(), folder)).map((file) => `${folder}/${file}`);
  const definition = loadSync(files, {
    includeDirs: [protoFolder()],
    keepCase: true,
    longs: Number,
    defaults: true,
    arrays: true,
  });
  const services: ServiceName[] = [];
  const methods = new Map<MethodName, ContractMethod>();
  for (const [path, described] of Object.entries(definition)) {
    if (!isService(described)) continue;
    const service = path.slice(PACKAGE.length + 1) as ServiceName; // the type is generated from the same files
    services.push(service);
    for (const [method, of] of Object.entries(described)) {
      const name = `${service}.${method}` as MethodName;
      methods.set(name, { name, definition: of });
    }
  }
  return { definition, services, methods };
}

const isService = (described: PackageDefinition[string]): described is ServiceDefinition => !('format' in described);
