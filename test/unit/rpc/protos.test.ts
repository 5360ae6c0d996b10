import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { loadSync } from '@grpc/proto-loader';
import type protobuf from 'protobufjs';
import { type Field, fromMessage, messageShape, toMessage } from '../../../rpc/codec.js';
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
const json = { n: 1.5, list: [true, null, 'x', { deep: {} }] };
const anyJson: Readonly<Record<string, unknown>> = { Struct: json, Value: json, ListValue: [json, 1], text: [json] };

/** A plain object with a value in each field of a message; fields of messages above it are empty. */
function full(type: protobuf.Type, above: readonly protobuf.Type[] = []): Record<string, unknown> {
  const path = [...above, type];
  const isAbove = ({ message }: Field): boolean => message !== null && path.includes(message);
  const shown = [...messageShape(type).fields.values()].filter((field) => field.isRepeated || !isAbove(field));
  const sampleOf = ({ id, json: kind, message, scalar }: Field): unknown => {
    if (kind !== null) return anyJson[kind];
    return message === null ? (samples[scalar] ?? id + (scalar === 'double' ? 0.5 : 0)) : full(message, path);
  };
  return Object.fromEntries(
    shown.map((field) => {
      if (isAbove(field)) return [field.key, []];
      const sample = sampleOf(field);
      return [field.key, field.isRepeated ? [sample, sample] : field.isMap ? { a: sample, b: sample } : sample];
    }),
  );
}

function assertHas(read: Record<string, unknown>, plain: Record<string, unknown>, name: string): void {
  for (const [key, value] of Object.entries(plain)) assert.deepEqual(read[key], value, `${name} ${key}`);
}

test('the contract that the build parsed has the methods of the files, and readers of the files read what it writes', () => {
  const { methods } = contract();
  assert.deepEqual([...methods.keys()].sort(), [...ofFiles.keys()].sort());
  for (const [name, { definition: ours, request, reply }] of methods) {
    const theirs = ofFiles.get(name) as typeof ours;
    assert.deepEqual(
      [ours.path, ours.requestStream, ours.responseStream],
      [theirs.path, theirs.requestStream, theirs.responseStream],
    );
    const sent = full(request);
    const asked = ours.requestSerialize(toMessage(request, sent));
    assert.equal(theirs.requestSerialize(theirs.requestDeserialize(asked)).length, asked.length, name);
    assertHas(fromMessage(request, ours.requestDeserialize(asked), 'absent'), sent, name);
    const told = full(reply);
    const answer = ours.responseSerialize(toMessage(reply, told));
    assert.equal(theirs.responseSerialize(theirs.responseDeserialize(answer)).length, answer.length, name);
    assertHas(fromMessage(reply, ours.responseDeserialize(answer), 'absent'), told, name);
  }
});
