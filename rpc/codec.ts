import protobuf from 'protobufjs';
import type { AnswerOf, MethodName, ReplyOf } from '../contract/index.js';
import type { JsonCount } from '../service/access/index.js';
import { JsonText } from '../service/index.js';
import type { ContractMethod } from './protos.js';
import { decodeJson, encodeJson, type JsonKind } from './struct-codec.js';

/**
 * Converts between the plain objects of the use cases and the messages of the contract. They differ
 * in three ways. A field that a message leaves unset is null in a reply, absent in a request and in
 * a sparse message. JSON is the plain value in one and a `Struct`, a `Value` or a `ListValue` in the
 * other. And a message with the field `rest` takes any object: what its other fields cannot say,
 * such as a null, an unknown key or a value of another type, travels in `rest`, so that a plain
 * object comes out as it went in.
 */

export interface Field {
  /** Number on the wire. */
  readonly id: number;
  /** Key in the plain object. */
  readonly key: string;
  /** Key in the message. */
  readonly name: string;
  /** Set for a field that holds any JSON. `text` is the JSON itself, as bytes. */
  readonly json: JsonKind | 'text' | null;
  readonly isRepeated: boolean;
  readonly isMap: boolean;
  /** Message of the field, of the items of its list or of the values of its map. */
  readonly message: protobuf.Type | null;
  readonly scalar: string;
}

