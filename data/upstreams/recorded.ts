/** Recorded values, one a time. */
interface RecordedValues {
  /** Epoch ms, ascending. */
  readonly time: Float64Array;
  readonly value: Float64Array;
}

/** Reads a recorded series, or returns what it read before. */
export type RecordedSource = () => Promise<RecordedValues>;

export function readOnce(read: RecordedSource): RecordedSource {
  let values: Promise<RecordedValues> | null = null;
  return () => {
    values ??= read();
    return values;
  };
}

/** The last value at or before a time; null if there is none, or if it is older than `maxAgeMs`. */
export function valueAt({ time, value }: RecordedValues, atMs: number, maxAgeMs: number): number | null {
  let [from, to] = [0, time.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((time[middle] ?? Infinity) <= atMs) from = middle + 1;
    else to = middle;
  }
  return atMs - (time[from - 1] ?? -Infinity) > maxAgeMs ? null : (value[from - 1] ?? null);
}
