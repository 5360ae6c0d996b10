import { addRepeatedly } from '../../formulas/add-repeatedly';
import { drawdownOf } from '../../formulas/curve-sums';
import { valueWith } from '../../formulas/prices-and-sizes';

/** value[t] = cash + size close[t]. */
export function mark(close: usize, cash: f64, size: f64, length: i32, out: usize): void {
  const base = f64x2.splat(cash);
  const units = f64x2.splat(size);
  const pairs = <usize>(length & ~1) << 3;
  let at: usize = 0;
  for (; at < pairs; at += 16) v128.store(out + at, f64x2.add(base, f64x2.mul(units, v128.load(close + at))));
  if ((length & 1) != 0) store<f64>(out + at, valueWith(cash, size, load<f64>(close + at)));
}

@inline
function rangeBound(ranges: usize, i: i32): i32 {
  return load<i32>(ranges + (<usize>i << 2));
}

/** As returnOf() of formulas/curve-sums.ts, of two values. */
@inline
function returnsOf(value: v128, before: v128): v128 {
  return v128.and(f64x2.sub(f64x2.div(value, before), f64x2.splat(1)), f64x2.gt(before, f64x2.splat(0)));
}

/**
 * The loops of metrics/equity.ts over the values that move. The returns are written one after the
 * other to `returns`; `facts` gets their mean, squared deviations and squared losses, the largest
 * drawdown, and the duration of the longest drawdown in bars.
 */
export function measureEquity(
  equity: usize,
  length: i32,
  ranges: usize,
  bounds: i32,
  initial: f64,
  returns: usize,
  facts: usize,
): void {
  let sum: f64 = 0;
  let squaredLosses: f64 = 0;
  let maxDrawdown: f64 = 0;
  let maxBars = 0;
  let peak = initial;
  let trough = initial;
  let dropBar = -1;
  let written = returns;
  for (let i = 0; i < bounds; i += 2) {
    let k = rangeBound(ranges, i);
    const to = rangeBound(ranges, i + 1);
    while (k < to) {
      const at = equity + (<usize>k << 3);
      const isPair = k > 0 && k + 2 <= to;
      const values = isPair ? v128.load(at) : v128.load_zero<f64>(at);
      const before = isPair ? v128.load(at - 8) : k > 0 ? v128.load_zero<f64>(at - 8) : f64x2(initial, 0);
      const change = returnsOf(values, before);
      const loss = f64x2.mul(f64x2.splat(0.5), f64x2.sub(change, f64x2.abs(change)));
      const square = f64x2.mul(loss, loss);
      sum += f64x2.extract_lane(change, 0);
      squaredLosses += f64x2.extract_lane(square, 0);
      v128.store(written, change);
      written += 8;
      let value = f64x2.extract_lane(values, 0);
      for (let lane = 0; ; lane++) {
        if (value < peak) {
          if (dropBar == -1) dropBar = k;
          if (value < trough) trough = value;
        } else {
          if (dropBar != -1) {
            maxDrawdown = max<f64>(maxDrawdown, drawdownOf(trough, peak));
            maxBars = max(maxBars, k - dropBar);
            dropBar = -1;
          }
          peak = value;
          trough = value;
        }
        k++;
        if (lane == 1 || !isPair) break;
        value = f64x2.extract_lane(values, 1);
        sum += f64x2.extract_lane(change, 1);
        squaredLosses += f64x2.extract_lane(square, 1);
        written += 8;
      }
    }
  }
  if (dropBar != -1) {
    maxDrawdown = max<f64>(maxDrawdown, drawdownOf(trough, peak));
    maxBars = max(maxBars, length - dropBar);
  }
  const mean = sum / <f64>length;
  store<f64>(facts, mean);
  store<f64>(facts + 8, squaredDeviations(length, ranges, bounds, mean, returns));
  store<f64>(facts + 16, squaredLosses);
  store<f64>(facts + 24, maxDrawdown);
  store<f64>(facts + 32, <f64>maxBars);
}

export function squaredDeviations(length: i32, ranges: usize, bounds: i32, mean: f64, returns: usize): f64 {
  const means = f64x2.splat(mean);
  let squares: f64 = 0;
  let bar = 0;
  let at = returns;
  for (let i = 0; i < bounds; i += 2) {
    squares = addRepeatedly(squares, mean * mean, rangeBound(ranges, i) - bar);
    bar = rangeBound(ranges, i + 1);
    let left = bar - rangeBound(ranges, i);
    for (; left >= 2; left -= 2, at += 16) {
      const deviation = f64x2.sub(v128.load(at), means);
      const square = f64x2.mul(deviation, deviation);
      squares += f64x2.extract_lane(square, 0);
      squares += f64x2.extract_lane(square, 1);
    }
    if (left == 1) {
      const deviation = load<f64>(at) - mean;
      squares += deviation * deviation;
      at += 8;
    }
  }
  return addRepeatedly(squares, mean * mean, length - bar);
}
