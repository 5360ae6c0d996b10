import { openAccount, type Position, targetPrice } from './account.js';
import { openCounts } from './detail.js';
import { fullConfig } from './full-config.js';
import { checkInput, type SimulationInput } from './simulation.js';
import { type AccountEvent, step } from './step.js';
import { stepBar } from './step-bar.js';
import type { ExitReason } from './trade.js';

/** What happened to one trade between its signal and its exit. */
export interface TradeEvent {
  readonly kind: 'placed' | 'entry' | 'stop' | 'target' | 'part' | 'leave' | 'exit';
  readonly bar: number;
  /** Decided or moved at the close of the bar; the others are of its open or inside it. */
  readonly isAtClose: boolean;
  /** Level of an order, stop or target (null where it ends), or the fill. */
  readonly price: number | null;
  /** Of a fill. */
  readonly size?: number;
  readonly reason?: ExitReason;
}

/**
 * The events of each trade of a run that uses sides, margin, orders or guards, in the order of its
 * trades. It goes bar by bar, which costs about ten times the run.
 */
export function tradeEvents(input: SimulationInput): TradeEvent[][] {
  checkInput(input);
  const { bars, first } = input;
  const config = fullConfig(input.config);
  const account = openAccount(config);
  const counts = openCounts();
  const open = new Map<string, TradeEvent[]>();
  const done: TradeEvent[][] = [];
  const keyOf = ({ entryBar, side }: Position): string => `${entryBar} ${side}`;
  for (let bar = first; bar < bars.barCount; bar++) {
    const log: AccountEvent[] = [];
    step(account, stepBar(input, bar, config), config, counts, log);
    for (const event of log) {
      if (!('position' in event)) continue;
      const { position } = event;
      const key = keyOf(position);
      const events = open.get(key) ?? [];
      if (event.kind === 'entry') {
        const { order } = event;
        const placed = order === null ? [] : [placedAt(order.level, order.lastBar - config.entry_valid_bars)];
        events.push(...placed, filled('entry', bar, position.entryPrice, position.firstSize));
        const target = targetPrice(position, bar, config);
        const levels = { stop: position.firstStop, target: Number.isNaN(target) ? null : target };
        for (const [kind, price] of Object.entries(levels) as ['stop' | 'target', number | null][]) {
          if (price !== null) events.push({ kind, bar, isAtClose: false, price });
        }
        open.set(key, events);
      } else if (event.kind === 'levels') {
        events.push(...movedLevels(position, events, bar, event.target, targetPrice(position, bar, config)));
      } else if (event.kind === 'leave') {
        // biome-ignore lint/style/noNonNullAssertion: a position that leaves has a reason
        events.push({ kind: 'leave', bar, isAtClose: true, price: null, reason: position.scheduledReason! });
      } else if (event.kind === 'sale') {
        const { price, size, reason } = event.sale;
        events.push({ ...filled('part', bar, price, size), reason });
      } else {
        // biome-ignore lint/style/noNonNullAssertion: the last sale is told before the exit
        events.push({ ...events.pop()!, kind: 'exit' });
        open.delete(key);
        done.push(events);
      }
    }
  }
  return done;
}

const filled = (kind: 'entry' | 'part', bar: number, price: number, size: number): TradeEvent => ({
  ...{ kind, bar, isAtClose: false, price, size },
});

const placedAt = (price: number, bar: number): TradeEvent => ({ kind: 'placed', bar, isAtClose: true, price });

/** The stop, if it differs from the one known so far, and the target, if it will differ in the next bar. */
function movedLevels(
  { stop }: Position,
  events: readonly TradeEvent[],
  bar: number,
  next: number | null,
  target: number,
): TradeEvent[] {
  const known = events.findLast(({ kind }) => kind === 'stop')?.price ?? null;
  const moved: TradeEvent[] = [];
  if (stop !== known) moved.push({ kind: 'stop', bar, isAtClose: true, price: stop });
  if (!Object.is(next ?? NaN, target)) moved.push({ kind: 'target', bar, isAtClose: true, price: next });
  return moved;
}