interface Shape {
  readonly isSparse: boolean;
  /** By plain key, without `rest`. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly hasRest: boolean;
}

type Plain = Readonly<Record<string, unknown>>;

const JSON_SUFFIX = '_json';
const REST = 'rest';
const shapes = new WeakMap<protobuf.Type, Shape>();

export function messageShape(message: protobuf.Type): Shape {
  let shape = shapes.get(message);
  if (shape === undefined) {
    const fields = message.fieldsArray.filter(({ name }) => name !== REST).map(readField);
    shape = {
      isSparse: message.options?.is_sparse === true,
      fields: new Map(fields.map((field) => [field.key, field])),
      hasRest: REST in message.fields,
    };
    shapes.set(message, shape);
  }
  return shape;
}

function readField(field: protobuf.Field): Field {
  const { id, name, repeated, type, resolvedType, options } = field;
  const isText = type === 'bytes' && name.endsWith(JSON_SUFFIX);
  return {
    id,
    key: isText ? name.slice(0, -JSON_SUFFIX.length) : name,
    name,
    json: isText ? 'text' : ((options?.json as JsonKind | undefined) ?? null),
    isRepeated: repeated,
    isMap: field.map,
    message: resolvedType instanceof protobuf.Type ? resolvedType : null,
    scalar: type,
  };
}

/** What a field cannot hold. */
export const UNFIT = Symbol('unfit');

/**
 * Converts a plain object to its message. Undefined is left out, and so is null but in a message
 * with `rest`.
 * @param isRequest keeps numbers that are not finite, which the service refuses; null in a reply
 * @throws Error for a key or a value that the message cannot hold: every answer must fit the contract
 */
export function toMessage(message: protobuf.Type, plain: object, isRequest = false): object {
  const { fields, hasRest } = messageShape(message);
  const result: Record<string, unknown> = {};
  let rest: Record<string, unknown> | null = null;
  for (const [key, value] of Object.entries(plain)) {
    if (value === undefined) continue;
    const field = fields.get(key);
    if (field !== undefined) {
      if (value === null && !hasRest && field.json !== 'Value' && field.json !== 'text') continue;
      const encoded = encode(field, value, hasRest, isRequest);
      if (encoded !== UNFIT) {
        result[field.name] = encoded;
        continue;
      }
      if (!hasRest)
        throw new Error(`the field ${key} of ${message.name} cannot hold ${JSON.stringify(value)?.slice(0, 80)}`);
    } else if (!hasRest) throw new Error(`the message ${message.name} has no field for ${key}`);
    rest ??= {};
    // Assigned, the key __proto__ would be lost.
    Object.defineProperty(rest, key, { value, enumerable: true, configurable: true, writable: true });
  }
  if (rest !== null) result[REST] = encodeJson('Struct', rest, isRequest);
  return result;
}

/** @param isExact whether an empty list must differ from none, and a value be of the type of the field */
function encode(field: Field, value: unknown, isExact: boolean, isRequest: boolean): unknown {
  const { isRepeated, isMap } = field;
  if (field.json === 'text') return value instanceof JsonText ? value.bytes : Buffer.from(JSON.stringify(value));
  if (isRepeated) {
    const list = value instanceof JsonText ? value.toJSON() : value;
    if (!Array.isArray(list) || (isExact && list.length === 0)) return UNFIT;
    const items = list.map((item) => encodeOne(field, item, isExact, isRequest));
    return items.includes(UNFIT) ? UNFIT : items;
  }
  if (isMap) {
    if (!isObject(value)) return UNFIT;
    const entries = Object.entries(value).map(([key, item]) => [key, encodeOne(field, item, isExact, isRequest)]);
    if ((isExact && entries.length === 0) || entries.some(([, item]) => item === UNFIT)) return UNFIT;
    return Object.fromEntries(entries);
  }
  return encodeOne(field, value, isExact, isRequest);
}

/** One value, or one item of a list or of a map; `UNFIT` if the field cannot hold it. */
export function encodeOne(
  { json, message, scalar }: Field,
  value: unknown,
  isExact: boolean,
  isRequest = false,
): unknown {
  if (json === 'Value') return encodeJson(json, value, isRequest);
  if (json !== null && json !== 'text') {
    return (json === 'ListValue' ? Array.isArray(value) : isObject(value)) ? encodeJson(json, value, isRequest) : UNFIT;
  }
  if (message !== null) {
    if (!isObject(value)) return UNFIT;
    return isExact && !fits(message, value) ? UNFIT : toMessage(message, value, isRequest);
  }
  if (typeof value === 'string') return scalar === 'string' ? value.toWellFormed() : UNFIT;
  if (!isExact) return value; // the compiler has checked it
  return isScalar(scalar, value) ? value : UNFIT;
}

/** Whether a message without `rest` holds all of an object. */
function fits(message: protobuf.Type, plain: object): boolean {
  const { fields, hasRest } = messageShape(message);
  if (hasRest) return true;
  return Object.entries(plain).every(([key, value]) => {
    const field = fields.get(key);
    return field !== undefined && (value === null || encode(field, value, true, false) !== UNFIT);
  });
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonText);

const INT32_MAX = 2 ** 31 - 1;

function isScalar(type: string, value: unknown): boolean {
  if (type === 'bool') return typeof value === 'boolean';
  if (type === 'bytes') return value instanceof Uint8Array;
  if (typeof value !== 'number' || type === 'string') return false;
  if (type === 'double') return Number.isFinite(value);
  return type === 'int32' ? Number.isInteger(value) && Math.abs(value) <= INT32_MAX : Number.isSafeInteger(value);
}

/**
 * Converts one part of a streamed reply to the plain object that callers read.
 */
export const readReply = <M extends MethodName>({ reply }: ContractMethod<M>, message: object) =>
  fromMessage(reply, message, 'null') as ReplyOf<M>;

/** The answer of a use case, from the bytes of its reply: null stands for what it left unset. */
export const readAnswer = <M extends MethodName>({ reply, definition }: ContractMethod<M>, bytes: Buffer) =>
  fromMessage(reply, definition.responseDeserialize(bytes), 'null') as AnswerOf<M>;

/**
 * Converts a message to its plain object. The types of callers are safe: types and field
 * descriptors are generated from the same files.
 * @param unset value of a field that is not set: null in a reply, absent in a request
 * @throws SyntaxError or RangeError if bytes are not JSON; ApiError PAYLOAD_TOO_LARGE if a request
 * has too many values
 */
export function fromMessage(
  message: protobuf.Type,
  received: object,
  unset: 'null' | 'absent',
  count: JsonCount | null = unset === 'absent' ? { values: 0, lists: 0 } : null,
): Record<string, unknown> {
  const { fields, hasRest, isSparse } = messageShape(message);
  const plain: Record<string, unknown> = {};
  const rest = (received as Plain)[REST];
  if (hasRest && rest instanceof Uint8Array) {
    for (const [key, value] of Object.entries(decodeJson('Struct', rest, count) as object)) {
      Object.defineProperty(plain, key, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  for (const field of fields.values()) {
    const value = (received as Plain)[field.name];
    if (value !== undefined && value !== null && !(hasRest && isEmpty(field, value))) {
      plain[field.key] = decode(field, value, unset, count);
    } else if (unset === 'null' && !isSparse && !Object.hasOwn(plain, field.key)) plain[field.key] = null;
  }
  return plain;
}

/** On the wire an empty list is no list; where that matters, `rest` has it. */
const isEmpty = ({ isRepeated, isMap }: Field, value: unknown): boolean =>
  isRepeated ? (value as readonly unknown[]).length === 0 : isMap && Object.keys(value as object).length === 0;

function decode(field: Field, value: unknown, unset: 'null' | 'absent', count: JsonCount | null): unknown {
  if (field.json === 'text') {
    const text = Buffer.from(value as Uint8Array).toString();
    return text === '' ? undefined : JSON.parse(text);
  }
  if (field.isRepeated) return (value as unknown[]).map((item) => decodeOne(field, item, unset, count));
  if (field.isMap) {
    return Object.fromEntries(
      Object.entries(value as object).map(([key, item]) => [key, decodeOne(field, item, unset, count)]),
    );
  }
  return decodeOne(field, value, unset, count);
}

function decodeOne(
  { json, message }: Field,
  value: unknown,
  unset: 'null' | 'absent',
  count: JsonCount | null,
): unknown {
  if (json !== null && json !== 'text') return decodeJson(json, value as Uint8Array, count);
  return message === null ? value : fromMessage(message, value as object, unset, count);
}
