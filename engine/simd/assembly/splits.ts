/*
 * The loops of statistics/split-ranks.ts over a few rows, two at a time. Every split has two halves
 * `a` and `b`, and each is the sample once.
 */

/** Bytes of a half: two offsets into the sums, and the least value of a row without deviation. */
const HALF_BYTES: usize = 24;

/**
 * sum |sum| / squares of two rows in one half, which orders rows as their Sharpe ratios do; 0
 * without deviation.
 *
 * @param one,other sums in both unions
 */
@inline
function valuesOf(one: usize, other: usize, squares: usize, bound: v128): v128 {
  const sum = f64x2.add(v128.load(one), v128.load(other));
  const square = f64x2.add(v128.load(one + squares), v128.load(other + squares));
  const value = f64x2.div(f64x2.mul(sum, f64x2.abs(sum)), square);
  return v128.andnot(value, f64x2.ge(f64x2.abs(value), bound));
}

@inline
function union(sums: usize, half: usize, k: usize): usize {
  return sums + <usize>load<f64>(half + (k << 3));
}

/** Raises the best of a half, and keeps what the same row has in the other half. */
@inline
function raise(best: usize, partner: usize, value: f64, other: f64): void {
  if (value > load<f64>(best)) {
    store<f64>(best, value);
    store<f64>(partner, other);
  }
}

/**
 * @param sums of `rowCount` rows per union, then their sums of squares
 * @param squares bytes from the sums to the sums of squares
 * @param rowCount even
 * @param best per half, the best value so far
 * @param partners per half, the value that the best row has in the other half
 */
export function splitBests(
  sums: usize,
  squares: usize,
  rowCount: i32,
  halves: usize,
  halfCount: i32,
  best: usize,
  partners: usize,
): void {
  const bytes = <usize>rowCount << 3;
  for (let k = 0; k < halfCount; k += 2) {
    const half = halves + <usize>k * HALF_BYTES;
    const at = best + (<usize>k << 3);
    const partner = partners + (<usize>k << 3);
    const a1 = union(sums, half, 0);
    const a2 = union(sums, half, 1);
    const aBound = v128.load64_splat(half, 16);
    const b1 = union(sums, half, 3);
    const b2 = union(sums, half, 4);
    const bBound = v128.load64_splat(half, 40);
    let bestA = v128.load64_splat(at);
    let bestB = v128.load64_splat(at, 8);
    for (let x: usize = 0; x < bytes; x += 16) {
      const a = valuesOf(a1 + x, a2 + x, squares, aBound);
      const b = valuesOf(b1 + x, b2 + x, squares, bBound);
      if (v128.any_true(v128.or(f64x2.gt(a, bestA), f64x2.gt(b, bestB)))) {
        raise(at, partner, f64x2.extract_lane(a, 0), f64x2.extract_lane(b, 0));
        raise(at, partner, f64x2.extract_lane(a, 1), f64x2.extract_lane(b, 1));
        raise(at + 8, partner + 8, f64x2.extract_lane(b, 0), f64x2.extract_lane(a, 0));
        raise(at + 8, partner + 8, f64x2.extract_lane(b, 1), f64x2.extract_lane(a, 1));
        bestA = v128.load64_splat(at);
        bestB = v128.load64_splat(at, 8);
      }
    }
  }
}

/**
 * Counts the rows that are below and equal to the best row of each half in the other half.
 *
 * @param partners see `splitBests`
 * @param below,equal counts per half, added to
 */
export function splitRanks(
  sums: usize,
  squares: usize,
  rowCount: i32,
  halves: usize,
  halfCount: i32,
  partners: usize,
  below: usize,
  equal: usize,
): void {
  const bytes = <usize>rowCount << 3;
  for (let k = 0; k < halfCount; k += 2) {
    const half = halves + <usize>k * HALF_BYTES;
    const at = <usize>k << 3;
    const inB = v128.load64_splat(partners + at); // of the best row in a
    const inA = v128.load64_splat(partners + at, 8);
    const a1 = union(sums, half, 0);
    const a2 = union(sums, half, 1);
    const aBound = v128.load64_splat(half, 16);
    const b1 = union(sums, half, 3);
    const b2 = union(sums, half, 4);
    const bBound = v128.load64_splat(half, 40);
    let belowB = i64x2.splat(0);
    let equalB = belowB;
    let belowA = belowB;
    let equalA = belowB;
    for (let x: usize = 0; x < bytes; x += 16) {
      const a = valuesOf(a1 + x, a2 + x, squares, aBound);
      const b = valuesOf(b1 + x, b2 + x, squares, bBound);
      belowB = i64x2.sub(belowB, f64x2.lt(b, inB));
      equalB = i64x2.sub(equalB, f64x2.eq(b, inB));
      belowA = i64x2.sub(belowA, f64x2.lt(a, inA));
      equalA = i64x2.sub(equalA, f64x2.eq(a, inA));
    }
    add(below + at, belowB);
    add(equal + at, equalB);
    add(below + at + 8, belowA);
    add(equal + at + 8, equalA);
  }
}

@inline
function add(at: usize, counts: v128): void {
  store<f64>(at, load<f64>(at) + <f64>(i64x2.extract_lane(counts, 0) + i64x2.extract_lane(counts, 1)));
}
