import { type Account, openAccount, openPurse } from '../execution/account.js';
import { bookLoss } from '../execution/cooldown.js';
import { countGate, openingGate, openPosition, proposeEntry, type Standing } from '../execution/entry.js';
import { type FullConfig, fullConfig } from '../execution/full-config.js';
import { hasSettledFunding } from '../execution/funding.js';
import { hasGuard } from '../execution/guards.js';
import type { SimulationInput, Trade } from '../execution/index.js';
import { isBookedLoss, isTierOn } from '../formulas/cooldown-rules.js';
import { ADMITTED } from '../formulas/gates.js';
import { utcDay } from '../formulas/prices-and-sizes.js';
import { isMargined } from '../formulas/sides.js';
import { countBits, DAY_MS } from '../series/index.js';
import { type Chance, fillAt, mayFollow, readChances } from './chances.js';
import { Walk } from './event-orders.js';
import { overlappingBounds } from './overlapping-bounds.js';

/** The lowest and the highest value with which an account may end. */
interface AccountBounds {
  readonly low: number;
  readonly high: number;
}

/** States of one moment that are told apart; with more, there are no bounds. */
const STATES_MAX = 5_000;
/** Wanted entries that are followed, so that the bounds take no longer than a second or two. */
const CHANCES_MAX = 100_000;

/**
 * The bounds of the account at the end of a run, over all orders of events that its bars leave open;
 * null where none are known. Which bars fill an entry hangs on the bars alone; whether the account
 * takes it, and how large, hangs on the account. Where it holds one position at a time, some order
 * reaches each bound; where positions overlap, the account stays between them.
 */
export function accountBounds(input: SimulationInput): AccountBounds | null {
  if (!isBounded(input)) return null;
  return input.config.max_open_positions === 1 ? new OneByOne(input).run() : overlappingBounds(input);
}

function isBounded({ bars, entry, shortEntry, config: given }: SimulationInput): boolean {
  const config = fullConfig(given);
  const mayMargin = shortEntry !== undefined || isMargined(1, config.leverage);
  const isCarried = config.borrow_rate > 0 || hasSettledFunding(bars);
  const isOpposed =
    shortEntry !== undefined && (config.opposite_entry === 'close' || config.opposite_entry === 'reverse');
  const isOneByOne = config.max_open_positions === 1;
  return (
    countBits(entry) + (shortEntry === undefined ? 0 : countBits(shortEntry)) <= CHANCES_MAX &&
    config.impact_coefficient === 0 &&
    config.position_sizing !== 'volatility_target' &&
    !hasGuard(config) &&
    !isOpposed &&
    !(isCarried && (mayMargin || !isOneByOne)) &&
    (isOneByOne || config.scale_out === null)
  );
}

/** Accounts without a position that differ in their cash alone. */
interface Free {
  readonly low: Account;
  readonly high: Account;
}

/** Profits for a unit of the asset, of ends in one bar. */
interface End {
  /** The first chance after it. */
  readonly next: number;
  readonly exitBar: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Follows all moments at which an account of one position at a time may be free, each with the
 * lowest and the highest cash that it may have: a higher value never ends up below a lower one
 * after the same trade, because sizes grow with the value and no position loses more than it has
 * cost.
 */
class OneByOne {
  private readonly config: FullConfig;
  private readonly walk: Walk;
  private readonly chances: readonly Chance[];
  /** The accounts that are free before each chance, and after the last, by what else they differ in. */
  private readonly free: Map<string, Free>[];
  private readonly hasCooldown: boolean;

  constructor(private readonly input: SimulationInput) {
    const config = fullConfig(input.config);
    this.config = config;
    this.walk = new Walk(input);
    this.chances = readChances(input);
    this.free = Array.from({ length: this.chances.length + 1 }, () => new Map());
    this.hasCooldown =
      isTierOn(config.cooldown_short_loss_limit, config.cooldown_short_window_bars) ||
      isTierOn(config.cooldown_long_loss_limit, config.cooldown_long_window_bars);
  }

  run(): AccountBounds | null {
    const { chances, config } = this;
    this.add(0, openAccount(config), openAccount(config));
    for (let at = 0; at < chances.length; at++) {
      const states = [...(this.free[at]?.values() ?? [])];
      this.free[at]?.clear();
      if (states.length > STATES_MAX) return null;
      const ends = states.length === 0 ? [] : this.possibleEnds(at);
      for (const { low, high } of states) this.take(at, low, high, ends);
    }
    const values = [...(this.free[chances.length]?.values() ?? [])].map(({ low, high }) => [
      low.purse.cash,
      high.purse.cash,
    ]);
    return { low: Math.min(...values.map(([low]) => low)), high: Math.max(...values.map(([, high]) => high)) };
  }

