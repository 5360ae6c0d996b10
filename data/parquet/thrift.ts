import type { ByteWriter } from './byte-writer.js';

/**
 * Values in Thrift's compact protocol, in which Parquet keeps its metadata; only what that needs.
 * @see https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export interface Thrift {
  /** Four bits that stand before it. */
  readonly type: number;
  write(out: ByteWriter): void;
}

const SHORT_LIST_MAX = 14;

const number = (type: number, value: number): Thrift => ({ type, write: (out) => out.varint(2 * value) }); // zigzag

/** Neither is ever negative here. */
export const int32 = (value: number): Thrift => number(5, value);
export const int64 = (value: number): Thrift => number(6, value);

/** A flag is in its type. */
export const flag = (value: boolean): Thrift => ({ type: value ? 1 : 2, write: () => {} });

export const text = (value: string): Thrift => ({
  type: 8,
  write(out) {
    const bytes = Buffer.from(value);
    out.varint(bytes.length);
    out.bytes(bytes);
  },
});

/** Of values of one type, at least one. */
export const list = (values: readonly Thrift[]): Thrift => ({
  type: 9,
  write(out) {
    const { length } = values;
    const { type } = values[0]!;
    out.byte((Math.min(length, SHORT_LIST_MAX + 1) << 4) | type);
    if (length > SHORT_LIST_MAX) out.varint(length);
    for (const value of values) value.write(out);
  },
});

/** By the number of the field. */
export const struct = (fields: Readonly<Record<number, Thrift>>): Thrift => ({
  type: 12,
  write(out) {
    let last = 0;
    for (const [key, value] of Object.entries(fields)) {
      const id = Number(key); // ascending, as whole numbers are in an object
      out.byte(((id - last) << 4) | value.type);
      value.write(out);
      last = id;
    }
    out.byte(0);
  },
});
