import { ADMITTED, Denial } from '../formulas/gates.js';
import { orderLevel } from '../formulas/touches.js';
import {
  type Account,
  accountValue,
  type Decision,
  heldOf,
  levelsOf,
  moveStop,
  openLossOf,
  type Position,
  type Refusal,
  type Side,
  signOf,
  targetPrice,
  type WorkingOrder,
} from './account.js';
import { borrowing, payCarry, settledFunding } from './carry.js';
import { type DenialReason, denialReasons } from './denials.js';
import { type DetailCounts, type InsideEntry, openCounts, walkEntry, walkPosition } from './detail.js';
import {
  countGate,
  type EntryFill,
  hasOpposite,
  openingGate,
  openPosition,
  proposeEntry,
  type Standing,
} from './entry.js';
import { decideExit } from './exits.js';
import type { FullConfig } from './full-config.js';
import { isGuarded, readGuards } from './guards.js';
import { dropOrder, isFilledAtOpen, orderOffset } from './orders.js';
import { fillSales } from './sales.js';
import type { StepBar } from './step-bar.js';
import { type Fill, favourableOf, touch } from './touches.js';
import type { ExitReason, PartExit, Trade } from './trade.js';

const sides = ['long', 'short'] as const;

interface StepResult {
  /** Trades closed in this bar, in order. */
  readonly trades: readonly Trade[];
  readonly denials: readonly Refusal[];
  /** A position was open after the fills at the open, or was opened inside the bar. */
  readonly isExposed: boolean;
  /** Account value at the close. */
  readonly value: number;
}

/** What happens to an account in a bar. Positions and orders are copies, as they stood then. */
export type AccountEvent =
  /** An entry filled, at the open or inside the bar; `order` is the working order that it was, or null. */
  | { readonly kind: 'entry'; readonly position: Position; readonly order: WorkingOrder | null }
  /** A part of a position was sold, or all that was left of it; then `exit` follows. */
  | { readonly kind: 'sale'; readonly position: Position; readonly sale: PartExit }
  | { readonly kind: 'exit'; readonly position: Position; readonly trade: Trade }
  | ({ readonly kind: 'denial' } & Refusal)
  /** At the close: stop and target of a position from the next bar on, where one of them changed. */
  | { readonly kind: 'levels'; readonly position: Position; readonly target: number | null }
  /** At the close: all that is left of a position is sold at the next open. */
  | { readonly kind: 'leave'; readonly position: Position }
  /** At the close: an entry order works from the next bar on, or no longer. */
  | { readonly kind: 'placed' | 'expired' | 'cancelled'; readonly order: WorkingOrder }
  /** At the close: an entry at the next open. */
  | { readonly kind: 'enter'; readonly decision: Decision };

/**
 * Moves an account through one bar, changing it in place. At the open, scheduled exits fill, then
 * the pending entry and working orders. Inside the bar, stops, targets and orders fill. At the
 * close, carry is paid, stops move, the account is valued, and exits, entries and orders are
 * decided. So nothing decided at a close fills before the next open. All state is in the account,
 * which may be stored as JSON between any two bars.
 *
 * @param log takes what happens, in order
 */
export function step(
  account: Account,
  bar: StepBar,
  config: FullConfig,
  counts: DetailCounts = openCounts(),
  log: AccountEvent[] | null = null,
): StepResult {
  const run = new BarStep(account, bar, config, counts, undefined, log);
  run.fillScheduled();
  run.fillPending();
  for (const order of run.ordersAtOpen()) run.fillAtOpen(order);
  const isHeld = account.positions.length > 0;
  run.judgePositions();
  const opened = run.ordersInside().map((order) => run.fillInside(order));
  for (const one of opened) if (one !== null) run.judgeOpened(one);
  run.payCarry();
  if (bar.isLast) run.sellRest();
  run.moveStops();
  const value = accountValue(account, bar.close, config);
  run.decideExits(readGuards(account.guard, bar, value, openLossOf(account, bar.close), config));
  run.decideEntries();
  return { trades: run.trades, denials: run.denials, isExposed: isHeld || run.isOpenedInside, value };
}

/** Where an account of its own stands. */
const ownStanding = (account: Account, bar: StepBar, config: FullConfig): Standing => ({
  value: accountValue(account, bar.open, config),
  weight: 1,
  isGuarded: isGuarded(account.guard, bar.index, bar.time),
  isFull: false,
  room: Infinity,
});

/** A working order that fills inside a bar, and a position that it opened. */
interface InsideOrder {
  readonly order: WorkingOrder;
  readonly entry: InsideEntry;
}
interface OpenedInside {
  readonly position: Position;
  readonly entry: InsideEntry;
}

/**
 * The steps of one bar of an account, or of one member of a portfolio, which passes through them
 * beside the others. Between the steps the caller takes what was closed and denied.
 */
export class BarStep {
  readonly trades: Trade[] = [];
  readonly denials: Refusal[] = [];
  #isOpenedInside = false;

