import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type protobuf from 'protobufjs';
import { asJson } from '../../../http/answer.js';
import type { Route } from '../../../http/route.js';
import { documentedRoutes, pathOfMethod, pathParameters, routes } from '../../../http/routes.js';
import { requireMessageFacts } from '../../../http/schemas.js';
import { requestMessage } from '../../../http/translate.js';
import { type Field, fromMessage, messageShape, toMessage } from '../../../rpc/codec.js';
import { contract, contractMethod, deserializer, serializer } from '../../../rpc/protos.js';
import { asHttp } from '../../support/api.js';
import { without } from '../../support/backtests.js';

/** For every route alike: what REST makes of a request is the message of a caller over gRPC. */

/** Any value of a field, and of the messages in it down to a depth. */
function anyValueOf({ json, isRepeated, isMap, message, scalar }: Field, depth: number): fc.Arbitrary<unknown> {
  const one = json !== null ? anyJson(json) : message !== null ? anyMessage(message, depth - 1) : anyScalar(scalar);
  if (isRepeated) return fc.array(one, { minLength: 1, maxLength: 2 });
  return isMap ? fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), one, { minKeys: 1, maxKeys: 2 }) : one;
}

/** Without a comma, which separates the items of a list in a query. */
const anyText = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => /[^\s,]/.test(text));

const anyScalar = (scalar: string): fc.Arbitrary<unknown> =>
  scalar === 'string'
    ? anyText.map((text) => text.replaceAll(',', ';'))
    : scalar === 'bool'
      ? fc.boolean()
      : fc.integer().map((value) => (scalar === 'double' ? value / 8 : Math.abs(value)));

const json = { n: 1.5, list: [true, null, 'x', { deep: {} }] };
const anyJson = (kind: string): fc.Arbitrary<unknown> => fc.constant(/List|text/.test(kind) ? [json, 1] : json);

function anyMessage(type: protobuf.Type, depth: number): fc.Arbitrary<unknown> {
  const { isTuple, fields } = messageShape(type);
  return isTuple ? fc.tuple(...[...fields.values()].map((field) => anyValueOf(field, depth))) : anyOf(type, depth);
}

function anyOf(type: protobuf.Type, depth = 3): fc.Arbitrary<Record<string, unknown>> {
  const facts = requireMessageFacts(type.name).fields;
  const fields = [...messageShape(type).fields.values()].filter(
    ({ key, message }) => (message === null || depth > 0) && facts[key]?.refused === undefined,
  );
  return fc.record(Object.fromEntries(fields.map((field) => [field.key, anyValueOf(field, depth)])), {
    requiredKeys: [],
  });
}

/** A message as its bytes say it. */
const said = (type: protobuf.Type, plain: object): unknown =>
  fromMessage(type, deserializer(type)(serializer(type)(toMessage(type, plain))), 'absent');

/** What a server reads of the address and the body of a request. */
function received(route: Route, request: object) {
  const { path, query, body } = asHttp(route, request);
  const names = pathParameters(route.path);
  const pattern = new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '([^/]*)')}$`);
  const [, ...values] = pattern.exec(path) ?? assert.fail(path);
  return {
    params: Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')])),
    query: Object.fromEntries(new URLSearchParams(query)),
    body: body === undefined ? undefined : (JSON.parse(body) as unknown),
  };
}

/** A value without nulls and empty lists, some of which JSON leaves out. */
const set = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one) => (one === null || (Array.isArray(one) && one.length === 0) ? undefined : one)) ??
      'null',
  );

/** Those whose adapters turn a request or an answer into another form have cases of their own. */
const plainRoutes = routes.filter(
  ({ toRequest, binding: { body } }) => toRequest === undefined && (body === undefined || body === '*'),
);
const plainAnswers = routes.filter(
  ({ toJson, toFrames, send }) => toJson === undefined && toFrames === undefined && send === undefined,
);

test('what a route makes of any request is the message that a caller over gRPC sends', () => {
  for (const route of plainRoutes) {
    const { request } = contractMethod(route.rpc);
    const inPath = Object.fromEntries(pathParameters(route.path).map((name) => [name, anyText]));
    const apart = [...route.endpoint.hidden, ...Object.values(route.cookies)];
    const anyRequest = fc
      .tuple(anyOf(request), fc.record(inPath))
      .map(([fields, path]) => ({ ...without(apart, fields), ...path }));
    const isSame = fc.property(anyRequest, (plain) =>
      assert.deepEqual(said(request, requestMessage(route, received(route, plain))), said(request, plain), route.path),
    );
    fc.assert(isSame, { numRuns: 5 });
  }
});

test('the JSON of any answer has every field of the message, and success where the contract says so', () => {
  for (const route of plainAnswers) {
    const { reply } = contractMethod(route.rpc);
    const { responseBody } = route.binding;
    const success = route.endpoint.isPlain ? {} : { success: true };
    const isShown = fc.property(anyOf(reply), (plain) => {
      const answer = fromMessage(reply, toMessage(reply, plain), 'null');
      const expected = responseBody === undefined ? { ...success, ...answer } : answer[responseBody];
      assert.deepEqual(set(asJson(route, answer)), set(expected), route.path);
    });
    fc.assert(isShown, { numRuns: 5 });
  }
});

test('each endpoint belongs to one method, and its path is found by it', () => {
  const endpoints = [...contract().methods.keys()].flatMap(documentedRoutes);
  const places = routes.map(({ method, path }) => `${method} ${path}`);
  assert.equal(endpoints.length, routes.length);
  assert.equal(new Set(places).size, routes.length);
  assert.equal(pathOfMethod('Backtests.Submit'), '/api/v2/backtests');
  assert.throws(() => pathOfMethod('Corpus.QueryColumns'), /the method Corpus.QueryColumns has no route/);
});
