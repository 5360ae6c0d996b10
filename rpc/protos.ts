import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadSync, type MethodDefinition, type PackageDefinition, type ServiceDefinition } from '@grpc/proto-loader';

export const PACKAGE = 'barline.v1';

/** The largest answer, 200,000 bars of signals on their series, has half as much; the facade takes far smaller requests. */
export const MESSAGE_BYTES_MAX = 32 * 1024 * 1024;

export const serviceNames = [
  'Auth',
  'Strategies',
  'Signals',
  'Execution',
  'Backtests',
  'Config',
  'Batch',
  'Catalogue',
  'Corpus',
  'Deployed',
  'Experiments',
  'Simulations',
  'Usage',
  'Webhooks',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `Strategies.Create`: what a method is called in tables, logs and metrics. */
export type MethodName = `${ServiceName}.${string}`;

export interface ContractMethod {
  readonly name: MethodName;
  readonly definition: MethodDefinition<object, object>;
}

/** The contract as the files under `protos/` state it. */
export interface Contract {
  readonly definition: PackageDefinition;
  readonly methods: ReadonlyMap<MethodName, ContractMethod>;
}

let loaded: Contract | null = null;

/** Reads the contract once. */
export function contract(): Contract {
  loaded ??= load();
  return loaded;
}

export const protoFolder = (): string => join(packageRoot(import.meta.dirname), 'protos');

/** The files lie beside the sources, one level further up from the compiled code. */
function packageRoot(from: string): string {
  let folder = from;
  while (!existsSync(join(folder, 'protos'))) folder = dirname(folder);
  return folder;
}

function load(): Contract {
  const files = serviceNames
    .map((name) => `barline/v1/${name.toLowerCase()}.proto`)
    .filter((file) => existsSync(join(protoFolder(), file)));
  const definition = loadSync(files, {
    includeDirs: [protoFolder()],
    keepCase: true,
    longs: Number,
    defaults: true,
    arrays: true,
  });
  const methods = new Map<MethodName, ContractMethod>();
  for (const service of serviceNames) {
    const described = (definition[`${PACKAGE}.${service}`] ?? {}) as ServiceDefinition;
    for (const [method, of] of Object.entries(described)) {
      const name: MethodName = `${service}.${method}`;
      methods.set(name, { name, definition: of });
    }
  }
  return { definition, methods };
}
