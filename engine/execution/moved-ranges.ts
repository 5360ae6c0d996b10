/**
 * Ranges of an equity curve in which a value may differ from the one before, as pairs of first and
 * one past the last, ascending and disjoint. The curve is flat elsewhere, so the cost of measuring
 * it follows the bars held, not the length of the run.
 */
export class MovedRanges {
  private bounds = new Int32Array(64);
  /** Entries of `bounds` in use; the last one ends the latest range. */
  private count = 2;

  /** The first value always counts as moved: the value before it is not on the curve. */
  constructor() {
    this.bounds[1] = 1;
  }

  /** Adds values `from` to `to` (exclusive); no range may begin before an earlier one. */
  add(from: number, to: number): void {
    if (from <= this.bounds[this.count - 1]) {
      this.bounds[this.count - 1] = Math.max(this.bounds[this.count - 1], to);
      return;
    }
    if (this.count === this.bounds.length) {
      const { bounds } = this;
      this.bounds = new Int32Array(2 * bounds.length);
      this.bounds.set(bounds);
    }
    this.bounds[this.count++] = from;
    this.bounds[this.count++] = to;
  }

  /** The ranges; the last is cut off at `length`. */
  finish(length: number): Int32Array {
    const ranges = this.bounds.subarray(0, this.count);
    if (ranges[this.count - 1] > length) ranges[this.count - 1] = length;
    return ranges;
  }
}