  /** @param standing of the account at the open of the bar, as the fills so far have left it */
  constructor(
    private readonly account: Account,
    private readonly bar: StepBar,
    private readonly config: FullConfig,
    private readonly counts: DetailCounts,
    private readonly standing: () => Standing = () => ownStanding(account, bar, config),
    private readonly log: AccountEvent[] | null = null,
  ) {}

  fillScheduled(): void {
    for (const position of [...this.account.positions]) {
      const { scheduledReason: reason } = position;
      if (reason !== null) this.sellWhole(position, this.bar.open, reason);
    }
  }

  /** Tells what the last close refused, and fills the entry that it decided. */
  fillPending(): void {
    const { account, bar } = this;
    const { pendingEntry, refusals } = account;
    if (refusals.length > 0) account.refusals = [];
    for (const refusal of refusals) this.refuse(refusal);
    if (pendingEntry === null) return;
    account.pendingEntry = null; // never retried
    this.enter(pendingEntry, { raw: bar.open, isLimit: false, isInside: false });
  }

  /** The working orders that the open fills, older first. */
  ordersAtOpen(): WorkingOrder[] {
    const { account, bar } = this;
    return account.orders.filter((order) => isFilledAtOpen(order, this.isLimit, bar.open));
  }

  fillAtOpen(order: WorkingOrder): void {
    dropOrder(this.account, order);
    this.enter(order, { raw: this.bar.open, isLimit: this.isLimit, isInside: false }, order);
  }

  /** Sells what the bar touches of the positions that were open after its open. */
  judgePositions(): void {
    const { account, bar, config, counts } = this;
    for (const position of [...account.positions]) {
      const levels = levelsOf(position, bar.index, config);
      const own: Fill[] = [];
      touch(heldOf(position), levels, bar, own);
      this.sell(
        position,
        bar.finer === null ? own : walkPosition(heldOf(position), levels, bar, bar.finer, own, counts),
      );
    }
  }

  /** The working orders that fill inside the bar, older first. */
  ordersInside(): InsideOrder[] {
    const { account, bar } = this;
    return account.orders.flatMap((order) => {
      const entry = walkEntry(order, this.isLimit, bar, bar.finer);
      return entry === null ? [] : [{ order, entry }];
    });
  }

  /** @returns what it opened; it is judged when all orders of the bar have filled */
  fillInside({ order, entry }: InsideOrder): OpenedInside | null {
    dropOrder(this.account, order);
    const position = this.enter(order, { raw: entry.raw, isLimit: this.isLimit, isInside: true }, order);
    if (position === null) return null;
    this.#isOpenedInside = true;
    return { position, entry };
  }

  judgeOpened({ position, entry }: OpenedInside): void {
    const { bar, config, counts } = this;
    this.sell(position, entry.judge(heldOf(position), levelsOf(position, bar.index, config), counts));
  }

  get isOpenedInside(): boolean {
    return this.#isOpenedInside;
  }

  payCarry(): void {
    const { account, bar, config } = this;
    const { close, funding } = bar;
    const usedUp =
      funding === null
        ? payCarry(account, borrowing(close, bar.intervalMs, config), 'borrowPaid', close, config)
        : payCarry(account, settledFunding(close, funding), 'fundingPaid', close, config);
    for (const position of usedUp) {
      this.sellWhole(position, levelsOf(position, bar.index, config).bankruptcy, 'LIQUIDATION');
    }
  }

  sellRest(): void {
    for (const position of [...this.account.positions]) this.sellWhole(position, this.bar.close, 'END');
  }

  moveStops(): void {
    const { account, bar, config, log } = this;
    for (const position of account.positions) {
      const { stop } = position;
      moveStop(position, bar.index, favourableOf(bar, signOf(position.side)), config);
      if (log === null) continue;
      const target = targetPrice(position, bar.index + 1, config);
      if (position.stop === stop && Object.is(target, targetPrice(position, bar.index, config))) continue;
      log.push({ kind: 'levels', position: copy(position), target: Number.isNaN(target) ? null : target });
    }
  }

  /** Schedules exits for the next open; a guard that breaks sells everything. */
  decideExits(isGuardBroken: boolean): void {
    const { account, bar, config } = this;
    for (const position of account.positions) {
      if (position.entryBar > bar.index) continue; // bought after this close
      position.scheduledReason = isGuardBroken
        ? 'GUARD'
        : decideExit(position, signOf(position.side), bar.index, bar.close, bar.exit[position.side], config);
      if (position.scheduledReason !== null) this.log?.push({ kind: 'leave', position: copy(position) });
    }
  }

  /** Ends the orders whose last bar this was. */
  expireOrders(): void {
    const { account, bar } = this;
    for (const order of account.orders.filter(({ lastBar }) => lastBar <= bar.index)) this.expire(order);
  }

  decideEntries(): void {
    if (this.config.entry_order === 'market') this.decideEntry();
    else for (const side of sides) this.decideOrder(side);
  }

  private get isLimit(): boolean {
    return this.config.entry_order === 'limit';
  }

