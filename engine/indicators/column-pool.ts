/*
 * Writing to fresh memory costs more than most indicators: the system hands out every page of 4 KiB at its first touch
 * (measured: 3 ns a bar for a new column, 0.5 for a used one). So work that keeps no column afterwards, such as rules
 * that end as masks, hands its columns back for the next series.
 */

const SPARE_BYTES_MAX = 256 * 1024 * 1024;

let spares: Float64Array[] = [];
/** Columns taken since the running `reuseColumns` began; null outside. */
let taken: Float64Array[] | null = null;

/**
 * Runs `work`; the columns that frames compute in it are used again by later calls. So neither its result nor anything
 * else may hold such a column or frame afterwards. `work` must not be asynchronous.
 */
export function reuseColumns<T>(work: () => T): T {
  if (taken !== null) return work(); // the outermost call hands them back
  taken = [];
  try {
    return work();
  } finally {
    spares = withinBytes([...taken, ...spares]);
    taken = null;
  }
}

/** A column of any content, to be written in full. */
export function takeColumn(length: number): Float64Array {
  if (taken === null) return new Float64Array(length);
  const bytes = length * Float64Array.BYTES_PER_ELEMENT;
  const fits = ({ buffer }: Float64Array) => buffer.byteLength >= bytes && buffer.byteLength <= 2 * bytes;
  const at = spares.findIndex(fits);
  const [spare] = at === -1 ? [] : spares.splice(at, 1);
  const column = spare === undefined ? new Float64Array(length) : new Float64Array(spare.buffer, 0, length);
  taken.push(column);
  return column;
}

/** The first of them, as many as the limit allows: the latest used are in the cache. */
function withinBytes(columns: readonly Float64Array[]): Float64Array[] {
  let bytes = 0;
  return columns.filter(({ buffer }) => {
    bytes += buffer.byteLength;
    return bytes <= SPARE_BYTES_MAX;
  });
}
