import {
  type Account,
  heldOf,
  levelsOf,
  moveStop,
  openAccount,
  openPurse,
  type Position,
  signOf,
} from '../execution/account.js';
import { borrowing, payCarry, settledFunding } from '../execution/carry.js';
import { decideExit } from '../execution/exits.js';
import { type FullConfig, fullConfig } from '../execution/full-config.js';
import { fundingRate, hasSettledFunding } from '../execution/funding.js';
import { jump } from '../execution/jump.js';
import { fillSales, openProfit } from '../execution/sales.js';
import type { SimulationInput } from '../execution/simulation.js';
import type { AccountEvent } from '../execution/step.js';
import {
  adverseOf,
  type Fill,
  favourableOf,
  levelsReached,
  type PriceRange,
  touch,
  touchLoss,
} from '../execution/touches.js';
import type { ExitReason, Trade } from '../execution/trade.js';
import { getBit, type Mask } from '../series/index.js';

/** The lowest and the highest profit that the position of a trade could have made in the same bars. */
export interface ProfitBounds {
  readonly trade: Trade;
  readonly low: number;
  readonly high: number;
}

export type Entry = Extract<AccountEvent, { readonly kind: 'entry' }>;
type Exit = Extract<AccountEvent, { readonly kind: 'exit' }>;

/**
 * The trades of a run, each with the bounds of its profit over all orders of events that its bars
 * leave open. A bar tells its extremes and not which came first: whether the stop came before a
 * target, and, where an order filled inside the bar, whether they came before the entry. Prices are
 * taken to move without jumps inside a bar. Entries and sizes stay as in the run, each position is
 * alone, and carry is paid from cash. A guard sells what the run still held when it broke.
 */
export function profitBounds(input: SimulationInput): ProfitBounds[] {
  const log: AccountEvent[] = [];
  jump(input, log);
  const walk = new Walk(input);
  const entries = new Map<string, Entry>();
  const bounds: ProfitBounds[] = [];
  for (const event of log) {
    if (event.kind !== 'entry' && event.kind !== 'exit') continue;
    const { side, entryBar } = event.position;
    const key = `${side} ${entryBar}`; // no side enters twice in a bar
    if (event.kind === 'entry') entries.set(key, event);
    // biome-ignore lint/style/noNonNullAssertion: what leaves has entered
    else bounds.push(walk.profitBounds(entries.get(key)!, event));
  }
  return bounds;
}

/** Follows positions of a run to their ends. */
export class Walk {
  private readonly config: FullConfig;

  constructor(private readonly input: SimulationInput) {
    this.config = fullConfig(input.config);
  }

  profitBounds(entry: Entry, { position, trade }: Exit): ProfitBounds {
    const ends = this.isDoubtful(entry.position, position, trade.exitBar) ? this.possibleEnds(entry, trade) : [];
    const profits = [trade, ...ends].map(({ profitLoss }) => profitLoss);
    return { trade, low: Math.min(...profits), high: Math.max(...profits) };
  }

  /**
   * The trades that an entry may become: for each way and bar of ending, at least the worst and the
   * best trade.
   * @param trade what it became in the run, if it entered there
   */
  possibleEnds(entry: Entry, trade: Trade | null): Trade[] {
    const ends: Trade[] = [];
    let open = [this.alone(entry.position)];
    for (let bar = entry.position.entryBar; open.length > 0; bar++) {
      open = this.outermost(
        open.flatMap((account) => this.pass(account, bar, entry, trade, ends)),
        bar,
      );
    }
    return ends;
  }

  /** Whether the bar that a position entered inside reaches a level of it, or its last one two. */
  private isDoubtful(entered: Position, left: Position, exitBar: number): boolean {
    const { entryBar, isFilledInside } = entered;
    return (isFilledInside && this.reached(entered, entryBar) > 0) || this.reached(left, exitBar) > 1;
  }

  private reached(position: Position, bar: number): number {
    const levels = levelsOf(position, bar, this.config);
    return levelsReached(heldOf(position), levels, this.priceRange(bar)).filter((isReached) => isReached).length;
  }

  /** A position in an account of its own, with all the cash that its carry may ask for. */
  private alone(position: Position): Account {
    const copy = { ...position, exits: [...position.exits] };
    return { ...openAccount(this.config, { purse: openPurse(Infinity) }), positions: [copy] };
  }

