import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { loadSync } from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import { contract, PACKAGE } from '../../../rpc/protos.js';
import { root } from '../../support/tree.js';

/** The contract as any client reads it, from the files. */
const folder = PACKAGE.replace('.', '/');
const files = readdirSync(join(root, 'protos', folder)).map((name) => `${folder}/${name}`);
const options = { includeDirs: [join(root, 'protos')], keepCase: true, longs: Number, defaults: true, arrays: true };
const definitions = loadSync(files, options);
const ofFiles = new Map(
  Object.entries(definitions).flatMap(([path, described]) =>
    'format' in described
      ? []
      : Object.entries(described).map(
          ([name, method]) => [`${path.slice(PACKAGE.length + 1)}.${name}`, method] as const,
        ),
  ),
);

const samples: Readonly<Record<string, unknown>> = { string: 'text', bool: true, bytes: Buffer.from('{}') };

/** A message with a value in each field. */
function full(type: protobuf.Type, above: readonly protobuf.Type[] = []): Record<string, unknown> {
  const fields = type.fieldsArray.filter(({ resolvedType }) => !above.includes(resolvedType as protobuf.Type));
  const sampleOf = (field: protobuf.Field) =>
    field.resolvedType instanceof protobuf.Type
      ? full(field.resolvedType, [...above, type])
      : (samples[field.type] ?? field.id + (field.type === 'double' ? 0.5 : 0));
  return Object.fromEntries(
    fields.map((field) => [field.name, field.repeated ? [sampleOf(field), sampleOf(field)] : sampleOf(field)]),
  );
}

test('the contract that the build parsed has the methods of the files, and writes and reads the same bytes', () => {
  const { methods } = contract();
  assert.deepEqual([...methods.keys()].sort(), [...ofFiles.keys()].sort());
  for (const [name, { definition: ours, request, reply }] of methods) {
    const theirs = ofFiles.get(name) as typeof ours;
    assert.deepEqual(
      [ours.path, ours.requestStream, ours.responseStream],
      [theirs.path, theirs.requestStream, theirs.responseStream],
    );
    for (const message of [{}, full(request)]) {
      const bytes = theirs.requestSerialize(message);
      assert.deepEqual(ours.requestSerialize(message), bytes, name);
      assert.deepEqual(ours.requestDeserialize(bytes), theirs.requestDeserialize(bytes), name);
    }
    for (const message of [{}, full(reply)]) {
      const bytes = theirs.responseSerialize(message);
      assert.deepEqual(ours.responseSerialize(message), bytes, name);
      assert.deepEqual(ours.responseDeserialize(bytes), theirs.responseDeserialize(bytes), name);
    }
  }
});
