import type protobuf from 'protobufjs';
import type { Route } from '../../http/route.js';
import { encodeJson, type JsonKind } from '../../rpc/struct-codec.js';
import { goodBody } from '../support/good-bodies.js';
import { seededRandom } from '../support/random.js';

/** Seeded requests that are wrong in the ways of somebody who wants the service to stop. */

type Random = () => number;

/** Names that objects have of their own, and names that cannot be one. */
const keys: readonly string[] = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'length'],
  ...['', '0', '-1', 'then', 'toJSON', '\u202e', '\ud83d\ude80', 'k'.repeat(5_000), 'a.b.c', '../..', '$where', 'name'],
];

const EMOJI = '\ud83d\ude80';

/** Runs that an expression may read again from each place. */
const runs: readonly string[] = [
  ...[' ', '\\n', '\\t', '(', ')', '[', '{', '0', '9', 'a', '_', '-', '/', '.', ',', '%', '*', '#', '@', '<!--', '!['],
  ...['a ', ' a', '1,', '(a', '[a](', 'def a(', '1.', 'e1', '=>', '`', EMOJI, '\\ud800', '\\u0000'],
];

/** JSON texts of single values; no text needs to be sound. */
const scalars: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1', '1.5', '1e308', '-1e308', '1e309', '5e-324', '9e15', '-9e15'],
  ...['9007199254740993', '123456789012345678901234567890', '2147483648', '"NaN"', '"Infinity"', '"-0"', '""', '" "'],
  ...['"\\ud800"', '"\\udc00\\ud800"', '"a\\ud83d"', '"\\u0000"', '"\\u202e\\u2066\\u200f"', '"\\u001b[2J"'],
  ...['"__proto__"', '"constructor"', '"toString"', '"../../etc/passwd"', '"BTC"', '"1h"', '"2024-02-30"', '"%00"'],
  ...['[]', '{}', '[[]]', '[null]', '{"":""}', '"data:,"', '"\\r\\nX: y"', '"00000000-0000-4000-8000-000000000000"'],
];

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const upTo = (random: Random, max: number): number => Math.floor(random() * (max + 1));

/** A long text, in most cases a run of one piece with an end that fits no pattern. */
function longText(random: Random): string {
  const piece = pick(random, runs);
  const length = pick(random, [50, 200, 2_000, 20_000, 99_000]);
  return `"${pick(random, ['', '@', 'a', 'def a('])}${piece.repeat(Math.ceil(length / piece.length))}${pick(random, ['', '!', ')'])}"`;
}

/** A name followed by enough emoji that a cut goes through one. */
const emojiText = (random: Random): string => `"${'a'.repeat(upTo(random, 3))}${EMOJI.repeat(upTo(random, 200))}"`;

