import { borneAfter, borrowCost, borrowedOf, unpaidShare } from '../formulas/closes.js';
import { fundingOf } from '../formulas/prices-and-sizes.js';
import { type Account, carryBorne, isOnMargin, type Position, signOf, worthOnMargin } from './account.js';
import type { FullConfig } from './full-config.js';

/** What every open position owes at a close for being held; below 0 where it receives. */
type Carry = (position: Position) => number;

/** The rate settled by the close of a bar; shorts receive what longs pay. */
export const settledFunding =
  (close: number, rate: number): Carry =>
  ({ side, size }) =>
    signOf(side) * fundingOf(size, close, rate);

/** The rate on borrowed amounts. */
export const borrowing =
  (close: number, intervalMs: number, { borrow_rate, leverage }: FullConfig): Carry =>
  ({ side, size, entryPrice }) =>
    borrowCost(borrowedOf(signOf(side), size, entryPrice, close, unpaidShare(leverage)), borrow_rate, intervalMs);

/** What the margin of a position can still bear at a close; infinite for one that is paid in full. */
const bearable = (position: Position, close: number, config: FullConfig): number =>
  isOnMargin(position, config) ? worthOnMargin(position, close, config) - carryBorne(position) : Infinity;

/** Whether a charge at a close takes all that is left of a margined position, where no cash pays it. */
export const mayUseUp = (position: Position, due: number, close: number, config: FullConfig): boolean =>
  due > 0 && due >= bearable(position, close, config);

/**
 * Takes carry at a close: from the cash while there is any, and from the margin of the position then,
 * so that the account does not fall below 0. A long that is paid in full has no margin, and its
 * charges take the cash below 0.
 * @returns the positions that are used up; they are liquidated
 */
export function payCarry(
  account: Account,
  carry: Carry,
  paidAs: 'fundingPaid' | 'borrowPaid',
  close: number,
  config: FullConfig,
): Position[] {
  const { purse } = account;
  const usedUp: Position[] = [];
  for (const position of account.positions) {
    const due = carry(position);
    if (due === 0) continue;
    const cash = Math.max(0, purse.cash);
    const most = cash + bearable(position, close, config);
    const paid = Math.min(due, most);
    purse.cash -= paid;
    position[paidAs] += paid;
    if (most === Infinity) continue;
    position.carryBorne = borneAfter(carryBorne(position), paid, cash);
    if (due >= most) usedUp.push(position);
  }
  return usedUp;
}
