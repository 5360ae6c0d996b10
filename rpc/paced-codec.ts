import protobuf from 'protobufjs';
import { type MessageFacts, type MethodName, messageFacts, type ReceivedOf } from '../contract/index.js';
import { checkPlain } from '../service/access/index.js';
import { ApiError } from '../service/api-error.js';
import { inTurn, JsonText, Pace, pacedJson, unknownKeys, unknownKeyText } from '../service/index.js';
import {
  decodeOne,
  encodeFields,
  encodeOne,
  type Field,
  fromMessage,
  type Leave,
  messageShape,
  overItems,
  toMessage,
  UNFIT,
} from './codec.js';
import { type ContractMethod, deserializer, type Message, serializer } from './protos.js';

/**
 * The conversions of the codec for large messages: piece by piece, with turns of the event loop in
 * between. A message on the wire is the same in pieces as in one, in any order.
 */

/** Smaller messages are converted at once, in a few ms. */
const BYTES_AT_ONCE = 65_536;
/** Items of lists, at all depths, above which an answer is converted in pieces. */
const ITEMS_AT_ONCE = 1_000;
/** Type of a field on the wire whose length precedes its value. */
const LENGTH_DELIMITED = 2;

/** Bytes of a plain object. @param isRequest as for `toMessage`, which says what it throws too */
export function encodePaced(message: protobuf.Type, plain: object, isRequest = false): Promise<Buffer> | Buffer {
  if (!isLong(plain)) return serializer(message)(toMessage(message, plain, isRequest));
  return encodePieces(message, plain, { isRequest, leave: null }, new Pace());
}

interface Encoding {
  readonly isRequest: boolean;
  /** As for `encodeFields`. */
  readonly leave: Leave | null;
}

async function encodePieces(message: protobuf.Type, plain: object, { isRequest, leave }: Encoding, pace: Pace) {
  const { fields, hasRest } = messageShape(message);
  const [lists, others, rest]: [Uint8Array[][], Record<string, unknown>, Record<string, unknown>] = [[], {}, {}];
  for (const [key, value] of Object.entries(plain)) {
    const field = fields.get(key);
    if (field?.json === 'text' && isLong({ value })) others[key] = new JsonText(Buffer.concat(await pacedJson(value)));
    else if (isListOfMessages(field) && Array.isArray(value) && value.length > 0) {
      const left: object[] = [];
      const leaveOne = hasRest || leave !== null ? (over: object, i: number) => (left[i] = over) : null;
      const items = await encodeItems(field, value, isRequest, leaveOne, pace);
      if (items === null) others[key] = value;
      else {
        lists.push(items);
        if (left.length > 0) rest[key] = overItems(left);
      }
    } else others[key] = value;
  }
  const encode = () => serializer(message)(encodeFields(message, others, isRequest, leave, rest));
  return Buffer.concat([[await undivided(isLong(others), encode)], ...lists].flat());
}

/** Converts what has no pieces, in a turn of its own where it is long. */
const undivided = <T>(isLong: boolean, convert: () => T): Promise<T> | T => (isLong ? inTurn(convert) : convert());

const isListOfMessages = (field: Field | undefined): field is Field =>
  field?.isRepeated === true && (field.message !== null || field.json !== null);

/** The items with their heads; null if the field cannot hold one of them. */
async function encodeItems(
  field: Field,
  list: readonly unknown[],
  isRequest: boolean,
  leave: ((left: object, item: number) => void) | null,
  pace: Pace,
) {
  const pieces: Uint8Array[] = [];
  for (const [i, item] of list.entries()) {
    const leaveOne = leave && ((left: object) => leave(left, i));
    // An array is no message; `encodeOne` says so.
    const isPaced = field.message !== null && !Array.isArray(item) && isLong({ item });
    const one = isPaced ? item : encodeOne(field, item, isRequest, leaveOne);
    if (one === UNFIT) return null;
    const bytes =
      one instanceof Uint8Array
        ? one
        : isPaced
          ? await encodePieces(field.message, one as object, { isRequest, leave: leaveOne }, pace)
          : serializer(field.message as protobuf.Type)(one as object);
    pieces.push(head(field, bytes.length), bytes);
    if (pace.isDue) await pace.rest();
  }
  return pieces;
}

const head = ({ id }: Field, length: number): Uint8Array =>
  protobuf.Writer.create()
    .uint32((id << 3) | LENGTH_DELIMITED)
    .uint32(length)
    .finish();

/** Whether lists of an object have many items. It looks at no more of them than it needs. */
function isLong(value: object): boolean {
  let left = ITEMS_AT_ONCE;
  const look = (inner: unknown): boolean => {
    if (typeof inner !== 'object' || inner === null || Buffer.isBuffer(inner) || inner instanceof JsonText)
      return false;
    if (Array.isArray(inner)) left -= inner.length;
    if (left < 0) return true;
    for (const item of Array.isArray(inner) ? inner : Object.values(inner)) if (look(item)) return true;
    return false;
  };
  return look(value);
}