function nested(random: Random): string {
  const depth = pick(random, [5, 31, 33, 200, 5_000]);
  return random() < 0.5 ? `${'['.repeat(depth)}${']'.repeat(depth)}` : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** The JSON text of a hostile value. */
export function hostileJson(random: Random, depth = 0): string {
  const kind = random();
  if (kind < 0.5) return pick(random, scalars);
  if (kind < 0.6) return emojiText(random);
  if (kind < 0.7) return longText(random);
  if (kind < 0.75) return nested(random);
  if (depth > 2) return '{}';
  if (kind < 0.9) {
    const members = Array.from({ length: 1 + upTo(random, 2) }, () => {
      return `${JSON.stringify(pick(random, keys))}:${hostileJson(random, depth + 1)}`;
    });
    return `{${members.join(',')}}`;
  }
  const item = hostileJson(random, depth + 1);
  const count = item.length > 200 ? 2 : pick(random, [1, 2, 60, 2_000]);
  return `[${Array.from({ length: count }, () => item).join(',')}]`;
}

/** A sound JSON value as text, with hostile values in some places and hostile keys in others. */
function damaged(random: Random, value: unknown, chance: number): string {
  if (random() < chance) return hostileJson(random);
  if (Array.isArray(value)) return `[${value.map((item) => damaged(random, item, chance)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, item]) => {
    const name = random() < chance / 2 ? pick(random, keys) : key;
    return `${JSON.stringify(name)}:${damaged(random, item, chance)}`;
  });
  if (random() < chance) members.push(`${JSON.stringify(pick(random, keys))}:${hostileJson(random)}`);
  return `{${members.join(',')}}`;
}

/** An object for these fields as JSON text: a damaged sound one, or each field hostile. */
export function hostileObject(random: Random, fields: readonly string[], good: object | undefined): string {
  if (good !== undefined && random() < 0.7) return damaged(random, good, 0.08);
  const chosen = fields.filter(() => random() < 0.7);
  const names = random() < 0.3 ? [...chosen, pick(random, keys)] : chosen;
  return `{${names.map((name) => `${JSON.stringify(name)}:${hostileJson(random)}`).join(',')}}`;
}

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Percent-encoded text, of which half of a pair and bytes that are no UTF-8 are part. */
function pathText(random: Random): string {
  const kind = random();
  if (kind < 0.3) return `a${encodeURIComponent(EMOJI.repeat(upTo(random, 200)))}`;
  if (kind < 0.5) return pick(random, ['%ff', '%00', '%ed%a0%80', '%2e%2e', '%2f', '%e2%80%ae', 'x'.repeat(5_000)]);
  return encodeURIComponent(pick(random, keys).toWellFormed()) || '%20';
}

const headerTexts = ['__proto__', '{a{', 'a'.repeat(3_000), ',', '', '?', '\u00e4\u00ff', 'a,b{c}', '__proto__{x}'];

const headerNames = [
  ...['X-Fields', 'X-Request-Id', 'Idempotency-Key', 'Last-Event-ID', 'X-Wallet-Address', 'Accept'],
  ...['Content-Type', 'Content-Encoding', 'X-Management-Key'],
];

/** A request of REST to a route, mostly about what `known` has for the names in its path. */
export function hostileRestRequest(
  seed: number,
  route: Route,
  known: Readonly<Record<string, string>>,
): HostileRequest {
  const random = seededRandom(seed);
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    random() < 0.8 ? encodeURIComponent(known[name] ?? 'x') : pathText(random),
  );
  const names = [...Object.keys(route.query?.shape ?? {}), pick(random, keys)].filter(() => random() < 0.5);
  const query = names.map((name) => `${encodeURIComponent(name.toWellFormed())}=${pathText(random)}`).join('&');
  const headers: Record<string, string> = {};
  for (const name of headerNames) {
    if (random() < 0.05) headers[name] = pick(random, headerTexts);
  }
  if (route.body === undefined) return { method: route.method, path: `${path}?${query}`, headers, body: undefined };
  const text = hostileObject(random, Object.keys(route.body.shape), goodBody(route.rpc));
  const body = Buffer.from(text);
  if (random() < 0.05 && body.length > 0) body[upTo(random, body.length - 1)] = 0xff; // no UTF-8
  return { method: route.method, path: `${path}?${query}`, headers, body };
}

/** A message of gRPC as a plain object for its encoder. */
export function hostileMessage(random: Random, type: protobuf.Type, depth = 0): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const field of type.fieldsArray) {
    if (random() < 0.3) continue;
    const value = (): unknown => hostileField(random, field, depth);
    if (field.map)
      message[field.name] = Object.fromEntries(
        Array.from({ length: upTo(random, 3) }, () => [pick(random, keys), value()]),
      );
    else message[field.name] = field.repeated ? Array.from({ length: upTo(random, 3) }, value) : value();
  }
  return message;
}

function hostileField(random: Random, { type, resolvedType, options }: protobuf.Field, depth: number): unknown {
  if (options?.json !== undefined && random() < 0.8) return hostileStruct(random, options.json as JsonKind);
  if (type === 'bytes') return Buffer.from(random() < 0.1 ? '{"a' : hostileJson(random));
  if (type === 'string') return textOf(random);
  if (type === 'bool') return random() < 0.5;
  if (type === 'double' || type === 'float') return pick(random, [0, -0, 1, -1, 1e308, NaN, Infinity, 5e-324, 9e15]);
  if (/^([su]?int|s?fixed)\d+$/.test(type)) return pick(random, [0, 1, -1, 2_147_483_647, -2_147_483_648]);
  if (resolvedType !== null && 'fieldsArray' in resolvedType) {
    return depth < 5 ? hostileMessage(random, resolvedType, depth + 1) : {}; // a list cannot hold undefined
  }
  return undefined;
}

/** JSON as a message of the language; of the wrong kind, it is a message that cannot be read. */
function hostileStruct(random: Random, kind: JsonKind): Uint8Array {
  let value: unknown = null;
  try {
    value = JSON.parse(hostileJson(random));
  } catch {
    return Buffer.from(hostileJson(random));
  }
  const isFit = kind === 'Value' || (kind === 'ListValue') === Array.isArray(value);
  try {
    return encodeJson(isFit && typeof value === 'object' && value !== null ? kind : 'Value', value);
  } catch {
    return Buffer.alloc(100_000, 0x32); // it nests too deep for our own encoder, and so do these bytes
  }
}

/** A text of a field, half of a pair of surrogates and what JSON means by it included. */
function textOf(random: Random): string {
  if (random() < 0.3) return pick(random, keys);
  const text = pick(random, [longText, emojiText, hostileJson])(random);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
