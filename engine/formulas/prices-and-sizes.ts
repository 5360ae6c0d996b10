/*
 * Prices, sizes and amounts. The WebAssembly run of a sweep (simd/assembly/run.ts) is compiled from
 * this very file, and from gates.ts, exit-rules.ts and cooldown-rules.ts. So these files are
 * written in the common subset of TypeScript and AssemblyScript: no imports, numbers are doubles.
 */

/**
 * Slippage is fixed and adverse on both legs: deterministic, and pessimistic compared with a random
 * draw.
 */
export function boughtAt(open: number, slippage: number): number {
  return open * (1 + slippage);
}

/**
 * Every exit slips, targets included: a target is an exit triggered by price, not a resting limit
 * order.
 */
export function soldAt(raw: number, slippage: number): number {
  return raw * (1 - slippage);
}

/**
 * Raw price at which a position exits inside a bar, or NaN. The open decides first, so a gap
 * through the stop fills at the worse open and a gap beyond the target at the better one. After the
 * open, a bar that touches both counts as a loss. Touching is enough. The position was stopped out
 * if and only if the price is <= `stop`.
 */
export function touchPrice(open: number, high: number, low: number, stop: number, target: number): number {
  if (open <= stop || open >= target) return open;
  if (low <= stop) return stop;
  return high >= target ? target : NaN;
}

/**
 * Weighted sum of two ATRs, capped at a multiple of the short one: without the cap a daily ATR,
 * some 17 times that of 5-minute bars, would dominate. The weights are not normalized.
 * @param cap no cap when <= 0 or NaN
 */
export function blendedAtr(short: number, long: number, shortWeight: number, longWeight: number, cap: number): number {
  const blended = shortWeight * short + longWeight * long;
  return cap > 0 ? Math.min(blended, cap * short) : blended;
}

/**
 * Distance of the stop below the entry fill, in price; NaN while the ATR is warming up.
 * @param atr effective ATR at the decision bar; a fixed stop does not use it
 */
export function stopDistanceOf(
  isFixed: boolean,
  entryPrice: number,
  fixedStop: number,
  atr: number,
  atrFactor: number,
): number {
  return isFixed ? entryPrice * fixedStop : atr * atrFactor;
}

/** Stop of an entry; it never moves. */
export function stopOf(entryPrice: number, distance: number): number {
  return entryPrice - distance;
}

/** Target of an entry: the distance of the stop, times a factor, on the other side of the fill. */
export function targetOf(entryPrice: number, distance: number, rewardFactor: number): number {
  return entryPrice + distance * rewardFactor;
}

/**
 * Amount below which trading pauses: a threshold up to 1 is a share of the initial balance, a
 * larger one an amount.
 */
export function floorOf(threshold: number, initialBalance: number): number {
  return threshold <= 1 ? threshold * initialBalance : threshold;
}

/**
 * Cash that an entry may use. If the floor is kept in reserve, this excludes it and may be
 * negative.
 */
export function spendableOf(cash: number, floor: number, isReserveKept: boolean): number {
  return isReserveKept ? cash - floor : cash;
}

/**
 * Size of an entry in the base asset, unrounded: the risked share of the account over the stop
 * distance, scaled for volatility, then capped by units, by notional, and by the spendable cash
 * including the entry fee, so that cash cannot go negative.
 *
 * @param value account value at the open of the fill
 * @param distance price between fill and stop, above 0
 * @param scale 0..1
 * @param spendable cash that may be used, above 0
 */
export function sizeOf(
  value: number,
  risk: number,
  distance: number,
  scale: number,
  unitsMax: number,
  amountMax: number,
  entryPrice: number,
  spendable: number,
  fee: number,
): number {
  const size = ((value * risk) / distance) * scale;
  const capped = Math.min(Math.min(size, unitsMax), amountMax / entryPrice);
  return Math.min(capped, spendable / (entryPrice * (1 + fee)));
}

/**
 * Largest size of an entry, which may also take no more than a share of a volume.
 * @param share of the volume of the bar before the entry; no cap when NaN
 */
export function unitsMaxOf(unitsMax: number, share: number, volume: number): number {
  return share > 0 ? Math.min(unitsMax, share * volume) : unitsMax;
}

/**
 * Factor on a size: target over annualized volatility, never above 1 because the risk per trade is a
 * maximum. 1 where the price did not move, NaN while the volatility is warming up.
 */
export function volatilityScaleOf(target: number, volatility: number): number {
  return volatility === 0 ? 1 : Math.min(1, target / volatility);
}

/**
 * Slippage of a fill with the price impact of its share of a volume, which a volume of 0 gives in
 * full; both together are at most one half.
 */
export function slippageWithImpact(slippage: number, impact: number, size: number, volume: number): number {
  const share = volume > 0 ? size / volume : 1;
  return Math.min(0.5, slippage + impact * Math.sqrt(share));
}

/** An account value, and a position more at one price. Positions are added in entry order. */
export function valueWith(value: number, size: number, price: number): number {
  return value + size * price;
}

/** What a position pays at a settlement, in the quote currency; below 0 where it is paid. */
export function fundingOf(size: number, price: number, rate: number): number {
  return size * price * rate;
}

/** Fee of one leg, in the quote currency. */
export function feeOf(rate: number, size: number, price: number): number {
  return rate * size * price;
}

/**
 * What slippage costs on one leg, in the quote currency. A purchase fills at the higher price, a
 * sale at the lower one.
 */
export function slippageOf(size: number, higher: number, lower: number): number {
  return size * (higher - lower);
}

/** Cash that an entry takes. */
export function costOf(size: number, entryPrice: number, entryFee: number): number {
  return size * entryPrice + entryFee;
}

/** Cash that an exit brings. */
export function proceedsOf(size: number, exitPrice: number, exitFee: number): number {
  return size * exitPrice - exitFee;
}

/** Profit or loss of a trade after both fees; the prices include slippage. */
export function profitOf(
  size: number,
  entryPrice: number,
  exitPrice: number,
  entryFee: number,
  exitFee: number,
): number {
  return size * (exitPrice - entryPrice) - entryFee - exitFee;
}

/** UTC days since the epoch; the daily limit counts by the open time of the fill. */
export function utcDay(time: number): number {
  return Math.floor(time / 86_400_000);
}