  /**
   * Takes a position through a bar in every order of events.
   * @param ends takes the trades of the orders that close it
   * @returns the accounts of the others
   */
  private pass(account: Account, bar: number, entry: Entry, trade: Trade | null, ends: Trade[]): Account[] {
    const { input, config } = this;
    const { bars } = input;
    // biome-ignore lint/style/noNonNullAssertion: accounts that go on hold their position
    const held = account.positions[0]!;
    const close = bars.close[bar];
    const ways = this.salesIn(held, bar, entry, trade);
    return ways.flatMap((fills) => {
      const branch = ways.length === 1 ? account : this.alone(held);
      // biome-ignore lint/style/noNonNullAssertion: the position or its copy
      const position = branch.positions[0]!;
      const sell = (sales: readonly Fill[]) =>
        fillSales(branch, position, sales, { index: bar, volumeBefore: bars.volume[bar - 1] }, config, ends);
      sell(fills);
      const { paidAs, carry } = hasSettledFunding(bars)
        ? { paidAs: 'fundingPaid' as const, carry: settledFunding(close, fundingRate(bars, bar, config)) }
        : { paidAs: 'borrowPaid' as const, carry: borrowing(close, bars.intervalMs, config) };
      payCarry(branch, carry, paidAs, close, config);
      if (position.size > 0 && bar === bars.barCount - 1) sell([whole(position, close, 'END')]);
      if (position.size === 0) return [];
      moveStop(position, bar, favourableOf(this.priceRange(bar), signOf(position.side)), config);
      const rule = position.side === 'long' ? input.exit : input.shortExit;
      const isLeft = rule !== undefined && getBit(rule, bar);
      position.scheduledReason = decideExit(position, signOf(position.side), bar, close, isLeft, config);
      return [branch];
    });
  }

  /** The sales of a position in a bar, once for each order of events that the bar leaves open. */
  private salesIn(position: Position, bar: number, { order }: Entry, trade: Trade | null): Fill[][] {
    const { config } = this;
    const range = this.priceRange(bar);
    const { exitBar = Infinity, exitReason = null } = trade ?? {};
    const isForced = bar === exitBar && (exitReason === 'GUARD' || exitReason === 'OPPOSITE');
    const reason = position.scheduledReason ?? (isForced ? exitReason : null);
    if (reason !== null) return [[whole(position, range.open, reason)]];

    const levels = levelsOf(position, bar, config);
    const { sign } = levels;
    const isEntered = position.isFilledInside && bar === position.entryBar;
    const open = isEntered ? position.entryPrice : range.open;
    const ways: Fill[][] = [];
    if (bar > exitBar && this.isOpposed(position, bar)) ways.push([whole(position, open, 'OPPOSITE')]);

    const atOpen: Fill[] = [];
    const left = heldOf(position);
    if (!isEntered) touch(left, levels, { open, high: open, low: open }, atOpen);
    if (left.size === 0) return [...ways, atOpen];
    const best = sign * Math.max(sign * open, sign * favourableOf(range, sign));
    const gains: Fill[] = [];
    touch(heldOf(position), levels, { open, high: Math.max(open, best), low: Math.min(open, best) }, gains);
    const loss = Math.max(
      ...[levels.stop, levels.liquidation].map((level) => (Number.isNaN(level) ? -Infinity : sign * level)),
    );
    const isLost = sign * adverseOf(range, sign) <= loss;
    // A limit order fills on the way to the loss. After a stop order, only a close beyond it tells.
    const isCertain =
      config.entry_order === 'limit' ||
      sign * this.input.bars.close[bar] <= loss ||
      sign * (order?.level ?? NaN) <= loss;
    for (let count = atOpen.length; ; count++) {
      const taken = gains.slice(0, count);
      const isAll = count === gains.length;
      if (left.size === 0) return [...ways, taken];
      if (isLost) {
        const losses: Fill[] = [];
        touchLoss({ ...left }, levels, range, losses);
        ways.push([...taken, ...losses]);
      }
      if (isEntered ? !(isLost && isCertain) : !isLost && isAll) ways.push(taken);
      if (isAll) return ways;
      left.size -= gains[count].size;
      left.partsSold++;
    }
  }

  /** Whether an entry of the other side is wanted at an open, which sells the position unless a gate denies it. */
  private isOpposed({ side }: Position, bar: number): boolean {
    const { opposite_entry } = this.config;
    if (opposite_entry !== 'close' && opposite_entry !== 'reverse') return false;
    const { entry, exit, shortEntry, shortExit } = this.input;
    const [own, other, otherExit] = side === 'long' ? [entry, shortEntry, shortExit] : [shortEntry, entry, exit];
    const isSet = (mask: Mask | undefined) => mask !== undefined && getBit(mask, bar - 1);
    return isSet(other) && !isSet(otherExit) && !isSet(own);
  }

  /**
   * Of accounts that have sold as much, the two that have earned the least and the most; what
   * follows is alike.
   */
  private outermost(accounts: readonly Account[], bar: number): Account[] {
    const earned = ({ positions: [position] }: Account) =>
      // biome-ignore lint/style/noNonNullAssertion: accounts that go on hold their position
      openProfit(position!, this.input.bars.close[bar], this.config);
    const ends = new Map<number | undefined, [Account, Account]>();
    for (const account of accounts) {
      const sold = account.positions[0]?.partsSold;
      const [low, high] = ends.get(sold) ?? [account, account];
      ends.set(sold, [earned(account) < earned(low) ? account : low, earned(account) > earned(high) ? account : high]);
    }
    return [...ends.values()].flatMap(([low, high]) => (low === high ? [low] : [low, high]));
  }

  private priceRange(bar: number): PriceRange {
    const { open, high, low } = this.input.bars;
    return { open: open[bar], high: high[bar], low: low[bar] };
  }
}

const whole = ({ size }: Position, raw: number, reason: ExitReason): Fill => ({
  size,
  raw,
  reason,
  isLimit: false,
});
