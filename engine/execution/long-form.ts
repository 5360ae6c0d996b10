import type { Account, Position, Purse, Refusal } from './account.js';
import type { CooldownState } from './cooldown.js';
import type { PaperAccount, PaperPosition } from './evaluate.js';
import { openGuard } from './guards.js';

/*
 * Plain accounts had a form of their own once: positions with a stop and a target, and neither
 * orders nor guards. Stored ones still have it, and callers that keep their positions give as much.
 */

/** A position of such an account. Prices that are never reached, 0 and infinity, stand for no level. */
export interface LongLevels {
  readonly entryPrice: number;
  readonly size: number;
  readonly stopPrice: number;
  readonly targetPrice: number;
  readonly entryFee: number;
  readonly slippageCost: number;
  readonly fundingPaid?: number;
  readonly scheduledReason: Position['scheduledReason'];
  /** Follows from the reason. */
  readonly exitBar?: number;
}

/** An entry that waited for the next open. */
interface LongEntry extends Omit<NonNullable<Account['pendingEntry']>, 'side' | 'volatility'> {
  /** The exit rule was true at the same close. */
  readonly isConflicted: boolean;
}

/** A paper account as earlier versions stored it. */
export interface LongPaperAccount
  extends CooldownState,
    Pick<PaperAccount, 'entryDay' | 'entriesOnDay' | 'lastBar' | 'lastBarTime'> {
  readonly positions: readonly (LongLevels & Pick<PaperPosition, 'id' | 'entryTime' | 'entryBar'>)[];
  readonly pendingEntry: LongEntry | null;
  readonly cash: number;
  readonly realizedBalance: number;
}

/** The position that has these levels; what else is known of it stays. */
export function fromLongLevels<Known extends LongLevels>(position: Known) {
  const { stopPrice, targetPrice, fundingPaid = 0, exitBar: _, ...known } = position;
  const stop = stopPrice > 0 ? stopPrice : null;
  return {
    ...known,
    side: 'long' as const,
    isFilledInside: false,
    firstSize: known.size,
    distance: known.entryPrice - stopPrice,
    firstStop: stop,
    stop,
    liquidation: null,
    best: null,
    partsSold: 0,
    exits: [],
    fundingPaid,
    borrowPaid: 0,
    carryBorne: 0,
    givenTarget: targetPrice < Number.MAX_VALUE ? targetPrice : null,
  };
}

/** What the positions and the entry of such an account are today. */
export function fromLongForm<Known extends LongLevels>({
  positions,
  pendingEntry,
}: {
  readonly positions: readonly Known[];
  readonly pendingEntry: LongEntry | null;
}) {
  const { isConflicted = false, ...decided } = pendingEntry ?? {};
  const refusals: Refusal[] = isConflicted ? [{ side: 'long', reason: 'exit_conflict' }] : [];
  const isWanted = pendingEntry !== null && !isConflicted;
  return {
    isPlain: true as const,
    positions: positions.map((position) => fromLongLevels(position)),
    pendingEntry: isWanted ? ({ side: 'long', volatility: null, ...(decided as LongEntry) } as const) : null,
    refusals,
    ...{ orders: [], ordersPlaced: 0, ordersExpired: 0 },
  };
}

/** Reads a paper account that was stored in either form, or the account of a portfolio. */
export function readPaperAccount<Current extends { readonly purse: Purse }>(
  stored: Current | LongPaperAccount,
): Current | PaperAccount {
  if ('purse' in stored) return stored;
  const { cash, realizedBalance, positions, pendingEntry, ...kept } = stored as LongPaperAccount;
  return {
    ...kept,
    ...fromLongForm({ positions, pendingEntry }),
    ...{ purse: { cash, realizedBalance }, guard: openGuard(realizedBalance) },
  };
}
