import { costOf, fundingOf, proceedsOf } from '../formulas/prices-and-sizes.js';
import { countUpTo } from '../series/index.js';
import { fundingBars, fundingRate } from './funding.js';
import type { Simulation, SimulationInput } from './simulation.js';
import { isSoldAtOpen, type Trade } from './trade.js';

/**
 * Cash at the close of each tradable bar. It is replayed from the trades in the order of their
 * fills, so runs that do not report it pay nothing.
 */
export function cashCurve(
  { bars, first, config }: SimulationInput,
  { trades, equity, sided }: Simulation,
): Float64Array {
  if (sided !== undefined) return sided.cash;
  const out = new Float64Array(equity.length);
  const entries = trades.toSorted((a, b) => a.entryBar - b.entryBar); // at most one entry a bar
  let cash = config.initial_balance;
  let bought = 0;
  let sold = 0;
  for (let i = 0; i < out.length; i++) {
    const bar = first + i;
    for (; sold < trades.length && trades[sold].exitBar === bar && isSoldAtOpen(trades[sold].exitReason); sold++) {
      cash += proceeds(trades[sold]);
    }
    if (bought < entries.length && entries[bought].entryBar === bar) cash -= cost(entries[bought++]);
    for (; sold < trades.length && trades[sold].exitBar === bar; sold++) cash += proceeds(trades[sold]);
    out[i] = cash;
  }
  const settled = fundingBars(bars, config);
  if (settled.length > 0) subtractFunding(out, settled, { bars, first, config }, trades);
  return out;
}

/** Subtracts the funding paid up to each bar. O(trades x settlements held + bars). */
function subtractFunding(
  out: Float64Array,
  settled: Int32Array,
  { bars, first, config }: Pick<SimulationInput, 'bars' | 'first' | 'config'>,
  trades: readonly Trade[],
): void {
  const paidIn = new Float64Array(out.length);
  for (const { entryBar, exitBar, exitReason, size } of trades) {
    // END sells at the last close, after the last funding was paid.
    const end = exitReason === 'END' ? exitBar + 1 : exitBar;
    for (let k = countUpTo(settled, entryBar - 1); k < settled.length && settled[k] < end; k++) {
      const bar = settled[k];
      paidIn[bar - first] += fundingOf(size, bars.close[bar], fundingRate(bars, bar, config));
    }
  }
  for (let i = 0, paid = 0; i < out.length; i++) {
    paid += paidIn[i];
    out[i] -= paid;
  }
}

const cost = ({ size, entryPrice, entryFee }: Trade): number => costOf(size, entryPrice, entryFee);
const proceeds = ({ size, exitPrice, exitFee }: Trade): number => proceedsOf(size, exitPrice, exitFee);
