/** 32 answers to left > right, or left >= right, as the bits of one word. */
@inline
function word(isStrict: bool, left: usize, right: usize): i32 {
  let bits: i32 = 0;
  for (let k = 0; k < 32; k += 2) {
    const a = v128.load(left + (<usize>k << 3));
    const b = v128.load(right + (<usize>k << 3));
    bits |= i64x2.bitmask(isStrict ? f64x2.gt(a, b) : f64x2.ge(a, b)) << k;
  }
  return bits;
}

/**
 * Words of 32 comparisons. `leftStep` and `rightStep` are the bytes to advance after a word: 256
 * for a column, 0 for 32 copies of a constant.
 */
@inline
function compare(isStrict: bool, left: usize, leftStep: i32, right: usize, rightStep: i32, words: i32, out: usize): void {
  for (let w = 0; w < words; w++) {
    store<i32>(out, word(isStrict, left, right));
    left += leftStep;
    right += rightStep;
    out += 4;
  }
}

export function greater(left: usize, leftStep: i32, right: usize, rightStep: i32, words: i32, out: usize): void {
  compare(true, left, leftStep, right, rightStep, words, out);
}

export function greaterOrEqual(left: usize, leftStep: i32, right: usize, rightStep: i32, words: i32, out: usize): void {
  compare(false, left, leftStep, right, rightStep, words, out);
}