/** The plain object of a reply. @param jsonAsText leaves large JSON as it came, in a `JsonText` */
export async function decodePaced(
  message: protobuf.Type,
  bytes: Buffer,
  jsonAsText: boolean,
): Promise<Record<string, unknown>> {
  if (bytes.length <= BYTES_AT_ONCE) return fromMessage(message, deserializer(message)(bytes), 'null');
  return decodePieces(message, bytes, jsonAsText, new Pace());
}

async function decodePieces(message: protobuf.Type, bytes: Buffer, jsonAsText: boolean, pace: Pace) {
  const shape = messageShape(message);
  if (shape.hasRest) return undivided(true, () => fromMessage(message, deserializer(message)(bytes), 'null'));
  const fields = new Map([...shape.fields.values()].map((field) => [field.id, field]));
  const lists = new Map<Field, Buffer[]>();
  const texts = new Map<Field, Buffer>();
  const rest: Buffer[] = [];
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const tag = reader.uint32();
    const field = fields.get(tag >>> 3);
    if ((tag & 7) === LENGTH_DELIMITED && isListOfMessages(field)) {
      const items = lists.get(field) ?? [];
      lists.set(field, items);
      items.push(reader.bytes() as Buffer);
    } else {
      reader.skipType(tag & 7);
      const whole = bytes.subarray(from, reader.pos);
      if (jsonAsText && field?.json === 'text' && whole.length > BYTES_AT_ONCE) texts.set(field, jsonIn(whole));
      else rest.push(whole);
    }
  }
  const others = Buffer.concat(rest);
  const plain = await undivided(others.length > BYTES_AT_ONCE, () =>
    fromMessage(message, deserializer(message)(others), 'null'),
  );
  for (const [{ key }, text] of texts) plain[key] = new JsonText(text);
  for (const [field, items] of lists) {
    const { key, message: item } = field;
    const read: unknown[] = [];
    for (const one of items) {
      read.push(
        item !== null && one.length > BYTES_AT_ONCE
          ? await decodePieces(item, one, jsonAsText, pace)
          : decodeOne(field, item === null ? one : deserializer(item)(one), 'null', null),
      );
      if (pace.isDue) await pace.rest();
    }
    plain[key] = read;
  }
  return plain;
}

/** The value of a field with its head. */
function jsonIn(field: Buffer): Buffer {
  const reader = protobuf.Reader.create(field);
  reader.uint32();
  return reader.bytes() as Buffer;
}

/** Most fields of a request, at all depths. Each costs far more than its two bytes. */
export const FIELDS_MAX = 50_000;

/**
 * Refuses a message of so many fields that decoding it would hold up other calls.
 * @throws ApiError PAYLOAD_TOO_LARGE
 */
export function checkMessageSize(message: protobuf.Type, bytes: Uint8Array): void {
  if (bytes.length > FIELDS_MAX) countFields(message, bytes, 0); // a field takes a byte at least
}

function countFields({ fieldsById }: protobuf.Type, bytes: Uint8Array, before: number): number {
  let count = before;
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = fieldsById[tag >>> 3];
    count++;
    if ((tag & 7) === LENGTH_DELIMITED && field !== undefined) {
      const value = reader.bytes();
      if (field.resolvedType instanceof protobuf.Type) count = countFields(field.resolvedType, value, count);
      else if (field.repeated && field.type in protobuf.types.packed) count += value.length;
    } else reader.skipType(tag & 7);
    if (count > FIELDS_MAX) {
      throw new ApiError('PAYLOAD_TOO_LARGE', `a request may have at most ${FIELDS_MAX} fields, had more`, {
        limit: FIELDS_MAX,
      });
    }
  }
  return count;
}

/**
 * The plain object that the use case of a method takes. The cast is safe: types and field
 * descriptors are generated from the same files.
 * @throws ApiError PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
export function readRequest<M extends MethodName>(method: ContractMethod<M>, bytes: Buffer): ReceivedOf<M> {
  const request = decode(method, bytes);
  checkPlain(request);
  checkKeys(method.request, request);
  return request as ReceivedOf<M>;
}

function decode({ request, definition }: ContractMethod, bytes: Buffer): object {
  let message: Message;
  try {
    checkMessageSize(request, bytes);
    message = definition.requestDeserialize(bytes);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('VALIDATION_ERROR', `the message is not a ${request.name}`);
  }
  try {
    return fromMessage(request, message, 'absent');
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new ApiError('VALIDATION_ERROR', `the message is not a ${request.name}: ${error.message}`);
  }
}

/**
 * Refuses what the field `rest` of a request may bring, but no use case would read: a key that the
 * message does not declare, and one that belongs elsewhere. REST names the first in a header, and
 * refuses the second before it calls.
 */
function checkKeys({ name }: ContractMethod['request'], request: object): void {
  const { fields } = messageFacts[name] as MessageFacts;
  const [unknown] = unknownKeys(name, request, Object.keys(fields));
  if (unknown !== undefined) throw new ApiError('VALIDATION_ERROR', unknownKeyText(unknown), { field: unknown.key });
  for (const field of Object.keys(request)) {
    const refused = fields[field]?.refused;
    if (refused !== undefined) throw new ApiError('VALIDATION_ERROR', `${field}: ${refused}`, { field });
  }
}
