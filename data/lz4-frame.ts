// biome-ignore-all lint/style/noNonNullAssertion: a read past the end gives NaN or an offset that is refused

/**
 * Unpacks LZ4 frames (LZ4 Frame Format 1.6), as Arrow and Feather files compress their buffers with
 * by default. Checksums are not compared: the columns are checked as bars.
 *
 * @param bytesMax bound on the unpacked length
 * @throws Error for bytes that are no frame, are cut short or are longer than the bound
 */
export function unpackLz4Frame(input: Uint8Array, bytesMax: number): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 7 || view.getUint32(0, true) !== 0x184d2204) throw new Error('no LZ4 frame');
  const flags = input[4]!;
  const hasBlockChecksum = (flags & 0x10) !== 0;
  let at = 6 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4) + 1;
  let output = new Uint8Array(Math.min(bytesMax, Math.max(64, input.length * 4)));
  let length = 0;
  const room = (more: number): void => {
    if (length + more > bytesMax) throw new Error(`an LZ4 frame longer than ${bytesMax} bytes`);
    if (length + more <= output.length) return;
    const larger = new Uint8Array(Math.min(bytesMax, Math.max(output.length * 2, length + more)));
    larger.set(output.subarray(0, length));
    output = larger;
  };

  /** Blocks may refer to bytes of the blocks before them. */
  function unpackBlock(from: number, to: number): void {
    let i = from;
    const more = (start: number): number => {
      let count = start;
      for (let byte = start === 15 ? 255 : 0; byte === 255; count += byte) {
        if (i >= to) throw new Error('an LZ4 block cut short');
        byte = input[i++]!;
      }
      return count;
    };
    while (i < to) {
      const token = input[i++]!;
      const literals = more(token >> 4);
      if (i + literals > to) throw new Error('an LZ4 block cut short');
      room(literals);
      output.set(input.subarray(i, i + literals), length);
      length += literals;
      i += literals;
      if (i === to) return;
      if (i + 2 > to) throw new Error('an LZ4 block cut short');
      const offset = input[i]! | (input[i + 1]! << 8);
      i += 2;
      if (offset === 0 || offset > length) throw new Error('an LZ4 block that refers to nothing');
      const count = more(token & 15) + 4;
      room(count);
      // Byte by byte: a match may overlap what it writes.
      for (let k = 0; k < count; k++) output[length + k] = output[length + k - offset]!;
      length += count;
    }
  }

  for (;;) {
    if (at + 4 > input.length) throw new Error('an LZ4 frame cut short');
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) return output.subarray(0, length);
    const size = word & 0x7fffffff;
    if (at + size > input.length) throw new Error('an LZ4 frame cut short');
    if (word >>> 31 === 1) {
      room(size);
      output.set(input.subarray(at, at + size), length);
      length += size;
    } else unpackBlock(at, at + size);
    at += size + (hasBlockChecksum ? 4 : 0);
  }
}
