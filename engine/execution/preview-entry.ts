import type { Account, Position, WorkingOrder } from './account.js';
import { openCounts } from './detail.js';
import { type FullConfig, fullConfig } from './full-config.js';
import type { SimulationInput } from './simulation.js';
import { type AccountEvent, BarStep } from './step.js';
import type { StepBar } from './step-bar.js';

/** The bar after a close, as far as an entry that may fill in it needs it. */
export type PreviewBar = Pick<StepBar, 'index' | 'time' | 'intervalMs' | 'volumeBefore'>;

interface Preview {
  /** What the entry would open; null where the account would refuse it. */
  readonly position: Position | null;
  /** Positions of the other side that it closes. */
  readonly closed: readonly Position[];
}

/**
 * What an entry decided at a close does if its fill price is `price`. The account does not change.
 *
 * @param order a working order; null for the entry that fills at the next open
 */
export function previewEntry(
  account: Account,
  order: WorkingOrder | null,
  price: number,
  bar: PreviewBar,
  given: SimulationInput['config'],
): Preview {
  const config: FullConfig = fullConfig(given);
  const next = structuredClone(account);
  const log: AccountEvent[] = [];
  const none = { long: false, short: false };
  const flat: StepBar = {
    ...bar,
    ...{ open: price, high: price, low: price, close: price, volume: bar.volumeBefore },
    ...{ entry: none, exit: none, atr: null, volatilityScale: null, volatility: null },
    ...{ funding: null, finer: null, isLast: false },
  };
  const run = new BarStep(next, flat, config, openCounts(), undefined, log);
  run.fillScheduled();
  const from = log.length;
  if (order === null) run.fillPending();
  else {
    const own = next.orders.find(({ side, level, lastBar }) => {
      return side === order.side && level === order.level && lastBar === order.lastBar;
    });
    if (own === undefined) throw new Error('the order does not work in this account');
    run.fillAtOpen(own);
  }
  const happened = log.slice(from);
  return {
    position: happened.find((event) => event.kind === 'entry')?.position ?? null,
    closed: happened.filter((event) => event.kind === 'exit').map(({ position }) => position),
  };
}
