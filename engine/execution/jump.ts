import { type BarSeries, countUpTo } from '../series/index.js';
import { accountValue, moveStop, type Position, signOf, type WorkingOrder } from './account.js';
import { borrowing, mayUseUp, payCarry } from './carry.js';
import { fundingBars, hasSettledFunding } from './funding.js';
import { hasGuard, readGuards } from './guards.js';
import { isMoving, nextEventOf, nextOf } from './next-event.js';
import type { Simulation, SimulationInput } from './simulation.js';
import type { AccountEvent } from './step.js';
import { SteppedRun } from './stepped-run.js';

/**
 * A whole run that uses sides, margin, orders or guards, equal to the loop over `step` in every
 * bit. It takes a step only at the bars in which something may happen, and in the quiet bars between
 * them only values the account, charges what is borrowed and reads the guards. An exit depends on
 * the data and its entry, so each position knows its next event from its entry on; stops that moved
 * in quiet bars catch up at the next event.
 *
 * @param log takes what happens, in order; levels that move in quiet bars are not told
 */
export function jump(input: SimulationInput, log: AccountEvent[] | null = null): Simulation {
  return new Jump(input, log).run();
}

/** The next bar in which something may happen to a position. */
interface Plan {
  readonly bar: number;
  /** Of the position when it was planned; a sale of a part changes what comes next. */
  readonly partsSold: number;
}

class Jump {
  private readonly stepped: SteppedRun;
  private readonly plans = new WeakMap<Position, Plan>();
  /** Bars whose rates are settled; none where no rate is charged. */
  private readonly settled: Int32Array;
  private readonly isCharged: boolean;
  private readonly isGuarded: boolean;
  private readonly isMoving: boolean;
  /** Bars through which stops have moved. */
  private movedThrough: number;

  constructor(
    private readonly input: SimulationInput,
    log: AccountEvent[] | null,
  ) {
    this.stepped = new SteppedRun(input, log);
    const { config } = this.stepped;
    this.settled = fundingBars(input.bars, config);
    this.isCharged = config.borrow_rate > 0 && !hasSettledFunding(input.bars);
    this.isGuarded = hasGuard(config);
    this.isMoving = isMoving(config);
    this.movedThrough = input.first - 1;
  }

  run(): Simulation {
    const { stepped, input } = this;
    const { barCount } = input.bars;
    for (let bar = input.first; bar < barCount; ) {
      bar = this.pass(bar, this.nextEvent(bar));
      if (bar >= barCount) break;
      this.moveStops(bar);
      stepped.step(bar);
      this.movedThrough = bar;
      bar++;
    }
    return stepped.finish();
  }

  /** First bar at or after `from` in which something may happen, or the number of bars. */
  private nextEvent(from: number): number {
    const { bars, entry, shortEntry } = this.input;
    const { pendingEntry, refusals, positions, orders } = this.stepped.account;
    if (pendingEntry !== null || refusals.length > 0) return from;
    let next = Math.min(nextOf(entry, from), nextOf(shortEntry, from), bars.barCount);
    for (const position of positions) {
      if (position.scheduledReason !== null) return from;
      next = Math.min(next, this.planOf(position, from));
    }
    if (positions.length > 0) next = Math.min(next, this.settled[countUpTo(this.settled, from - 1)] ?? next);
    return orders.length === 0 ? next : this.orderEvent(orders, from, next);
  }

  private planOf(position: Position, from: number): number {
    const known = this.plans.get(position);
    if (known !== undefined && known.bar >= from && known.partsSold === position.partsSold) return known.bar;
    const bar = nextEventOf(position, from, this.input, this.stepped.config);
    this.plans.set(position, { bar, partsSold: position.partsSold });
    return bar;
  }

  /** First bar from `from` on, but before `to`, in which an order may fill, expire or be cancelled. */
  private orderEvent(orders: readonly WorkingOrder[], from: number, to: number): number {
    const { bars, exit, shortExit } = this.input;
    const isLimit = this.stepped.config.entry_order === 'limit';
    let next = to;
    for (const { side, level, lastBar } of orders) {
      next = Math.min(next, lastBar, nextOf(side === 'long' ? exit : shortExit, from));
      const isBelow = (side === 'long') === isLimit;
      let bar = from;
      while (bar < next && !(isBelow ? bars.low[bar] <= level : bars.high[bar] >= level)) bar++;
      next = bar;
    }
    return next;
  }

  /**
   * Passes the quiet bars from `from` to `to` (exclusive).
   * @returns `to`, or the bar after the close at which a guard broke, or the one whose charge may use
   *   up a position
   */
  private pass(from: number, to: number): number {
    const { stepped, input } = this;
    const { account, config, equity, cash } = stepped;
    const { bars, first } = input;
    const { positions } = account;
    if (from >= to) return to;
    if (positions.length === 0) {
      this.passFlat(from, to);
      return to;
    }
    let bar = from;
    for (let isBroken = false; bar < to && !isBroken; bar++) {
      const close = bars.close[bar];
      if (this.isCharged) {
        const carry = borrowing(close, bars.intervalMs, config);
        if (positions.some((position) => mayUseUp(position, carry(position), close, config))) break;
        payCarry(account, carry, 'borrowPaid', close, config);
      }
      const value = accountValue(account, close, config);
      equity[bar - first] = value;
      if (cash !== null) cash[bar - first] = account.purse.cash;
      if (this.isGuarded) isBroken = this.readGuards(bar, value);
    }
    stepped.exposedBars += bar - from;
    stepped.moved.add(from - first, bar - first);
    return bar;
  }

  private passFlat(from: number, to: number): void {
    const { stepped, input } = this;
    const { equity, cash, account } = stepped;
    const { first } = input;
    if (cash === null) {
      // Metrics read only the ends of a flat range.
      equity[from - first] = account.purse.cash;
      equity[to - first - 1] = account.purse.cash;
    } else {
      equity.fill(account.purse.cash, from - first, to - first);
      cash.fill(account.purse.cash, from - first, to - first);
    }
    if (this.isGuarded) for (let bar = from; bar < to; bar++) this.readGuards(bar, account.purse.cash);
  }

  /** Reads the guards at a close; one that breaks sells every position at the next open. */
  private readGuards(bar: number, value: number): boolean {
    const { account, config } = this.stepped;
    const { time, close } = this.input.bars;
    let openLoss = 0;
    for (const { side, size, entryPrice } of account.positions) {
      openLoss -= signOf(side) * size * (close[bar] - entryPrice);
    }
    const isBroken = readGuards(account.guard, { index: bar, time: time[bar] }, value, openLoss, config);
    if (isBroken) for (const position of account.positions) position.scheduledReason = 'GUARD';
    return isBroken;
  }

  /** Moves the stops at the closes of the quiet bars before `bar`. */
  private moveStops(bar: number): void {
    const { bars } = this.input;
    const { account, config } = this.stepped;
    const from = this.movedThrough + 1;
    this.movedThrough = bar - 1;
    if (!this.isMoving || from >= bar) return;
    for (const position of account.positions) {
      // A stop follows the best price alone, so the best of all these bars moves it as each would.
      moveStop(position, bar - 1, bestBetween(bars, position, from, bar), config);
    }
  }
}

/** The best price for a position from bar `from` to `to` (exclusive). */
function bestBetween({ high, low }: BarSeries, { side }: Position, from: number, to: number): number {
  let best = side === 'long' ? -Infinity : Infinity;
  if (side === 'long') for (let bar = from; bar < to; bar++) best = Math.max(best, high[bar]);
  else for (let bar = from; bar < to; bar++) best = Math.min(best, low[bar]);
  return best;
}
