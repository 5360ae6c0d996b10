import protobuf from 'protobufjs';
import type { AnswerOf, MethodName, ReplyOf } from '../contract/index.js';
import type { JsonCount } from '../service/access/index.js';
import { JsonText } from '../service/index.js';
import type { ContractMethod, Message } from './protos.js';
import { decodeJson, encodeJson, type JsonKind } from './struct-codec.js';

/**
 * Converts between the plain objects of the use cases and the messages of the contract. They differ
 * in three ways. A field that a message leaves unset is null in a reply, absent in a request and in
 * a sparse message. JSON is the plain value in one and a `Struct`, a `Value` or a `ListValue` in the
 * other. And what the fields of a message cannot hold travels beside them:
 * - `given` names the fields that are null or empty where an unset one means something else;
 * - `rest` holds any JSON that the fields, or those of the messages in them, cannot: a null, an empty
 *   list, an unknown key, a value of another type. It lies over the fields, list by list and key by
 *   key, so that a plain object comes out as it went in.
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
  /** The plain value is a list: the values of the fields, in their order. */
  readonly isTuple: boolean;
  /** By plain key, without `rest` and `given`. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly hasRest: boolean;
  readonly hasGiven: boolean;
}

type Plain = Readonly<Record<string, unknown>>;

const JSON_SUFFIX = '_json';
const REST = 'rest';
const GIVEN = 'given';
const shapes = new WeakMap<protobuf.Type, Shape>();

export function messageShape(message: protobuf.Type): Shape {
  let shape = shapes.get(message);
  if (shape === undefined) {
    const fields = message.fieldsArray.filter(({ name }) => name !== REST && name !== GIVEN).map(readField);
    shape = {
      isSparse: message.options?.is_sparse === true,
      isTuple: message.options?.is_tuple === true,
      fields: new Map(fields.map((field) => [field.key, field])),
      hasRest: REST in message.fields,
      hasGiven: GIVEN in message.fields,
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
 * Converts a plain object to its message. Undefined is left out, and so is null in a message that is
 * neither sparse nor has `rest` or `given`.
 * @param isRequest keeps numbers that are not finite, which the service refuses; null in a reply
 * @throws Error for a key or a value that the message cannot hold: every answer must fit the contract
 */
export const toMessage = (message: protobuf.Type, plain: object, isRequest = false): Message =>
  encodeFields(message, plain, isRequest, null);

/** Takes what a value has beyond what its field holds, for the `rest` of a message above. */
export type Leave = (left: object) => void;

/**
 * @param leave null where no message above has `rest`: then the types of values are not checked,
 *   since the compiler has
 * @param rest what is left of fields that are encoded already
 */
export function encodeFields(
  message: protobuf.Type,
  plain: object,
  isRequest: boolean,
  leave: Leave | null,
  rest: Record<string, unknown> = {},
): Message {
  const { fields, hasRest, hasGiven, isSparse } = messageShape(message);
  const takesAny = hasRest || leave !== null;
  const result: Record<string, unknown> = {};
  const given: string[] = [];
  for (const [key, value] of Object.entries(plain)) {
    if (value === undefined) continue;
    const field = fields.get(key);
    if (field !== undefined && isBlank(field, value)) {
      if (hasGiven) {
        if (value !== null || !(field.isRepeated || field.isMap)) given.push(key);
      } else if (hasRest || (isSparse && takesAny)) define(rest, key, value);
      continue;
    }
    const leaveOne = takesAny ? (left: object): void => define(rest, key, left) : null;
    const encoded = field === undefined ? UNFIT : encode(field, value, isRequest, leaveOne);
    if (field !== undefined && encoded !== UNFIT) result[field.name] = encoded;
    else if (takesAny) define(rest, key, value);
    else if (field === undefined) throw new Error(`the message ${message.name} has no field for ${key}`);
    else throw new Error(`the field ${key} of ${message.name} cannot hold ${JSON.stringify(value)?.slice(0, 80)}`);
  }
  if (given.length > 0) result[GIVEN] = given;
  if (Object.keys(rest).length > 0) {
    if (hasRest) result[REST] = encodeJson('Struct', rest, isRequest);
    else leave?.(rest);
  }
  return result;
}

/** Assigned, the key __proto__ would be lost. */
const define = (object: object, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
};

/** Whether a field with this value is on the wire as if it were unset. */
const isBlank = ({ json, isRepeated, isMap }: Field, value: unknown): boolean =>
  value === null
    ? isRepeated || (json !== 'Value' && json !== 'text')
    : isRepeated
      ? Array.isArray(value) && value.length === 0
      : isMap && isObject(value) && Object.keys(value).length === 0;

function encode(field: Field, value: unknown, isRequest: boolean, leave: Leave | null): unknown {
  if (field.json === 'text') return value instanceof JsonText ? value.bytes : Buffer.from(JSON.stringify(value));
  if (field.isRepeated) {
    const list: unknown = value instanceof JsonText ? value.toJSON() : value;
    if (!Array.isArray(list)) return UNFIT;
    const left: object[] = [];
    const items = list.map((item, i) => encodeOne(field, item, isRequest, leave && ((over) => (left[i] = over))));
    if (items.includes(UNFIT)) return UNFIT;
    if (left.length > 0) leave?.(overItems(left));
    return items;
  }
  if (!field.isMap) return encodeOne(field, value, isRequest, leave);
  if (!isObject(value)) return UNFIT;
  const left: Record<string, object> = {};
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    encodeOne(field, item, isRequest, leave && ((over) => define(left, key, over))),
  ]);
  if (entries.some(([, item]) => item === UNFIT)) return UNFIT;
  if (Object.keys(left).length > 0) leave?.(left);
  return Object.fromEntries(entries);
}