  /** Takes a chance or lets it pass, as the gates say; some deny an account below some cash. */
  private take(at: number, low: Account, high: Account, ends: readonly End[]): void {
    const most = this.sizeAt(at, high);
    if (most === null) {
      this.add(at + 1, low, high);
      return;
    }
    const least = this.leastFor(at, low, high);
    if (least > low.purse.cash) this.add(at + 1, low, withCash(low, least));
    const poor = withCash(low, least);
    const size = this.sizeAt(at, poor) ?? most;
    for (const end of ends) {
      this.add(end.next, this.ended(at, poor, size, end, end.low), this.ended(at, high, most, end, end.high));
    }
  }

  /** The least cash between two accounts that still takes a chance which the higher account takes. */
  private leastFor(at: number, low: Account, high: Account): number {
    if (this.sizeAt(at, low) !== null) return low.purse.cash;
    let [denied, taken] = [low.purse.cash, high.purse.cash];
    for (let middle = (denied + taken) / 2; middle > denied && middle < taken; middle = (denied + taken) / 2) {
      if (this.sizeAt(at, withCash(low, middle)) === null) denied = middle;
      else taken = middle;
    }
    return taken;
  }

  /** Size of the entry, or null where a gate denies it. */
  private sizeAt(at: number, account: Account): number | null {
    const { config, input } = this;
    const { bar, fill } = fillAt(this.chances[at], input.bars, config);
    const standing: Standing = {
      value: account.purse.cash,
      weight: 1,
      isGuarded: false,
      isFull: false,
      room: Infinity,
    };
    if (openingGate(standing, account, bar, config) !== ADMITTED) return null;
    if (countGate(standing, account, bar, config) !== ADMITTED) return null;
    const proposed = proposeEntry(standing, account, bar, this.chances[at].decision, fill, config);
    return typeof proposed === 'number' ? null : proposed.size;
  }

  /** The account after the trade of an entry. */
  private ended(at: number, account: Account, size: number, { exitBar }: End, profit: number): Account {
    const { entry } = this.chances[at];
    const after = withCash(account, account.purse.cash);
    openPosition(after, entry.position, this.input.bars.time[entry.position.entryBar], this.config);
    after.positions.pop();
    after.purse.cash = account.purse.cash + size * profit;
    if (isBookedLoss(profit)) bookLoss(after, exitBar, this.config);
    return after;
  }

  /** How the position of a chance may end: the worst and the best of each bar, losses apart where they count. */
  private possibleEnds(at: number): End[] {
    const { entry } = this.chances[at];
    const found = new Map<string, End>();
    for (const trade of this.walk.possibleEnds(entry, null)) {
      const profit = trade.profitLoss / entry.position.firstSize;
      const next = this.nextAfter(at, trade, entry.position.isFilledInside);
      const key = `${next} ${trade.exitBar} ${this.hasCooldown && isBookedLoss(profit)}`;
      const { low, high } = found.get(key) ?? { low: profit, high: profit };
      found.set(key, { next, exitBar: trade.exitBar, low: Math.min(low, profit), high: Math.max(high, profit) });
    }
    return [...found.values()];
  }

  /** The first chance that an account can take after a trade. */
  private nextAfter(at: number, trade: Trade, isFilledInside: boolean): number {
    let next = at + 1;
    while (next < this.chances.length && !mayFollow(this.chances[next].entry.position, trade, isFilledInside)) next++;
    return next;
  }

  /** Adds accounts that are free before a chance. */
  private add(at: number, low: Account, high: Account): void {
    const key = this.accountKey(at, low);
    const known = this.free[at].get(key);
    this.free[at].set(key, {
      low: known !== undefined && known.low.purse.cash <= low.purse.cash ? known.low : low,
      high: known !== undefined && known.high.purse.cash >= high.purse.cash ? known.high : high,
    });
  }

  /** What of an account beside its cash may still decide an entry. */
  private accountKey(at: number, { lossBars, blockedThrough, entryDay, entriesOnDay }: Account): string {
    const { config, input, chances } = this;
    if (at === chances.length) return '';
    const { entryBar } = chances[at].entry.position;
    const { cooldown_short_window_bars: short, cooldown_long_window_bars: long, max_trades_per_day: most } = config;
    const losses = lossBars.filter((bar) => bar > entryBar - Math.max(short, long));
    // An hour has at most an entry at its open and one of each side inside.
    const isLimited = most * input.bars.intervalMs < 3 * DAY_MS && entryDay === utcDay(input.bars.time[entryBar]);
    return `${losses} ${Math.max(blockedThrough, entryBar - 1)} ${isLimited ? entriesOnDay : 0}`;
  }
}

const withCash = (account: Account, cash: number): Account => ({
  ...account,
  positions: [],
  purse: openPurse(cash),
  lossBars: [...account.lossBars],
});
