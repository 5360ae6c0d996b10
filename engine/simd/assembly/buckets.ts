/**
 * Highest high and lowest low of the bars bounds[i] .. bounds[i + 1] - 1, for every i below
 * `count`. Both lanes begin with the first bar, so `pmax(top, h)`, which is top < h ? h : top,
 * skips a NaN as the plain loop does.
 */
export function bucketExtremes(high: usize, low: usize, bounds: usize, count: i32, highs: usize, lows: usize): void {
  for (let i = 0; i < count; i++) {
    let at = <usize>load<i32>(bounds) << 3;
    const end = <usize>load<i32>(bounds + 4) << 3;
    let top = v128.load_splat<f64>(high + at);
    let bottom = v128.load_splat<f64>(low + at);
    for (; at + 16 <= end; at += 16) {
      top = f64x2.pmax(top, v128.load(high + at));
      bottom = f64x2.pmin(bottom, v128.load(low + at));
    }
    if (at < end) {
      top = f64x2.pmax(top, v128.load_splat<f64>(high + at));
      bottom = f64x2.pmin(bottom, v128.load_splat<f64>(low + at));
    }
    v128.store_lane<f64>(highs, f64x2.pmax(top, i64x2.shuffle(top, top, 1, 0)), 0);
    v128.store_lane<f64>(lows, f64x2.pmin(bottom, i64x2.shuffle(bottom, bottom, 1, 0)), 0);
    bounds += 4;
    highs += 8;
    lows += 8;
  }
}

@inline
function bound(bounds: usize, i: i32): i32 {
  return load<i32>(bounds + (<usize>i << 2));
}

/** Whether buckets i to i + 3 have `bars` bars each, as bucket i has. */
@inline
function areAlike(bounds: usize, i: i32, bars: i32): bool {
  const from = bound(bounds, i);
  const isSecond = bound(bounds, i + 2) == from + 2 * bars;
  return isSecond && bound(bounds, i + 3) == from + 3 * bars && bound(bounds, i + 4) == from + 4 * bars;
}

/**
 * Sums over the same buckets, each added from its first bar on. Four at a time where they are
 * equally long, as days mostly are.
 */
export function bucketSums(x: usize, bounds: usize, count: i32, sums: usize): void {
  let i = 0;
  while (i < count) {
    const bars = bound(bounds, i + 1) - bound(bounds, i);
    const next = <usize>bars << 3;
    let at = x + (<usize>bound(bounds, i) << 3);
    const last = at + next - 8;
    const out = sums + (<usize>i << 3);
    let a = load<f64>(at);
    if (i + 4 <= count && areAlike(bounds, i, bars)) {
      let b = load<f64>(at + next);
      let c = load<f64>(at + 2 * next);
      let d = load<f64>(at + 3 * next);
      while (at < last) {
        at += 8;
        a += load<f64>(at);
        b += load<f64>(at + next);
        c += load<f64>(at + 2 * next);
        d += load<f64>(at + 3 * next);
      }
      store<f64>(out, b, 8);
      store<f64>(out, c, 16);
      store<f64>(out, d, 24);
      i += 4;
    } else {
      while (at < last) {
        at += 8;
        a += load<f64>(at);
      }
      i++;
    }
    store<f64>(out, a);
  }
}
