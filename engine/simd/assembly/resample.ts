/*
 * The loops of statistics/stationary-bootstrap.ts, statistics/resample-means.ts and
 * statistics/lucky-maxima.ts.
 */

/** What a draw adds to the state of the generator of statistics/random.ts. */
const STEP: u64 = 0x9e3779b97f4a7c15;

/** A draw from a state, uniform in [0, 1). */
@inline
function uniformOf(state: u64): f64 {
  let mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return <f64>((mixed ^ (mixed >> 31)) >> 11) / 9007199254740992.0;
}

/**
 * Writes the indices of one resample in blocks, 32-bit integers.
 *
 * @returns the state of the generator after it
 */
export function drawBlocks(state: u64, length: i32, startChance: f64, count: i32, out: usize): u64 {
  let index = 0;
  const end = out + (<usize>count << 2);
  for (let at = out; at < end; at += 4) {
    let isStart = at == out;
    if (!isStart) {
      state += STEP;
      isStart = uniformOf(state) < startChance;
    }
    if (isStart) {
      state += STEP;
      index = <i32>(uniformOf(state) * <f64>length);
    } else {
      index = index + 1 == length ? 0 : index + 1;
    }
    store<i32>(at, index);
  }
  return state;
}

/**
 * Means as sums of weighted returns, four rows and four resamples at a time, each in the order of
 * the plain loop.
 *
 * @param rows single-precision values, row after row; a multiple of four rows
 * @param weights tiles of four resamples, see `Resamples`
 * @param count resamples, a multiple of four
 */
export function resampleMeans(rows: usize, rowCount: i32, periodCount: i32, weights: usize, count: i32, means: usize): void {
  const rowBytes = <usize>periodCount << 2;
  const outBytes = <usize>count << 3;
  for (let row = 0; row < rowCount; row += 4) {
    let w = weights;
    const from = rows + <usize>row * rowBytes;
    for (let b = 0; b < count; b += 4) {
      let a0 = f64x2.splat(0);
      let a1 = a0;
      let b0 = a0;
      let b1 = a0;
      let c0 = a0;
      let c1 = a0;
      let d0 = a0;
      let d1 = a0;
      for (let x = from; x < from + rowBytes; x += 4, w += 32) {
        const w0 = v128.load(w);
        const w1 = v128.load(w, 16);
        const a = f64x2.splat(<f64>load<f32>(x));
        const bb = f64x2.splat(<f64>load<f32>(x + rowBytes));
        const c = f64x2.splat(<f64>load<f32>(x + 2 * rowBytes));
        const d = f64x2.splat(<f64>load<f32>(x + 3 * rowBytes));
        a0 = f64x2.add(a0, f64x2.mul(a, w0));
        a1 = f64x2.add(a1, f64x2.mul(a, w1));
        b0 = f64x2.add(b0, f64x2.mul(bb, w0));
        b1 = f64x2.add(b1, f64x2.mul(bb, w1));
        c0 = f64x2.add(c0, f64x2.mul(c, w0));
        c1 = f64x2.add(c1, f64x2.mul(c, w1));
        d0 = f64x2.add(d0, f64x2.mul(d, w0));
        d1 = f64x2.add(d1, f64x2.mul(d, w1));
      }
      const out = means + <usize>row * outBytes + (<usize>b << 3);
      v128.store(out, a0);
      v128.store(out, a1, 16);
      v128.store(out + outBytes, b0);
      v128.store(out + outBytes, b1, 16);
      v128.store(out + 2 * outBytes, c0);
      v128.store(out + 2 * outBytes, c1, 16);
      v128.store(out + 3 * outBytes, d0);
      v128.store(out + 3 * outBytes, d1, 16);
    }
  }
}

/**
 * Means of eight rows from their running totals: a resample is a list of stretches of periods, and
 * the sum of a stretch is the difference of two totals.
 *
 * @param totals of eight rows beside each other, before each period and after the last
 * @param edges per stretch, offsets of the totals before and after it, 32-bit integers
 * @param ends per resample, offset in `edges` of the end of its stretches
 * @param means eight rows of `count` values
 */
export function resampleStretches(
  totals: usize,
  edges: usize,
  ends: usize,
  count: i32,
  periodCount: f64,
  means: usize,
): void {
  const outBytes = <usize>count << 3;
  const periods = f64x2.splat(periodCount);
  let at = edges;
  for (let b = 0; b < count; b++) {
    const end = edges + <usize>load<i32>(ends + (<usize>b << 2));
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (; at < end; at += 8) {
      const from = totals + <usize>load<i32>(at);
      const to = totals + <usize>load<i32>(at, 4);
      s0 = f64x2.add(s0, f64x2.sub(v128.load(to), v128.load(from)));
      s1 = f64x2.add(s1, f64x2.sub(v128.load(to, 16), v128.load(from, 16)));
      s2 = f64x2.add(s2, f64x2.sub(v128.load(to, 32), v128.load(from, 32)));
      s3 = f64x2.add(s3, f64x2.sub(v128.load(to, 48), v128.load(from, 48)));
    }
    const out = means + (<usize>b << 3);
    storeLanes(out, outBytes, f64x2.div(s0, periods));
    storeLanes(out + 2 * outBytes, outBytes, f64x2.div(s1, periods));
    storeLanes(out + 4 * outBytes, outBytes, f64x2.div(s2, periods));
    storeLanes(out + 6 * outBytes, outBytes, f64x2.div(s3, periods));
  }
}

@inline
function storeLanes(out: usize, stride: usize, values: v128): void {
  store<f64>(out, f64x2.extract_lane(values, 0));
  store<f64>(out + stride, f64x2.extract_lane(values, 1));
}

/**
 * Raises three maxima per resample: (value - shift) times `widening`, times `scale` plus `offset`,
 * and times `scale`.
 *
 * @param count even
 */
export function raiseMaxima(
  values: usize,
  count: i32,
  shift: f64,
  widening: f64,
  means: usize,
  scale: f64,
  offset: f64,
  superior: usize,
  rest: usize,
): void {
  const shifts = f64x2.splat(shift);
  const widenings = f64x2.splat(widening);
  const scales = f64x2.splat(scale);
  const offsets = f64x2.splat(offset);
  const bytes = <usize>count << 3;
  for (let x: usize = 0; x < bytes; x += 16) {
    const apart = f64x2.sub(v128.load(values + x), shifts);
    const scaled = f64x2.mul(apart, scales);
    raiseTo(means + x, f64x2.mul(apart, widenings));
    raiseTo(superior + x, f64x2.add(scaled, offsets));
    raiseTo(rest + x, scaled);
  }
}

@inline
function raiseTo(at: usize, values: v128): void {
  v128.store(at, f64x2.pmax(v128.load(at), values));
}
