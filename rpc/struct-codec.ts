import protobuf from 'protobufjs';
import { checkJsonCount, type JsonCount } from '../service/access/index.js';
import { ApiError } from '../service/api-error.js';

/**
 * JSON as `google.protobuf.Struct`, `Value` and `ListValue` on the wire. The generic codec would
 * build three objects for every value; requests have hundreds of thousands of them.
 */
export type JsonKind = 'Struct' | 'Value' | 'ListValue';

type Json = Readonly<Record<string, unknown>>;

/* Fields of the three messages. */
const [ENTRY, KEY, ENTRY_VALUE, ITEM] = [1, 1, 2, 1];
const [NULL, NUMBER, TEXT, FLAG, OBJECT, LIST] = [1, 2, 3, 4, 5, 6];
const [VARINT, FIXED64, DELIMITED] = [0, 1, 2];
const tag = (field: number, type: number): number => (field << 3) | type;

/**
 * Bytes of a value of JSON. What JSON has no words for is left out of objects, and null in lists.
 * @param isRequest keeps numbers that are not finite, such as 1e999, for the service to refuse: as
 *   null they would take a default in silence
 */
export function encodeJson(kind: JsonKind, value: unknown, isRequest = false): Uint8Array {
  const numbers = kind === 'ListValue' ? numberBytes(value as readonly unknown[], isRequest) : null;
  if (numbers !== null) return numbers;
  const writer = protobuf.Writer.create();
  if (kind === 'Struct') writeObject(writer, value as object, isRequest);
  else if (kind === 'ListValue') writeList(writer, value as readonly unknown[], isRequest);
  else writeValue(writer, value, isRequest);
  return writer.finish();
}

function writeObject(writer: protobuf.Writer, object: object, isRequest: boolean): void {
  for (const [key, given] of Object.entries(object)) {
    const value = json(given);
    if (value === undefined) continue;
    writer.uint32(tag(ENTRY, DELIMITED)).fork();
    writer.uint32(tag(KEY, DELIMITED)).string(key);
    writer.uint32(tag(ENTRY_VALUE, DELIMITED)).fork();
    writeValue(writer, value, isRequest);
    writer.ldelim().ldelim();
  }
}

function writeList(writer: protobuf.Writer, list: readonly unknown[], isRequest: boolean): void {
  for (const item of list) {
    writer.uint32(tag(ITEM, DELIMITED)).fork();
    writeValue(writer, item, isRequest);
    writer.ldelim();
  }
}

const NUMBER_BYTES = 8;
/** An item with a number: its tag and length, the tag of the number, and the number. */
const NUMBER_ITEM_BYTES = 3 + NUMBER_BYTES;
const isNumberOrNull = (item: unknown): item is number | null => typeof item === 'number' || item === null;

/**
 * Bytes of a list of numbers and nulls, because the writer would make six objects for each item;
 * null for a list with other items.
 */
function numberBytes(list: readonly unknown[], isRequest: boolean): Buffer | null {
  if (!list.every(isNumberOrNull)) return null;
  const bytes = Buffer.allocUnsafe(NUMBER_ITEM_BYTES * list.length);
  let end = 0;
  for (const item of list) {
    bytes[end++] = tag(ITEM, DELIMITED);
    if (item !== null && (isRequest || Number.isFinite(item))) {
      bytes[end++] = 1 + NUMBER_BYTES;
      bytes[end++] = tag(NUMBER, FIXED64);
      end = bytes.writeDoubleLE(item, end);
    } else {
      bytes[end++] = 2;
      bytes[end++] = tag(NULL, VARINT);
      bytes[end++] = 0;
    }
  }
  return bytes.subarray(0, end);
}

