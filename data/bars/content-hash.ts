import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import type { BarSeries } from '../../engine/series/index.js';
import { BAR_COLUMNS, namedColumns } from './columns.js';

const BLOCK_VALUES = 8_192;
const canonicalNaN = 0x7ff8_0000_0000_0000n;

/**
 * The identity of a series, independent of the file it came from. It is the SHA-256 in lower-case
 * hex over these bytes: the columns time (epoch ms), open, high, low, close and volume, one after
 * the other; then, for each further column, in the order of `inColumnOrder`, its name in ASCII and
 * the column. A column is its values as little-endian Float64, oldest first, with -0 as 0
 * and every NaN as 0x7ff8000000000000. Neither the interval nor the asset is part of it.
 *
 * For bars without further columns that is: `sha256(b"".join(column.astype("<f8").tobytes() for
 * column in columns))`.
 */
export function contentHash(bars: BarSeries): string {
  const hash = createHash('sha256');
  const block = new Float64Array(BLOCK_VALUES);
  const bits = new BigUint64Array(block.buffer);
  for (const [k, { name, values }] of namedColumns(bars).entries()) {
    if (k >= BAR_COLUMNS) hash.update(name); // tells apart the same values in two different columns
    for (let from = 0; from < values.length; from += BLOCK_VALUES) {
      const count = Math.min(BLOCK_VALUES, values.length - from);
      for (let i = 0; i < count; i++) {
        // biome-ignore lint/style/noNonNullAssertion: the loop ends at the length
        const value = values[from + i]!;
        if (Number.isNaN(value)) bits[i] = canonicalNaN;
        else block[i] = value + 0;
      }
      const bytes = Buffer.from(block.buffer, 0, count * 8);
      hash.update(endianness() === 'LE' ? bytes : bytes.swap64());
    }
  }
  return hash.digest('hex');
}
