import protobuf from 'protobufjs';
import type { AnswerOf, MethodName, ReplyOf } from '../contract/index.js';
import { checkJsonSize } from '../service/access/index.js';
import { JsonText } from '../service/index.js';
import type { ContractMethod } from './protos.js';

/**
 * Converts between the plain objects of the use cases and the messages of the contract. They differ
 * in two ways: a field `params_json` holds the JSON of the key `params`, and a field that a message
 * leaves unset is null in a reply and absent in a request.
 */

export interface Field {
  /** Number on the wire. */
  readonly id: number;
  /** Key in the plain object. */
  readonly key: string;
  /** Key in the message. */
  readonly name: string;
  readonly isJson: boolean;
  readonly isRepeated: boolean;
  readonly message: protobuf.Type | null;
}

type Plain = Readonly<Record<string, unknown>>;

const JSON_SUFFIX = '_json';
const shapes = new WeakMap<protobuf.Type, ReadonlyMap<string, Field>>();

/** Fields of a message by plain key. */
export function shapeOf(message: protobuf.Type): ReadonlyMap<string, Field> {
  let shape = shapes.get(message);
  if (shape === undefined) {
    shape = new Map(message.fieldsArray.map(readField).map((field) => [field.key, field]));
    shapes.set(message, shape);
  }
  return shape;
}

function readField({ id, name, repeated, type, resolvedType }: protobuf.Field): Field {
  const isJson = type === 'bytes' && name.endsWith(JSON_SUFFIX);
  return {
    id,
    key: isJson ? name.slice(0, -JSON_SUFFIX.length) : name,
    name,
    isJson,
    isRepeated: repeated,
    message: resolvedType instanceof protobuf.Type ? resolvedType : null,
  };
}

/**
 * Converts a plain object to its message. Null and undefined are left out.
 * @throws Error for a key that the message does not have: every answer must fit the contract
 */
export function toMessage(message: protobuf.Type, plain: object): object {
  const shape = shapeOf(message);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(plain)) {
    const field = shape.get(key);
    if (field === undefined) throw new Error(`the message ${message.name} has no field for ${key}`);
    if (value === undefined || (value === null && !field.isJson)) continue;
    result[field.name] = encode(field, value);
  }
  return result;
}

function encode({ isJson, isRepeated, message }: Field, value: unknown): unknown {
  if (isJson) return value instanceof JsonText ? value.bytes : Buffer.from(JSON.stringify(value));
  if (message === null) return wellFormed(value);
  return isRepeated ? (value as object[]).map((item) => toMessage(message, item)) : toMessage(message, value as object);
}

/** Readers in other languages refuse a message whose texts hold half of a surrogate pair. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return Array.isArray(value) ? value.map(wellFormed) : value;
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
 * @throws SyntaxError if bytes are not JSON; ApiError PAYLOAD_TOO_LARGE if those of a request have
 *   too many values
 */
export function fromMessage(
  message: protobuf.Type,
  received: object,
  unset: 'null' | 'absent',
): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const field of shapeOf(message).values()) {
    const value = (received as Plain)[field.name];
    if (value !== undefined && value !== null) plain[field.key] = decode(field, value, unset);
    else if (unset === 'null') plain[field.key] = null;
  }
  return plain;
}

function decode({ isJson, isRepeated, message }: Field, value: unknown, unset: 'null' | 'absent'): unknown {
  if (isJson) {
    if (unset === 'absent') checkJsonSize(value as Buffer);
    const text = (value as Buffer).toString();
    return text === '' ? undefined : JSON.parse(text);
  }
  if (message === null) return value;
  return isRepeated
    ? (value as object[]).map((item) => fromMessage(message, item, unset))
    : fromMessage(message, value as object, unset);
}