  private sell(position: Position, fills: readonly Fill[]): void {
    const { account, bar, config, trades, log } = this;
    const before = position.exits.length;
    fillSales(account, position, fills, bar, config, trades);
    if (log === null) return;
    const sold = copy(position);
    for (const { bar: at, price, size, reason } of sold.exits.slice(before)) {
      log.push({ kind: 'sale', position: sold, sale: { bar: at, price, size, reason } });
    }
    // biome-ignore lint/style/noNonNullAssertion: the sale that closes a position makes its trade
    if (position.size === 0) log.push({ kind: 'exit', position: sold, trade: trades.at(-1)! });
  }

  /** Sells all that is left of a position at a raw price. */
  sellWhole(position: Position, raw: number, reason: ExitReason): void {
    this.sell(position, [{ size: position.size, raw, reason, isLimit: false }]);
  }

  /** Passes the gates and opens a position, or tells why not. */
  private enter(decision: Decision, fill: EntryFill, order: WorkingOrder | null = null): Position | null {
    const { account, bar, config, log } = this;
    const admitted = this.admit(decision.side);
    const proposed =
      typeof admitted === 'number' ? admitted : proposeEntry(admitted, account, bar, decision, fill, config);
    if (typeof proposed === 'number') {
      this.refuse({ side: decision.side, reason: denialReasons[proposed] });
      return null;
    }
    openPosition(account, proposed, bar.time, config);
    log?.push({ kind: 'entry', position: copy(proposed), order });
    return proposed;
  }

  private refuse(refusal: Refusal): void {
    this.denials.push(refusal);
    this.log?.push({ kind: 'denial', ...refusal });
  }

  /** @returns where the account stands for the entry, or the code of the first gate that fails */
  private admit(side: Side): Standing | number {
    const { account, bar, config } = this;
    let standing = this.standing();
    let gate = openingGate(standing, account, bar, config);
    if (gate !== ADMITTED) return gate;
    if (hasOpposite(account, side) && config.opposite_entry !== 'hedge') {
      if (config.opposite_entry === 'deny') return Denial.opposite_position;
      this.sellOpposite(side);
      if (config.opposite_entry === 'close') return Denial.opposite_position;
      standing = this.standing(); // of the account after the sale
      gate = openingGate(standing, account, bar, config);
      if (gate !== ADMITTED) return gate;
    }
    gate = countGate(standing, account, bar, config);
    return gate === ADMITTED ? standing : gate;
  }

  private sellOpposite(side: Side): void {
    for (const position of this.account.positions.filter((one) => one.side !== side)) {
      this.sellWhole(position, this.bar.open, 'OPPOSITE');
    }
  }

  private decideEntry(): void {
    const { account, bar } = this;
    for (const side of sides) {
      if (!bar.entry[side]) continue;
      const reason = conflict(bar, side);
      if (reason !== null) {
        account.refusals.push({ side, reason });
        continue;
      }
      account.pendingEntry = this.decisionFor(side);
      this.log?.push({ kind: 'enter', decision: account.pendingEntry });
    }
  }

  /** Expires, cancels or places the entry order of a side. */
  private decideOrder(side: Side): void {
    const { account, bar } = this;
    let working = account.orders.find((order) => order.side === side);
    const isExpired = working?.lastBar === bar.index;
    if (working !== undefined && isExpired) {
      this.expire(working);
      working = undefined;
    } else if (working !== undefined && bar.exit[side]) {
      account.refusals.push({ side, reason: 'exit_conflict' });
      dropOrder(account, working);
      this.log?.push({ kind: 'cancelled', order: working });
      working = undefined;
    }
    if (!bar.entry[side]) return;
    const reason = conflict(bar, side) ?? (working === undefined ? null : 'order_working');
    if (reason === null) this.place(side);
    else account.refusals.push({ side, reason });
  }

  private expire(order: WorkingOrder): void {
    this.account.ordersExpired++;
    dropOrder(this.account, order);
    this.log?.push({ kind: 'expired', order });
  }

  private place(side: Side): void {
    const { account, bar, config } = this;
    const offset = orderOffset(bar, config);
    if (offset === null) {
      account.refusals.push({ side, reason: 'atr_warmup' });
      return;
    }
    const level = orderLevel(signOf(side), this.isLimit, bar.close, offset);
    const order = { ...this.decisionFor(side), level, lastBar: bar.index + config.entry_valid_bars };
    account.orders.push(order);
    account.ordersPlaced++;
    this.log?.push({ kind: 'placed', order });
  }

  private decisionFor(side: Side): Decision {
    const { atr, volatilityScale, volatility, volume } = this.bar;
    return { side, atr, volatilityScale, volatility, volume };
  }
}

const copy = (position: Position): Position => ({ ...position, exits: [...position.exits] });

/** Why the rules of a close contradict an entry of a side; null where they do not. */
function conflict({ entry, exit }: StepBar, side: Side): DenialReason | null {
  if (exit[side]) return 'exit_conflict';
  return entry.long && entry.short ? 'side_conflict' : null;
}
