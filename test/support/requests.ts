import fc from 'fast-check';
import type { Route } from '../../http/route.js';

/** A request as it goes over the wire. */
export interface RawRequest {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
}

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

/** JSON texts of values that may break code which expects others. */
const awkward: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e309',
  '-1e400',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e\\ufeff"',
  '"null"',
  '"NaN"',
  '"1"',
  '"2024-02-30"',
  '"../../etc/passwd"',
  `"' or 1=1 --"`,
  '"00000000-0000-4000-8000-000000000000"',
  `"${'x'.repeat(5_000)}"`,
  '[]',
  '[[]]',
  '[null]',
  '[{}]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":1,"hasOwnProperty":1,"length":-1}',
  nested(200, '[', ']'),
  nested(5_000, '{"a":', '}').replace('{"a":}', '{}'),
  `[${'0,'.repeat(2_000)}0]`,
];

const value: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

/** Texts that are no JSON, and JSON that is no object. */
const broken: fc.Arbitrary<Uint8Array | string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '{"a":',
    '[1,',
    '{"a":1}{',
    'undefined',
    '\ufeff{}',
    '{"a":NaN}',
    "{'a':1}",
    '\0',
    '{"a":"\n"}',
  ),
  fc.constantFrom('null', '7', '"text"', '[]', '[{}]', 'true'),
  fc.constantFrom(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), new Uint8Array([0xc3, 0x28])),
  fc.constantFrom(
    `{"name":"${'x'.repeat(1_000_000)}"}`,
    `{"a":[${'{},'.repeat(300_000)}{}]}`,
    nested(100_000, '[', ']'),
  ),
  fc.uint8Array({ maxLength: 40 }),
);

/** Objects with some of the fields that the route knows, and some that it does not. */
function bodyFor(fields: readonly string[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(fields.length > 0 ? fields : ['name'])) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', '', 'id', 'a\\u0000b'),
    },
  );
  return fc
    .array(fc.tuple(name, value), { minLength: 1, maxLength: 8 })
    .map((pairs) => `{${pairs.map(([key, text]) => `"${key}":${text}`).join(',')}}`);
}

/**
 * A valid body with one to three places in it, at any depth, replaced or removed. One of two is no item of
 * a list but the first, as long lists have most of the places.
 * @param more texts to put there, beside those for any JSON
 */
export function damaged(good: object, more: readonly string[] = []): fc.Arbitrary<string> {
  const places = placesOf(good);
  const rare = places.filter((place) => place.every((key) => !/^[1-9]/.test(key)));
  const place = fc.oneof(fc.constantFrom(...places), fc.constantFrom(...rare));
  const text = more.length === 0 ? value : fc.oneof(value, fc.constantFrom(...more));
  return fc.array(fc.tuple(place, fc.option(text)), { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = structuredClone(good) as Record<string, unknown>;
    for (const [i, [path, put]] of changes.entries()) {
      const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], copy);
      if (typeof parent !== 'object' || parent === null) continue; // an earlier change took it away
      const at = parent as Record<string, unknown>;
      if (put === null) delete at[path.at(-1) ?? ''];
      else at[path.at(-1) ?? ''] = `(damage ${i})`;
    }
    return JSON.stringify(copy).replace(/"\(damage (\d)\)"/g, (_, i: string) => changes[Number(i)]?.[1] ?? '');
  });
}

/** The paths of all values in an object, at any depth. */
export function placesOf(node: unknown, path: readonly string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, inner]) => [[...path, key], ...placesOf(inner, [...path, key])]);
}

const queryText = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1',
    '1.5',
    '1e9',
    '99999999999999999999',
    'NaN',
    'true',
    'TRUE',
    '1,2',
    '%00',
    '%ff',
    '%',
    '[]',
  ),
  fc.string({ maxLength: 20 }).map(encodeURIComponentSafely),
);

function queryFor(fields: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...fields, 'unknown', '__proto__', 'limit[]', 'limit[a][b]', 'constructor');
  return fc
    .array(fc.tuple(name, queryText), { maxLength: 6 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([key, text]) => `${key}=${text}`).join('&')}`));
}

function encodeURIComponentSafely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
}

/** Values that a client can put into a header, Latin letters among them. */
const headerText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '?',
    'a'.repeat(3_000),
    'a,b{c',
    '{{{{',
    'a{b{c}}',
    '{}',
    ',',
    '\u00e4\u00ff',
    '%00',
    '__proto__{x}',
    'Bearer',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
);

const headersFor: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'X-Fields': headerText,
    'Idempotency-Key': headerText,
    'X-Request-Id': headerText,
    'X-Correlation-Id': headerText,
    'X-Management-Key': headerText,
    'X-Wallet-Address': headerText,
    'Content-Type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
      'application/json; charset=utf-7',
    ),
    'Content-Encoding': fc.constantFrom('identity', 'gzip', 'br', 'nonsense'),
    Accept: fc.constantFrom('*/*', 'text/html', 'nonsense'),
  },
  { requiredKeys: [] },
);

/**
 * Requests to one route: most have the right form and one fault, some are wrong altogether.
 * @param good a valid body of the route, where there is one to damage
 */
export function requestsTo(route: Route, good?: object): fc.Arbitrary<RawRequest> {
  const fields = Object.keys(route.body?.shape ?? {});
  const body =
    route.body === undefined
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 4, arbitrary: bodyFor(fields) },
          ...(good === undefined ? [] : [{ weight: 6, arbitrary: damaged(good) }]),
          { weight: 1, arbitrary: broken },
        );
  const seldom = <T>(arbitrary: fc.Arbitrary<T>, usual: T) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary });
  return fc.record({
    query: seldom(queryFor(Object.keys(route.query?.shape ?? {})), ''),
    headers: seldom(headersFor, {}),
    body,
  });
}
