const FIRST_ROOM = 64 * 1024;

/** Bytes one after another, in room that grows. */
export class ByteWriter {
  #room: Buffer;
  #view: DataView;
  #length = 0;

  /** @param room bytes that it begins with */
  constructor(room = FIRST_ROOM) {
    this.#room = Buffer.allocUnsafe(room);
    this.#view = viewOf(this.#room);
  }

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
    this.#view.setInt32(this.#length, value, true);
    this.#length += 4;
  }

  /** In place of four bytes that were written before. */
  int32At(place: number, value: number): void {
    this.#view.setInt32(place, value, true);
  }

  /** Whole numbers of up to 53 bits, in two's complement. */
  int64s(values: ArrayLike<number>): void {
    this.#need(8 * values.length);
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      this.#view.setInt32(this.#length, value, true);
      this.#view.setInt32(this.#length + 4, Math.floor(value / 2 ** 32), true);
      this.#length += 8;
    }
  }

  doubles(values: ArrayLike<number>): void {
    this.#need(8 * values.length);
    for (let i = 0; i < values.length; i++, this.#length += 8) this.#view.setFloat64(this.#length, values[i]!, true);
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
    this.#view = viewOf(room);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);