/** What is left of the items of a list, up to the last that leaves something; nothing lies over the others. */
export const overItems = (left: readonly object[]): object[] => Array.from(left, (over) => over ?? {});

/** One value, or one item of a list or of a map; `UNFIT` if the field cannot hold it. */
export function encodeOne(
  { json, message, scalar }: Field,
  value: unknown,
  isRequest: boolean,
  leave: Leave | null,
): unknown {
  if (json === 'Value') return encodeJson(json, value, isRequest);
  if (json !== null && json !== 'text') {
    return (json === 'ListValue' ? Array.isArray(value) : isObject(value)) ? encodeJson(json, value, isRequest) : UNFIT;
  }
  if (message !== null) {
    if (messageShape(message).isTuple) return encodeTuple(message, value, isRequest, leave);
    return isObject(value) ? encodeFields(message, value, isRequest, leave) : UNFIT;
  }
  if (typeof value === 'string') return scalar === 'string' ? value.toWellFormed() : UNFIT;
  if (leave === null) return value;
  return isScalar(scalar, value) ? value : UNFIT;
}

function encodeTuple(message: protobuf.Type, value: unknown, isRequest: boolean, leave: Leave | null): unknown {
  const keys = [...messageShape(message).fields.keys()];
  if (!Array.isArray(value) || value.length !== keys.length || value.includes(null)) return UNFIT;
  let isWhole = true;
  const fields = Object.fromEntries(keys.map((key, i) => [key, value[i] as unknown]));
  const encoded = encodeFields(message, fields, isRequest, leave && (() => (isWhole = false)));
  return isWhole ? encoded : UNFIT;
}

const isObject = (value: unknown): value is Plain =>
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
export const readReply = <M extends MethodName>({ reply }: ContractMethod<M>, message: Message) =>
  fromMessage(reply, message, 'null') as ReplyOf<M>;

/** The answer of a use case, from the bytes of its reply: null stands for what it left unset. */
export const readAnswer = <M extends MethodName>({ reply, definition }: ContractMethod<M>, bytes: Buffer) =>
  fromMessage(reply, definition.responseDeserialize(bytes), 'null') as AnswerOf<M>;

/**
 * Converts a message to its plain object. The types of callers are safe: types and field
 * descriptors are generated from the same files.
 * @param unset value of a field that is not set: null in a reply, absent in a request
 * @param over what lies over the fields, from the `rest` of a message above
 * @throws SyntaxError or RangeError if bytes are not JSON; ApiError PAYLOAD_TOO_LARGE if a request
 * has too many values
 */
export function fromMessage(
  message: protobuf.Type,
  received: Message,
  unset: 'null' | 'absent',
  count: JsonCount | null = unset === 'absent' ? { values: 0, lists: 0 } : null,
  over: Plain = {},
): Record<string, unknown> {
  const { fields, hasRest, hasGiven, isSparse } = messageShape(message);
  const { [REST]: bytes, [GIVEN]: given } = received;
  const rest = hasRest && bytes instanceof Uint8Array ? decodeJson('Struct', bytes, count) : over;
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    const field = fields.get(key);
    if (field === undefined || !liesOver(field, received[field.name], value)) define(plain, key, value);
  }
  for (const field of fields.values()) {
    const { key, name } = field;
    const value = received[name];
    const isUnset = value === undefined || value === null;
    if (!isUnset && !((hasRest || hasGiven || isSparse) && isBlank(field, value))) {
      plain[key] = decode(field, value, unset, count, rest[key]);
    } else if (hasGiven && Array.isArray(given) && given.includes(key)) {
      plain[key] = field.isRepeated ? [] : field.isMap ? {} : null;
    } else if (unset === 'null' && !isSparse && !Object.hasOwn(plain, key)) plain[key] = null;
  }
  return plain;
}

/** Whether JSON completes the messages that a field holds; else it stands in place of what it cannot hold. */
const liesOver = (field: Field, held: unknown, json: unknown): boolean =>
  field.message !== null && held !== undefined && !isBlank(field, held) && typeof json === 'object' && json !== null;

function decode(
  field: Field,
  value: unknown,
  unset: 'null' | 'absent',
  count: JsonCount | null,
  over: unknown,
): unknown {
  if (field.json === 'text') return value instanceof Uint8Array ? readText(value) : undefined;
  if (Array.isArray(value)) {
    const overItem = Array.isArray(over) ? over : [];
    return value.map((item: unknown, i) => decodeOne(field, item, unset, count, overItem[i]));
  }
  if (!field.isMap || !isObject(value)) return decodeOne(field, value, unset, count, over);
  const overEntry = isObject(over) ? over : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, decodeOne(field, item, unset, count, overEntry[key])]),
  );
}

function readText(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString();
  return text === '' ? undefined : JSON.parse(text);
}

/** One value, or one item of a list or of a map. */
export function decodeOne(
  { json, message }: Field,
  value: unknown,
  unset: 'null' | 'absent',
  count: JsonCount | null,
  over?: unknown,
): unknown {
  if (json !== null && json !== 'text' && value instanceof Uint8Array) return decodeJson(json, value, count);
  if (message === null || !isObject(value)) return value;
  const plain = fromMessage(message, value, unset, count, isObject(over) ? over : {});
  return messageShape(message).isTuple ? Object.values(plain) : plain;
}
