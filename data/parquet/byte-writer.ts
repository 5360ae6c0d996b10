import { endianness } from 'node:os';

const FIRST_ROOM = 64 * 1024;
const isLittleEndian = endianness() === 'LE';

/** Bytes one after another, in room that grows. */
export class ByteWriter {
  #room = Buffer.allocUnsafe(FIRST_ROOM);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was written, valid until the next write. */
  get written(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#need(1);
    this.#room[this.#length++] = value;
  }

  /** Little-endian, as everything that Parquet gives a fixed width. */
  int32(value: number): void {
    this.#need(4);
    this.#length = this.#room.writeInt32LE(value | 0, this.#length);
  }

  /** In place of four bytes that were written before. */
  int32At(place: number, value: number): void {
    this.#room.writeInt32LE(value, place);
  }

  /** Whole numbers of up to 53 bits, in two's complement. */
  int64s(values: ArrayLike<number>): void {
    this.#need(8 * values.length);
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      this.#room.writeInt32LE(value | 0, this.#length);
      this.#length = this.#room.writeInt32LE(Math.floor(value / 2 ** 32), this.#length + 4);
    }
  }

  doubles(values: ArrayLike<number>): void {
    const { buffer, byteOffset, byteLength } = Float64Array.from(values);
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.bytes(isLittleEndian ? bytes : bytes.swap64());
  }

  /** Seven bits a byte, the lowest first; of a whole number from 0 to 2^53. */
  varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 128);
    this.byte(rest);
  }

  bytes(values: Uint8Array): void {
    this.#need(values.length);
    this.#room.set(values, this.#length);
    this.#length += values.length;
  }

  /** UTF-8 after its length in 32 bits. */
  text(value: string): void {
    this.#need(4 + 3 * value.length);
    const length = this.#room.write(value, this.#length + 4);
    this.int32(length);
    this.#length += length;
  }

  #need(count: number): void {
    const least = this.#length + count;
    if (least <= this.#room.length) return;
    const room = Buffer.allocUnsafe(Math.max(least, 2 * this.#room.length));
    room.set(this.written);
    this.#room = room;
  }
}
