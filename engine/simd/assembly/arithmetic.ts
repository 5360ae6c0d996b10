import { valueWith } from '../../formulas/prices-and-sizes';

/*
 * One value per bar from values of the same bar, two bars at a time. The operations are in the
 * order of the plain loops, so every bit is the same.
 */

const enum Step {
  Add,
  Subtract,
  Multiply,
  Divide,
  Percent,
}

@inline
function apply(step: i32, a: v128, b: v128): v128 {
  if (step == Step.Add) return f64x2.add(a, b);
  if (step == Step.Subtract) return f64x2.sub(a, b);
  if (step == Step.Multiply) return f64x2.mul(a, b);
  if (step == Step.Divide) return f64x2.div(a, b);
  return f64x2.mul(f64x2.splat(100), f64x2.div(a, b));
}

@inline
function each(step: i32, a: usize, b: usize, length: i32, out: usize): void {
  const pairs = <usize>(length & ~1) << 3;
  let at: usize = 0;
  for (; at < pairs; at += 16) v128.store(out + at, apply(step, v128.load(a + at), v128.load(b + at)));
  if ((length & 1) == 0) return;
  v128.store_lane<f64>(out + at, apply(step, v128.load_zero<f64>(a + at), v128.load_zero<f64>(b + at)), 0);
}

export function add(a: usize, b: usize, length: i32, out: usize): void {
  each(Step.Add, a, b, length, out);
}

export function subtract(a: usize, b: usize, length: i32, out: usize): void {
  each(Step.Subtract, a, b, length, out);
}

export function multiply(a: usize, b: usize, length: i32, out: usize): void {
  each(Step.Multiply, a, b, length, out);
}

export function divide(a: usize, b: usize, length: i32, out: usize): void {
  each(Step.Divide, a, b, length, out);
}

/** 100 a / b. */
export function percent(a: usize, b: usize, length: i32, out: usize): void {
  each(Step.Percent, a, b, length, out);
}

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

/** scale (x - bottom) / (top - bottom). */
export function position(x: usize, bottom: usize, top: usize, scale: f64, length: i32, out: usize): void {
  const scales = f64x2.splat(scale);
  const pairs = <usize>(length & ~1) << 3;
  let at: usize = 0;
  for (; at < pairs; at += 16) {
    const low = v128.load(bottom + at);
    const place = f64x2.div(f64x2.sub(v128.load(x + at), low), f64x2.sub(v128.load(top + at), low));
    v128.store(out + at, f64x2.mul(scales, place));
  }
  if ((length & 1) == 0) return;
  const low = load<f64>(bottom + at);
  store<f64>(out + at, scale * ((load<f64>(x + at) - low) / (load<f64>(top + at) - low)));
}

/** scale (x - before) / before. */
export function growth(x: usize, before: usize, scale: f64, length: i32, out: usize): void {
  const scales = f64x2.splat(scale);
  const pairs = <usize>(length & ~1) << 3;
  let at: usize = 0;
  for (; at < pairs; at += 16) {
    const base = v128.load(before + at);
    v128.store(out + at, f64x2.mul(scales, f64x2.div(f64x2.sub(v128.load(x + at), base), base)));
  }
  if ((length & 1) == 0) return;
  const base = load<f64>(before + at);
  store<f64>(out + at, scale * ((load<f64>(x + at) - base) / base));
}

/** (a + b + c) / 3. */
export function meanOfThree(a: usize, b: usize, c: usize, length: i32, out: usize): void {
  const three = f64x2.splat(3);
  const pairs = <usize>(length & ~1) << 3;
  let at: usize = 0;
  for (; at < pairs; at += 16) {
    const sum = f64x2.add(f64x2.add(v128.load(a + at), v128.load(b + at)), v128.load(c + at));
    v128.store(out + at, f64x2.div(sum, three));
  }
  if ((length & 1) != 0) store<f64>(out + at, (load<f64>(a + at) + load<f64>(b + at) + load<f64>(c + at)) / 3);
}

/** Close location value ((c - l) - (h - c)) / (h - l) times volume; 0 on a bar without range. */
export function moneyFlow(h: usize, l: usize, c: usize, v: usize, length: i32, out: usize): void {
  const pairs = <usize>(length & ~1) << 3;
  let at: usize = 0;
  for (; at < pairs; at += 16) {
    const high = v128.load(h + at);
    const low = v128.load(l + at);
    const close = v128.load(c + at);
    const location = f64x2.div(f64x2.sub(f64x2.sub(close, low), f64x2.sub(high, close)), f64x2.sub(high, low));
    v128.store(out + at, v128.andnot(f64x2.mul(location, v128.load(v + at)), f64x2.eq(high, low)));
  }
  if ((length & 1) == 0) return;
  const high = load<f64>(h + at);
  const low = load<f64>(l + at);
  const close = load<f64>(c + at);
  const flow = ((close - low - (high - close)) / (high - low)) * load<f64>(v + at);
  store<f64>(out + at, high == low ? 0 : flow);
}

/** Running total from the first bar on. */
export function total(x: usize, length: i32, out: usize): void {
  let sum: f64 = 0;
  for (const end = x + (<usize>length << 3); x < end; x += 8, out += 8) {
    sum += load<f64>(x);
    store<f64>(out, sum);
  }
}

/** value[t] = cash + size close[t]. */
export function mark(close: usize, cash: f64, size: f64, length: i32, out: usize): void {
  const base = f64x2.splat(cash);
  const units = f64x2.splat(size);
  const pairs = <usize>(length & ~1) << 3;
  let at: usize = 0;
  for (; at < pairs; at += 16) v128.store(out + at, f64x2.add(base, f64x2.mul(units, v128.load(close + at))));
  if ((length & 1) != 0) store<f64>(out + at, valueWith(cash, size, load<f64>(close + at)));
}
