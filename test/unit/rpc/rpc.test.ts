import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ServiceError, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type protobuf from 'protobufjs';
import { type Field, fromMessage, messageShape, toMessage } from '../../../rpc/codec.js';
import { fromStatus, toStatus } from '../../../rpc/errors.js';
import { checkMessageSize, decodePaced, encodePaced, FIELDS_MAX } from '../../../rpc/paced-codec.js';
import { contract, contractMethod, deserializer, PACKAGE, serializer } from '../../../rpc/protos.js';
import { ApiError } from '../../../service/api-error.js';
import { JsonText } from '../../../service/json-text.js';
import { root } from '../../support/tree.js';

const sent = (error: ApiError) => {
  const told = toStatus(error);
  encodeURI(String(told.details)); // what the transport does with it
  const back = fromStatus({ ...told, name: '', message: '' } as ServiceError);
  return back instanceof ApiError ? back : assert.fail(back.message);
};

test('half of a surrogate pair in a failure becomes U+FFFD, in message and details', () => {
  const back = sent(new ApiError('VALIDATION_ERROR', 'no \ud83d here', { field: '\udc00', list: ['a\ud800'] }));
  assert.equal(back.message, 'no \ufffd here');
  assert.deepEqual(back.details, { field: '\ufffd', list: ['a\ufffd'] });
});

test('a failure too long for headers is cut and keeps its code', () => {
  const told = toStatus(new ApiError('CONFLICT', '\ud83d\ude80'.repeat(50_000), { text: 'x'.repeat(100_000) }));
  assert.ok(encodeURI(String(told.details)).length < 20_000);
  const back = sent(new ApiError('CONFLICT', 'm'.repeat(9_000), { text: 'x'.repeat(100_000) }));
  assert.deepEqual([back.code, back.message.length, back.details], ['CONFLICT', 2_000, {}]);
});

test('a trailer of another server is no failure of this client', () => {
  const told = toStatus(new ApiError('CONFLICT', 'm'));
  told.metadata?.set('barline-error-bin', Buffer.from('{'));
  const back = fromStatus({ ...told, code: status.UNKNOWN, name: '', message: '' } as ServiceError);
  assert.ok(!(back instanceof ApiError), 'a bug, to be recorded');
  assert.match(back.message, /^a call failed without an answer: 2 m$/);
});

const { reply } = contractMethod('Signals.EvaluateMultipleSeries');
const bars = Array.from({ length: 5_000 }, (_, i) => ({ timestamp: `t${i}`, open: i / 7 }));
const answer = {
  symbol: 'BTC',
  chart_timeframe: '1h',
  start_date: 'a',
  end_date: 'b',
  chart_data: bars,
  signal_results: ['x', 'y'].map((signal_name) => ({
    signal_name,
    timeframe: '1h',
    bars_fetched: 5_000,
    trigger_indices: bars.map((_, i) => i),
    trigger_timestamps: bars.map(({ timestamp }) => timestamp),
    market_data: bars,
  })),
};

test('a large message in pieces has the fields of the whole', async () => {
  const whole = serializer(reply)(toMessage(reply, answer));
  const expected = fromMessage(reply, deserializer(reply)(whole), 'null');
  const bytes = await encodePaced(reply, answer);
  assert.deepEqual(fromMessage(reply, deserializer(reply)(bytes), 'null'), expected);
  assert.deepEqual(await decodePaced(reply, whole, false), expected);
  const asText = await decodePaced(reply, whole, true);
  assert.ok(asText.chart_data instanceof JsonText);
  assert.deepEqual(JSON.parse(JSON.stringify(asText)), expected);
});

test('a list may be longer than a call may have arguments', async () => {
  const { reply: trades } = contractMethod('Backtests.ListTrades');
  const list = Array.from({ length: 200_000 }, (_, i) => ({ trade_id: `t${i}` }));
  const bytes = await encodePaced(trades, { backtest_id: 'b', trade_count: list.length, trades: list });
  const read = (await decodePaced(trades, bytes, false)).trades as { readonly trade_id: string }[];
  assert.deepEqual([read.length, read.at(-1)?.trade_id], [200_000, 't199999']);
});

test('a request of too many fields is refused by its bytes', () => {
  const { request } = contractMethod('Backtests.RunBulk');
  const tag = Buffer.from([0x0a, 0x00]);
  const of = (fields: number): Buffer => Buffer.concat(Array.from({ length: fields }, () => tag));
  checkMessageSize(request, of(FIELDS_MAX));
  assert.throws(() => checkMessageSize(request, of(FIELDS_MAX + 1)), { code: 'PAYLOAD_TOO_LARGE' });
});

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
    if (message === null) return samples[scalar] ?? id + (scalar === 'double' ? 0.5 : 0);
    return messageShape(message).isTuple ? Object.values(full(message, path)) : full(message, path);
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

test('no file of the contract imports itself through others, which other readers refuse', () => {
  const folder = join(root, 'protos/barline/v1');
  const visit = (file: string, above: readonly string[]): void => {
    assert.ok(!above.includes(file), [...above, file].join(' imports '));
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, imported = ''] of text.matchAll(/^import "barline\/v1\/(\w+\.proto)";$/gm)) {
      visit(imported, [...above, file]);
    }
  };
  for (const file of readdirSync(folder)) visit(file, []);
});
