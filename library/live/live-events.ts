import {
  type Account,
  type AccountEvent,
  type DenialReason,
  type ExecutionConfig,
  fullConfig,
  inLots,
  inTicks,
  type PartExit,
  type Position,
  type PreviewBar,
  previewEntry,
  type Trade,
  targetPrice,
  type Venue,
  type WorkingOrder,
} from '../../engine/execution/index.js';
import type { BarSeries } from '../../engine/series/index.js';

type EntrySide = 'enter_long' | 'enter_short';
type ExitSide = 'exit_long' | 'exit_short';

/** What a bar brought. Entries and exits are filled by the rules of a backtest. */
export type LiveEvent =
  /** Filled at the open of the bar or, a working order, inside it. */
  | { readonly kind: 'entry'; readonly time: number; readonly side: EntrySide; readonly position: LiveHeld }
  /** Sold at the open of the bar or inside it, by a stop or target. */
  | { readonly kind: 'exit'; readonly time: number; readonly side: ExitSide; readonly trade: Trade }
  /** A part was sold (`scale_out`); the position stays open. */
  | {
      readonly kind: 'part';
      readonly time: number;
      readonly side: ExitSide;
      readonly position: LiveHeld;
      readonly sale: PartExit;
    }
  /** The entry wanted at a close before was refused. */
  | { readonly kind: 'denial'; readonly time: number; readonly side: EntrySide; readonly reason: DenialReason }
  /**
   * At the close of the bar: an order for the next open. A bot acts on this and on those below.
   * `order` is what an open at this close would fill; null where the account would refuse it then.
   */
  | {
      readonly kind: 'enter';
      readonly time: number;
      readonly side: EntrySide;
      readonly order: LiveOrder | null;
      /** Positions of the other side that it closes (`opposite_entry`). */
      readonly closes: readonly LiveHeld[];
    }
  /** At the close: an entry order that works from the next bar on, for `bars` bars. */
  | {
      readonly kind: 'place';
      readonly time: number;
      readonly side: EntrySide;
      readonly level: number;
      readonly bars: number;
      readonly order: LiveOrder | null;
    }
  /** At the close: such an order works no longer. */
  | {
      readonly kind: 'cancel';
      readonly time: number;
      readonly side: EntrySide;
      readonly level: number;
      readonly reason: 'expired' | 'exit_rule';
    }
  /** At the close: stop and target of a position from the next bar on, where one of them changed. */
  | {
      readonly kind: 'levels';
      readonly time: number;
      readonly side: ExitSide;
      readonly position: LiveHeld;
      readonly stopPrice: number | null;
      readonly targetPrice: number | null;
    }
  /** At the close: `size`, all that is left of a position, is to be sold at the next open. */
  | {
      readonly kind: 'leave';
      readonly time: number;
      readonly side: ExitSide;
      readonly position: LiveHeld;
      readonly size: number;
    };

/** An open position, exact and not rounded to the steps of a venue. */
export interface LiveHeld {
  readonly side: 'long' | 'short';
  /** Index of its bar, counted from the first bar of the history. */
  readonly entryBar: number;
  readonly entryPrice: number;
  /** The remaining size. */
  readonly size: number;
  readonly stopPrice: number | null;
  readonly targetPrice: number | null;
  readonly liquidationPrice: number | null;
  readonly entryFee: number;
}

/**
 * An order for a venue: prices in the quote currency, size in the base asset, both rounded where
 * `tick_size` and `lot_size` are given.
 */
export interface LiveOrder {
  readonly side: EntrySide;
  readonly type: 'market' | 'limit' | 'stop';
  /** Level of a limit or stop order; of a market order the fill at an open that equals the close, slippage included. */
  readonly price: number;
  readonly size: number;
  readonly stopPrice: number | null;
  readonly targetPrice: number | null;
  /** Parts to sell on the way, nearest first; null without `scale_out`. */
  readonly scaleOut: readonly { readonly price: number; readonly size: number }[] | null;
}

const entrySide = (side: 'long' | 'short'): EntrySide => (side === 'long' ? 'enter_long' : 'enter_short');
const exitSide = (side: 'long' | 'short'): ExitSide => (side === 'long' ? 'exit_long' : 'exit_short');

/** What the translation of events reads of a run. */
export interface EventContext {
  readonly config: ExecutionConfig;
  readonly venue: Venue;
}

const finite = (level: number | null): number | null => (level === null || !Number.isFinite(level) ? null : level);

/** @param bar in which its levels are read */
function heldPosition(position: Position, bar: number, config: ExecutionConfig): LiveHeld {
  const { side, entryBar, entryPrice, size, stop, liquidation, entryFee } = position;
  const target = targetPrice(position, bar, fullConfig(config));
  return {
    ...{ side, entryBar, entryPrice, size, entryFee },
    ...{ stopPrice: stop, targetPrice: finite(target), liquidationPrice: liquidation },
  };
}

interface OrderFacts {
  readonly type: LiveOrder['type'];
  readonly side: 'long' | 'short';
  readonly price: number;
  readonly size: number;
  readonly stopPrice: number | null;
  readonly targetPrice: number | null;
  readonly parts: readonly { readonly price: number; readonly size: number }[] | null;
}