function writeValue(writer: protobuf.Writer, given: unknown, isRequest: boolean): void {
  const value = json(given);
  const isNumber = typeof value === 'number' && (isRequest || Number.isFinite(value));
  if (isNumber) writer.uint32(tag(NUMBER, FIXED64)).double(value);
  else if (typeof value === 'string') writer.uint32(tag(TEXT, DELIMITED)).string(value);
  else if (typeof value === 'boolean') writer.uint32(tag(FLAG, VARINT)).bool(value);
  else if (Array.isArray(value)) {
    writer.uint32(tag(LIST, DELIMITED));
    const numbers = numberBytes(value, isRequest);
    if (numbers !== null) writer.bytes(numbers);
    else {
      writeList(writer.fork(), value, isRequest);
      writer.ldelim();
    }
  } else if (typeof value === 'object' && value !== null) {
    writer.uint32(tag(OBJECT, DELIMITED)).fork();
    writeObject(writer, value, isRequest);
    writer.ldelim();
  } else writer.uint32(tag(NULL, VARINT)).uint32(0);
}

/** An object that says what it is in JSON, such as a time, is that. */
function json(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  const { toJSON } = value as { readonly toJSON?: () => unknown };
  return typeof toJSON === 'function' ? toJSON.call(value) : value;
}

/** Deeper than any request that the service accepts; its check names the depth. */
const DEPTH_MAX = 100;

/**
 * The JSON in these bytes.
 * @param count of all JSON of a request so far; null for a reply, which may be of any size
 * @throws ApiError PAYLOAD_TOO_LARGE; VALIDATION_ERROR if the bytes nest too deep; RangeError if
 *   they are no such message
 */
export function decodeJson(kind: 'Struct', bytes: Uint8Array, count: JsonCount | null): Json;
export function decodeJson(kind: JsonKind, bytes: Uint8Array, count: JsonCount | null): unknown;
export function decodeJson(kind: JsonKind, bytes: Uint8Array, count: JsonCount | null): unknown {
  const reader = protobuf.Reader.create(bytes);
  if (kind === 'Struct') return readObject(reader, reader.len, count, 0);
  return kind === 'ListValue' ? readList(reader, reader.len, count, 0) : readValue(reader, reader.len, count, 0);
}

function readObject(reader: protobuf.Reader, end: number, count: JsonCount | null, depth: number): Json {
  enter(count, depth);
  const object: Record<string, unknown> = {};
  while (reader.pos < end) {
    if (reader.uint32() !== tag(ENTRY, DELIMITED)) throw new RangeError('not a Struct');
    const entryEnd = reader.uint32() + reader.pos;
    let key = '';
    let value: unknown = null;
    while (reader.pos < entryEnd) {
      const head = reader.uint32();
      if (head === tag(KEY, DELIMITED)) key = reader.string();
      else if (head === tag(ENTRY_VALUE, DELIMITED))
        value = readValue(reader, reader.uint32() + reader.pos, count, depth);
      else reader.skipType(head & 7);
    }
    // Assigned, this key would set the prototype, and later checks could not see it.
    if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
    else object[key] = value;
  }
  return object;
}

function readList(reader: protobuf.Reader, end: number, count: JsonCount | null, depth: number): unknown[] {
  enter(count, depth);
  const list: unknown[] = [];
  while (reader.pos < end) {
    if (reader.uint32() !== tag(ITEM, DELIMITED)) throw new RangeError('not a ListValue');
    list.push(readValue(reader, reader.uint32() + reader.pos, count, depth));
  }
  return list;
}

function readValue(reader: protobuf.Reader, end: number, count: JsonCount | null, depth: number): unknown {
  let value: unknown = null;
  if (count !== null) {
    count.values++;
    checkJsonCount(count);
  }
  while (reader.pos < end) {
    const head = reader.uint32();
    if (head === tag(NUMBER, FIXED64)) value = reader.double();
    else if (head === tag(TEXT, DELIMITED)) value = reader.string();
    else if (head === tag(FLAG, VARINT)) value = reader.bool();
    else if (head === tag(OBJECT, DELIMITED))
      value = readObject(reader, reader.uint32() + reader.pos, count, depth + 1);
    else if (head === tag(LIST, DELIMITED)) value = readList(reader, reader.uint32() + reader.pos, count, depth + 1);
    else reader.skipType(head & 7);
  }
  return value;
}

function enter(count: JsonCount | null, depth: number): void {
  if (count !== null) {
    count.lists++;
    checkJsonCount(count);
  }
  if (depth > DEPTH_MAX) throw new ApiError('VALIDATION_ERROR', `request must nest at most ${DEPTH_MAX} levels deep`);
}
