import type { handleBidiStreamingCall, Server, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { fileDescriptors } from '../contract/wire.js';

const METHOD = 'ServerReflectionInfo';

/** One version of reflection: they have one method each. */
interface Version {
  readonly definition: ServiceDefinition;
  readonly answer: handleBidiStreamingCall<unknown, unknown>;
}

/** Those with the index of all descriptors, which takes longer to make than the rest of a server. */
let indexed: readonly Version[] | null = null;

/** Serves reflection. The first question of the process makes the index. */
export function addReflection(server: Server): void {
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
