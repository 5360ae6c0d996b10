import { isGainReached, isLiquidationNearer, isPartNearer } from '../formulas/touches.js';
import type { ExitReason } from './trade.js';

/** 1 for a long position, -1 for a short one. */
export type Sign = 1 | -1;

/** The levels of a position as they stand at the open of a bar; NaN where there is none. */
export interface Levels {
  readonly sign: Sign;
  readonly stop: number;
  /** The stop differs from its first level. */
  readonly isStopMoved: boolean;
  readonly liquidation: number;
  /** Where a liquidated position has lost its whole margin. */
  readonly bankruptcy: number;
  readonly target: number;
  /** Price and size of the parts to sell on the way, nearest first. */
  readonly parts: readonly { readonly price: number; readonly size: number }[];
  /** The last of the parts sells all that is left. */
  readonly isSoldInParts: boolean;
  /** Targets and parts are limit orders: a touch does not fill them. */
  readonly isLimit: boolean;
}

/** The open part of a position while a bar is judged. */
export interface Held {
  size: number;
  /** Parts sold so far. */
  partsSold: number;
}

/** One sale at a raw price, before slippage. */
export interface Fill {
  readonly size: number;
  readonly raw: number;
  readonly reason: ExitReason;
  readonly isLimit: boolean;
}

export interface PriceRange {
  readonly open: number;
  readonly high: number;
  readonly low: number;
}

export const adverseOf = ({ high, low }: Omit<PriceRange, 'open'>, sign: Sign): number => (sign === 1 ? low : high);
export const favourableOf = ({ high, low }: Omit<PriceRange, 'open'>, sign: Sign): number => (sign === 1 ? high : low);

/**
 * What a bar does to a position, in order. The open decides first: at or beyond the liquidation
 * price it liquidates, beyond the stop it stops out, and it takes the parts and the target that it
 * has reached. Inside the bar the loss comes before every gain, for all that is left.
 *
 * @param held changes to what is left after the bar
 */
export function touch(held: Held, levels: Levels, range: PriceRange, fills: Fill[]): void {
  const { sign, stop, liquidation, bankruptcy } = levels;
  const { open } = range;
  if (sign * open <= sign * liquidation) sellAll(held, bankruptcy, 'LIQUIDATION', false, fills);
  else if (sign * open <= sign * stop) sellAll(held, open, stopReason(levels), false, fills);
  else takeGains(held, levels, open, open, fills);
  if (held.size === 0 || touchLoss(held, levels, range, fills)) return;
  takeGains(held, levels, favourableOf(range, sign), null, fills);
}

/**
 * Sells at the nearer of stop and liquidation price if the bar has reached it, never at the open.
 * @returns whether it did
 */
export function touchLoss(held: Held, levels: Levels, range: PriceRange, fills: Fill[]): boolean {
  const { sign, stop, liquidation, bankruptcy } = levels;
  const adverse = sign * adverseOf(range, sign);
  const isLiquidation = isLiquidationNearer(sign, stop, liquidation);
  if (!(adverse <= sign * (isLiquidation ? liquidation : stop))) return false;
  if (isLiquidation) sellAll(held, bankruptcy, 'LIQUIDATION', false, fills);
  else sellAll(held, stop, stopReason(levels), false, fills);
  return true;
}

/** Whether the range of a bar reaches the stop, the liquidation price, each part left and the target. */
export function levelsReached(held: Held, levels: Levels, range: Omit<PriceRange, 'open'>): boolean[] {
  const { sign, stop, liquidation, target, parts } = levels;
  const adverse = sign * adverseOf(range, sign);
  const best = favourableOf(range, sign);
  const gains = [...parts.slice(held.partsSold).map(({ price }) => price), target];
  return [
    ...[stop, liquidation].map((level) => adverse <= sign * level),
    ...gains.map((level) => isReached(levels, best, level)),
  ];
}

const stopReason = ({ isStopMoved }: Levels): ExitReason => (isStopMoved ? 'TRAIL' : 'SL');

const isReached = ({ sign, isLimit }: Levels, price: number, level: number): boolean =>
  isGainReached(sign, price, level, isLimit);

/** Sells the parts and the target that `price` has reached, nearest first, a part before the target. */
function takeGains(held: Held, levels: Levels, price: number, raw: number | null, fills: Fill[]): void {
  const { sign, target, parts, isLimit, isSoldInParts } = levels;
  while (held.size > 0) {
    const part = parts[held.partsSold];
    const isPart = part !== undefined && isPartNearer(sign, part.price, target);
    const level = isPart ? part.price : target;
    if (!isReached(levels, price, level)) return;
    if (!isPart) {
      sellAll(held, raw ?? level, 'TP', isLimit, fills);
      return;
    }
    held.partsSold++;
    const isLast = held.partsSold === parts.length && isSoldInParts;
    const size = isLast ? held.size : Math.min(part.size, held.size);
    held.size -= size;
    fills.push({ size, raw: raw ?? level, reason: 'SCALE_OUT', isLimit });
  }
}

function sellAll(held: Held, raw: number, reason: ExitReason, isLimit: boolean, fills: Fill[]): void {
  fills.push({ size: held.size, raw, reason, isLimit });
  held.size = 0;
}
