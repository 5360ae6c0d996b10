/*
 * The loop of statistics/resample-means.ts, four rows and four resamples at a time. Each mean adds
 * its products in the order of the plain loop, so every bit is the same.
 */

/**
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