/** The order in the steps of the venue; null where its size is below one lot. */
function toLiveOrder(facts: OrderFacts, venue: Venue): LiveOrder | null {
  const isLong = facts.side === 'long';
  const size = inLots(facts.size, venue);
  if (size === 0) return null;
  const sale = (level: number | null) => (level === null ? null : inTicks(level, !isLong, venue));
  return {
    side: entrySide(facts.side),
    type: facts.type,
    price: facts.type === 'market' ? facts.price : inTicks(facts.price, isLong, venue),
    size,
    stopPrice: sale(facts.stopPrice),
    targetPrice: sale(facts.targetPrice),
    scaleOut:
      facts.parts?.map((part) => ({
        price: inTicks(part.price, !isLong, venue),
        size: inLots(part.size, venue),
      })) ?? null,
  };
}

function venueOrder(
  type: LiveOrder['type'],
  position: Position,
  price: number,
  bar: number,
  { config, venue }: EventContext,
): LiveOrder | null {
  const { side, entryPrice, firstSize, distance, firstStop } = position;
  const sign = side === 'long' ? 1 : -1;
  const full = fullConfig(config);
  return toLiveOrder(
    {
      ...{ type, side, price, size: firstSize, stopPrice: firstStop },
      targetPrice: finite(targetPrice(position, bar, full)),
      parts:
        full.scale_out?.map(([at, part]) => ({
          price: entryPrice + sign * at * distance,
          size: part * firstSize,
        })) ?? null,
    },
    venue,
  );
}

/** The events of a bar, as a bot reads them. */
export function liveEvents(
  log: readonly AccountEvent[],
  account: Account,
  bars: BarSeries,
  context: EventContext,
): LiveEvent[] {
  const index = bars.barCount - 1;
  const time = bars.time[index] ?? NaN;
  const close = time + bars.intervalMs;
  const next: PreviewBar = {
    ...{ index: index + 1, time: close, intervalMs: bars.intervalMs },
    volumeBefore: bars.volume[index] ?? NaN,
  };
  const at: At = { ...context, account, bars, index, time, close, next };
  const events = log.flatMap((event) => toLiveEvents(event, at));
  // Where the exit rule refuses it at the same close, a plain strategy hears of the entry all the same.
  const refused = account.isPlain === true ? account.refusals : [];
  for (const { side } of refused)
    events.push({ kind: 'enter', time: close, side: entrySide(side), order: null, closes: [] });
  return events;
}

interface At extends EventContext {
  readonly account: Account;
  readonly bars: BarSeries;
  readonly index: number;
  readonly time: number;
  readonly close: number;
  /** The bar after this one. */
  readonly next: PreviewBar;
}

function toLiveEvents(event: AccountEvent, at: At): LiveEvent[] {
  const { account, bars, index, time, close, next, config, venue } = at;
  switch (event.kind) {
    case 'entry': {
      const { position } = event;
      return [{ kind: 'entry', time, side: entrySide(position.side), position: heldPosition(position, index, config) }];
    }
    case 'sale': {
      const { position, sale } = event;
      if (sale.reason !== 'SCALE_OUT' || isLastSale(position, sale)) return [];
      const held = heldPosition(position, index, config);
      return [{ kind: 'part', time, side: exitSide(position.side), position: held, sale }];
    }
    case 'exit':
      return [{ kind: 'exit', time, side: exitSide(event.position.side), trade: event.trade }];
    case 'denial':
      return [{ kind: 'denial', time, side: entrySide(event.side), reason: event.reason }];
    case 'enter': {
      const { decision } = event;
      const { position, closed } = previewEntry(account, null, bars.close[index] ?? NaN, next, config);
      const order = position && venueOrder('market', position, position.entryPrice, next.index, at);
      const closes = closed.map((one) => heldPosition(one, next.index, config));
      return [{ kind: 'enter', time: close, side: entrySide(decision.side), order, closes }];
    }
    case 'placed':
      return [placed(event.order, account, next, close, at)];
    case 'expired':
    case 'cancelled': {
      const { side, level } = event.order;
      const reason = event.kind === 'expired' ? 'expired' : 'exit_rule';
      const rounded = inTicks(level, side === 'long', venue);
      return [{ kind: 'cancel', time: close, side: entrySide(side), level: rounded, reason }];
    }
    case 'levels': {
      const { position } = event;
      const held = heldPosition(position, next.index, config);
      const rounded = (level: number | null) =>
        level === null ? null : inTicks(level, position.side === 'short', venue);
      return [
        {
          ...{ kind: 'levels', time: close, side: exitSide(position.side), position: held },
          ...{ stopPrice: rounded(held.stopPrice), targetPrice: rounded(held.targetPrice) },
        },
      ];
    }
    case 'leave': {
      const held = heldPosition(event.position, next.index, config);
      return [
        { kind: 'leave', time: close, side: exitSide(held.side), position: held, size: inLots(held.size, venue) },
      ];
    }
  }
}

/** A sale that leaves nothing is told as the exit. */
const isLastSale = ({ size, exits }: Position, sale: PartExit): boolean =>
  size === 0 && exits.at(-1)?.price === sale.price && exits.at(-1)?.size === sale.size;

function placed(
  order: WorkingOrder,
  account: Account,
  next: PreviewBar,
  time: number,
  context: EventContext,
): LiveEvent {
  const { side, level, lastBar } = order;
  const type = fullConfig(context.config).entry_order === 'limit' ? 'limit' : 'stop';
  const { position } = previewEntry(account, order, level, next, context.config);
  return {
    ...{ kind: 'place', time, side: entrySide(side), level: inTicks(level, side === 'long', context.venue) },
    bars: lastBar - next.index + 1,
    order: position && venueOrder(type, position, level, next.index, context),
  };
}
