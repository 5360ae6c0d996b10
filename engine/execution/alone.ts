import { restPerUnit } from '../formulas/curve-sums.js';
import { marginedProceeds } from '../formulas/sides.js';
import type { ExecutionConfig } from './config.js';
import { fullConfig } from './full-config.js';
import { hasSettledFunding } from './funding.js';
import { hasGuard } from './guards.js';
import type { SimulationInput } from './simulation.js';
import { isSoldAtOpen, type Trade } from './trade.js';

/**
 * Whether where a position is sold depends on the bar of its entry alone, unless its account ends it
 * before: it is bought at an open at a price without impact, and sold at once by the bars.
 */
export function hasKnownExit(config: ExecutionConfig): boolean {
  const { entry_order, target_order, scale_out, impact_coefficient, detail_interval } = fullConfig(config);
  const isMarket = entry_order === 'market' && target_order === 'market';
  return isMarket && scale_out === null && impact_coefficient === 0 && detail_interval === null;
}

/**
 * Whether what becomes of a position depends on the bar of its entry alone, and not on the account:
 * its exit does, and nothing is paid or decided while it is held.
 */
export function dependsOnEntry({ bars, config }: Pick<SimulationInput, 'bars' | 'config'>): boolean {
  const full = fullConfig(config);
  const isCharged = full.borrow_rate > 0 || (full.funding && hasSettledFunding(bars));
  return hasKnownExit(config) && !isCharged && !hasGuard(full);
}

/** Numbers of a stretch in the list of `stretchesAlone`. */
export const STRETCH_NUMBERS = 4;

/**
 * The stretches in which one position is held alone, from the second close after its entry to the
 * next fill: first value and one past the last, counted as those of `equity`, then sign and rest of
 * `returnPerUnit`. None of a run for which `dependsOnEntry` is false. The cash is replayed from the
 * trades, in the order of their fills.
 */
export function stretchesAlone(input: SimulationInput, trades: readonly Trade[]): Float64Array {
  if (!dependsOnEntry(input)) return new Float64Array(0);
  const { first, config } = input;
  const entries = trades.toSorted((a, b) => a.entryBar - b.entryBar); // at most one entry a bar
  const stretches: number[] = [];
  let cash = config.initial_balance;
  let sold = 0;
  for (const [k, entry] of entries.entries()) {
    const { entryBar: bar, size, entryPrice } = entry;
    while (sold < trades.length && isSoldBefore(trades[sold], bar)) cash += proceeds(trades[sold++]);
    const { sign, margin } = sideOf(entry);
    const locked = margin ?? size * entryPrice;
    cash -= locked + entry.entryFee;
    const end = Math.min(entry.exitBar, entries[k + 1]?.entryBar ?? Infinity);
    // Others that were held at its open may be sold inside its bar, which changes the cash again.
    for (; sold < trades.length && trades[sold].exitBar === bar && trades[sold] !== entry; sold++) {
      cash += proceeds(trades[sold]);
    }
    if (k - sold > 0 || end - bar < 2) continue;
    const rest = restPerUnit(cash + (margin ?? 0), size, entryPrice, margin === null ? 0 : sign);
    stretches.push(bar + 1 - first, end - first, sign, rest);
  }
  return Float64Array.from(stretches);
}

const isSoldBefore = ({ exitBar, exitReason }: Trade, bar: number): boolean =>
  exitBar < bar || (exitBar === bar && isSoldAtOpen(exitReason));

/** The margin is null for a position that was paid in full. */
const sideOf = ({ details }: Trade) => ({
  sign: details?.side === 'short' ? (-1 as const) : (1 as const),
  margin: details?.margin?.amount ?? null,
});

function proceeds(trade: Trade): number {
  const { size, entryPrice, exitPrice, exitFee, exitReason } = trade;
  const { sign, margin } = sideOf(trade);
  if (margin === null) return size * exitPrice - exitFee;
  if (exitReason === 'LIQUIDATION') return 0;
  return marginedProceeds(margin, sign * size * (exitPrice - entryPrice), exitFee);
}
