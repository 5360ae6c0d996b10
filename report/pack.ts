/** Bytes of a column in base64, for the script of a page. */
export const packFloats = (column: Float32Array): string =>
  Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64');
