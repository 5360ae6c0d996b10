import type { Decision, Position } from '../execution/account.js';
import type { FullConfig } from '../execution/full-config.js';
import type { SimulationInput } from '../execution/index.js';
import { jump } from '../execution/jump.js';
import type { AccountEvent } from '../execution/step.js';
import { isSoldAtOpen, type Trade } from '../execution/trade.js';
import type { BarSeries } from '../series/index.js';
import type { Entry } from './event-orders.js';

/** An entry that fills if the account takes it. */
export interface Chance {
  readonly entry: Entry;
  readonly decision: Decision;
}

/** Settings with which every entry that its bars and rules allow fills, in a position of its own. */
const apart = {
  initial_balance: 1e15,
  min_balance_threshold: 0,
  min_trade_amount: 0,
  max_trade_amount: 1e15,
  max_open_positions: 1e9,
  max_trades_per_day: 1e9,
  max_units_per_trade: 1e15,
  max_volume_share: null,
  max_gross_exposure: null,
  position_sizing: 'fixed_amount',
  trade_amount: 1,
  opposite_entry: 'hedge',
  cooldown_short_loss_limit: 0,
  cooldown_long_loss_limit: 0,
  hold_limit_bars: 1, // what follows an entry is not read
} as const;

/** The entries of a run in their order, whether or not its account took them. */
export function readChances(input: SimulationInput): Chance[] {
  const log: AccountEvent[] = [];
  jump({ ...input, config: { ...input.config, ...apart } }, log);
  const chances: Chance[] = [];
  let decided: Decision | null = null;
  for (const event of log) {
    if (event.kind === 'enter') decided = event.decision;
    if (event.kind !== 'entry') continue;
    const decision = event.order ?? decided;
    if (decision !== null) chances.push({ entry: event, decision });
  }
  return chances;
}

/** The bar of an entry, and how it fills there. */
export function fillAt({ entry }: Chance, { open, time }: BarSeries, { entry_order }: FullConfig) {
  const { entryBar: index, isFilledInside: isInside } = entry.position;
  const bar = { index, time: time[index], open: open[index] };
  const raw = isInside && entry.order !== null ? entry.order.level : bar.open;
  return { bar, fill: { raw, isLimit: entry_order === 'limit', isInside } };
}

/** Whether an entry may fill after an exit: then the account may take it with what the exit paid. */
export function mayFollow(
  { entryBar: bar, isFilledInside: isInside }: Position,
  { entryBar, exitBar, exitReason }: Trade,
  isExitFilledInside: boolean,
): boolean {
  if (bar !== exitBar) return bar > exitBar;
  // What enters inside a bar leaves after all orders of it have filled, and so does what the end sells.
  const isAfterOrders = exitReason === 'END' || (isExitFilledInside && entryBar === exitBar);
  return isSoldAtOpen(exitReason) || (isInside && !isAfterOrders);
}
