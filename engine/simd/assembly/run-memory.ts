import { CurveInput } from './curve';

/* What lies in memory for a run. */

/** Bars, rules, settings and room; every field a double, so that one array writes them all, in the order of simd/run.ts. */
@unmanaged
export class RunInput extends CurveInput {
  barCount: f64;
  first: f64;
  time: f64;
  open: f64;
  high: f64;
  low: f64;
  /** ATR of the run interval, and the daily one that is visible at the bar. */
  shortAtr: f64;
  longAtr: f64;
  entry: f64;
  exit: f64;
  /** Room for as many positions as may be open, and for the bar of every loss. */
  positions: f64;
  lossBars: f64;
  initialBalance: f64;
  floorAmount: f64;
  /** Cash that sizing leaves alone. */
  reserve: f64;
  minTradeAmount: f64;
  maxRisk: f64;
  maxUnits: f64;
  maxTradeAmount: f64;
  maxOpenPositions: f64;
  maxTradesPerDay: f64;
  /** Fraction of the entry price; 0 for stops by ATR. */
  fixedStop: f64;
  atrFactor: f64;
  shortWeight: f64;
  longWeight: f64;
  /** Multiple of the short ATR; 0 for no cap. */
  atrCap: f64;
  rewardFactor: f64;
  slippage: f64;
  fee: f64;
  /** Limits in bars, more than there are where they are off. */
  holdLimit: f64;
  lossLimit: f64;
  profitLimit: f64;
  profitThreshold: f64;
  shortLosses: f64;
  shortWindow: f64;
  longLosses: f64;
  longWindow: f64;
}

@unmanaged
export class Position {
  size: f64;
  entryPrice: f64;
  stopPrice: f64;
  targetPrice: f64;
  entryFee: f64;
  slippageCost: f64;
  entryBar: i32;
  exitBar: i32;
  isScheduled: i32;
}

/** Bytes from one position to the next. */
export const STRIDE: usize = 64;

@inline
export function at(column: usize, bar: i32): f64 {
  return load<f64>(column + (<usize>bar << 3));
}

@inline
export function getBit(mask: usize, bar: i32): bool {
  return ((load<u32>(mask + (<usize>(bar >>> 5) << 2)) >>> (bar & 31)) & 1) != 0;
}

/** First set bit at or after `from` of the bits of so many bars, or their number. */
export function nextBit(mask: usize, barCount: i32, from: i32): i32 {
  if (from >= barCount) return barCount;
  const end = (barCount + 31) >>> 5;
  let index = from >>> 5;
  let word = load<u32>(mask + (<usize>index << 2)) & (<u32>-1 << (from & 31));
  while (word == 0) {
    if (++index >= end) return barCount;
    word = load<u32>(mask + (<usize>index << 2));
  }
  return (index << 5) + ctz<u32>(word);
}
