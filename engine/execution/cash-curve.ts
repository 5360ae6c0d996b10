import { costOf, proceedsOf } from '../formulas/prices-and-sizes.js';
import { isSoldAtOpen, type Trade } from './account.js';
import type { Simulation, SimulationInput } from './simulation.js';

/**
 * Cash at the close of each tradable bar. It is replayed from the trades in the order of their
 * fills, so runs that do not report it pay nothing.
 */
export function cashCurve({ first, config }: SimulationInput, { trades, equity }: Simulation): Float64Array {
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
  return out;
}

const cost = ({ size, entryPrice, entryFee }: Trade): number => costOf(size, entryPrice, entryFee);
const proceeds = ({ size, exitPrice, exitFee }: Trade): number => proceedsOf(size, exitPrice, exitFee);
