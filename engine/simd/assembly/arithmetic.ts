/** wa a + wb b. */
export function combine(wa: f64, a: usize, wb: f64, b: usize, length: i32, out: usize): void {
  const left = f64x2.splat(wa);
  const right = f64x2.splat(wb);
  const pairs = <usize>(length & ~1) << 3;
  let at: usize = 0;
  for (; at < pairs; at += 16) {
    const sum = f64x2.add(f64x2.mul(left, v128.load(a + at)), f64x2.mul(right, v128.load(b + at)));
    v128.store(out + at, sum);
  }
  if ((length & 1) != 0) store<f64>(out + at, wa * load<f64>(a + at) + wb * load<f64>(b + at));
}
