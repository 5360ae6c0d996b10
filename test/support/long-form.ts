import {
  type Account,
  type ExecutionConfig,
  fullConfig,
  type LongLevels,
  type Position,
  targetPrice,
} from '../../engine/execution/index.js';

type Plain = Pick<Account, 'positions' | 'pendingEntry' | 'refusals'>;

/** The positions and the entry of a plain account as earlier versions stored them. */
export function inLongForm({ positions, pendingEntry, refusals }: Plain, config: ExecutionConfig) {
  const isConflicted = refusals.length > 0;
  const { atr = null, volatilityScale = null, volume = 1 } = pendingEntry ?? {};
  return {
    positions: positions.map((position) => levels(position, config)),
    pendingEntry: pendingEntry === null && !isConflicted ? null : { isConflicted, atr, volatilityScale, volume },
  };
}

/** What names a position, by whichever of these an account has. */
type Named = Partial<Record<'entryBar' | 'entryTime' | 'id', unknown>>;

function levels(position: Position & Named, config: ExecutionConfig): LongLevels & Named {
  const { entryPrice, size, stop, entryFee, slippageCost, fundingPaid, scheduledReason } = position;
  const { entryBar, entryTime, id } = position;
  return {
    ...{ entryBar, entryTime, id, entryPrice, size, entryFee, slippageCost, scheduledReason, exitBar: -1 },
    stopPrice: stop ?? 0,
    targetPrice: Math.min(targetPrice(position, position.entryBar, fullConfig(config)), Number.MAX_VALUE),
    ...(fundingPaid !== 0 && { fundingPaid }),
  };
}
