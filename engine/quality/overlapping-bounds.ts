import { openAccount, openPurse, type Position, signOf } from '../execution/account.js';
import { bookLoss, type CooldownState } from '../execution/cooldown.js';
import { proposeEntry } from '../execution/entry.js';
import { type FullConfig, fullConfig } from '../execution/full-config.js';
import type { SimulationInput, Trade } from '../execution/index.js';
import { openProfit } from '../execution/sales.js';
import { floorAmount } from '../execution/sizing.js';
import { isBookedLoss } from '../formulas/cooldown-rules.js';
import { utcDay } from '../formulas/prices-and-sizes.js';
import { isMargined, marginOf } from '../formulas/sides.js';
import { type Chance, fillAt, mayFollow, readChances } from './chances.js';
import { Walk } from './event-orders.js';

/** A value that is not known better than between two. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** Positions that may be open at an entry, summed over all entries; with more, there are no bounds. */
const STEPS_MAX = 20_000_000;

/**
 * The bounds of an account whose positions may overlap: each entry has a range of sizes, from 0 where
 * a gate may deny it, and each position a range of profits, and both are carried on through value,
 * cash and gates. Each doubt widens the ranges of all that follows; they are null where they would
 * let the account fall below 0.
 */
export function overlappingBounds(input: SimulationInput): Range | null {
  const account = new OverlappingAccount(input);
  let steps = 0;
  for (const chance of readChances(input)) {
    steps += account.holdings.length;
    if (steps > STEPS_MAX || !account.pass(chance)) return null;
  }
  const end = account.end();
  return end.low < 0 ? null : end;
}

/** What an account may be worth, and hold. */
interface Standing {
  readonly value: Range;
  readonly cash: Range;
  /** Notional of its positions. */
  readonly gross: Range;
}

/** A position that the account may hold. */
interface Holding {
  readonly position: Position;
  readonly size: Range;
  /** Whether the account holds it in every order of events. */
  readonly isCertain: boolean;
  /** What a unit takes from the cash at the entry. */
  readonly paid: number;
  /** Profits of a unit at the ends that have passed; null before the first. */
  earned: Range | null;
  /** The ends that may still come. */
  ahead: readonly Trade[];
}

class OverlappingAccount {
  holdings: Holding[] = [];
  private readonly config: FullConfig;
  private readonly walk: Walk;
  /** Value of the account without the positions that may still be open. */
  private settled: Range;
  /** The cooldown with all losses that may have been booked, and with those alone that surely were. */
  private readonly cooldown: { readonly most: CooldownState; readonly least: CooldownState };
  private today = { day: -1, most: 0, least: 0 };

  constructor(private readonly input: SimulationInput) {
    this.config = fullConfig(input.config);
    this.walk = new Walk(input);
    this.settled = { low: this.config.initial_balance, high: this.config.initial_balance };
    const open = (): CooldownState => ({ lossBars: [], blockedThrough: -1 });
    this.cooldown = { most: open(), least: open() };
  }

  /**
   * Takes the account to a chance, which it takes, may take or leaves.
   * @returns whether its value is surely above 0
   */
  pass(chance: Chance): boolean {
    const { position } = chance.entry;
    this.settle((holding, trade) => mayFollow(position, trade, holding.position.isFilledInside));
    const day = utcDay(this.input.bars.time[position.entryBar]);
    if (day !== this.today.day) this.today = { day, most: 0, least: 0 };

    const standing = this.standing(this.input.bars.open[position.entryBar]);
    if (standing.value.low <= 0) return false;
    const size = this.size(chance, standing);
    if (size === null) return true;
    const isCertain = size.low > 0;
    const unit = 1 / position.firstSize;
    const margin = isMargined(signOf(position.side), this.config.leverage)
      ? marginOf(1, position.entryPrice, this.config.leverage)
      : position.entryPrice;
    const paid = margin + position.entryFee * unit;
    const ahead = this.walk
      .possibleEnds(chance.entry, null)
      .map((trade) => ({ ...trade, profitLoss: trade.profitLoss * unit }));
    this.holdings.push({ position, size, isCertain, paid, earned: null, ahead });
    this.today.most++;
    if (isCertain) this.today.least++;
    return true;
  }

  /** The value after the last bar. */
  end(): Range {
    this.settle(() => true);
    return this.settled;
  }

  /** Books the ends that have passed. */
  private settle(hasPassed: (holding: Holding, end: Trade) => boolean): void {
    const losses: { readonly bar: number; readonly isCertain: boolean }[] = [];
    for (const holding of this.holdings) {
      const passed = holding.ahead.filter((end) => hasPassed(holding, end));
      if (passed.length === 0) continue;
      const isFirst = holding.earned === null;
      holding.ahead = holding.ahead.filter((end) => !passed.includes(end));
      holding.earned = hull(
        passed.map(({ profitLoss }) => profitLoss),
        holding.earned,
      );
      const isOnly = isFirst && holding.ahead.length === 0 && new Set(passed.map(({ exitBar }) => exitBar)).size === 1;
      const isCertain = holding.isCertain && isOnly && holding.earned.high < 0;
      const bars = new Set(passed.filter(({ profitLoss }) => isBookedLoss(profitLoss)).map(({ exitBar }) => exitBar));
      losses.push(...[...bars].map((bar) => ({ bar, isCertain })));
      if (holding.ahead.length === 0) this.settled = sum(this.settled, product(holding.size, holding.earned));
    }
    this.holdings = this.holdings.filter(({ ahead }) => ahead.length > 0);
    for (const { bar, isCertain } of losses.sort((a, b) => a.bar - b.bar)) {
      bookLoss(this.cooldown.most, bar, this.config);
      if (isCertain) bookLoss(this.cooldown.least, bar, this.config);
    }
  }

  /** The sizes with which the account may take a chance; null where it surely leaves it. */
  private size(chance: Chance, { value, cash, gross }: Standing): Range | null {
    const { config, today, cooldown } = this;
    const { position } = chance.entry;
    const { entryBar: bar, side } = position;
    const floor = floorAmount(config);
    const isOpen = this.holdings.filter(({ isCertain, earned }) => isCertain && earned === null);
    const isOpposite = (one: Holding) => config.opposite_entry === 'deny' && one.position.side !== side;
    const isDenied =
      value.high < floor ||
      bar <= cooldown.least.blockedThrough ||
      isOpen.length >= config.max_open_positions ||
      today.least >= config.max_trades_per_day ||
      isOpen.some(isOpposite);
    if (isDenied) return null;
    const mayBeDenied =
      value.low < floor ||
      bar <= cooldown.most.blockedThrough ||
      this.holdings.length >= config.max_open_positions ||
      today.most >= config.max_trades_per_day ||
      this.holdings.some(isOpposite);
    const high = this.propose(chance, value.high, cash.high, gross.low);
    if (high === 0) return null;
    return { low: mayBeDenied ? 0 : this.propose(chance, value.low, cash.low, gross.high), high };
  }

  /** What the account may be worth, and hold, at a price. */
  private standing(price: number): Standing {
    let value = this.settled;
    let cash = this.settled;
    let gross: Range = { low: 0, high: 0 };
    for (const { position, size, isCertain, paid, earned } of this.holdings) {
      const unit = openProfit(position, price, this.config) / position.firstSize;
      value = sum(value, product(size, hull([unit], earned)));
      cash = sum(cash, product(size, hull([-paid], earned)));
      gross = sum(gross, { low: isCertain && earned === null ? size.low * price : 0, high: size.high * price });
    }
    return { value, cash, gross };
  }

  /** The size of an entry that passes the gates of the account; 0 where another denies it. It grows with value and cash. */
  private propose(chance: Chance, value: number, cash: number, gross: number): number {
    const { config, input } = this;
    const { bar, fill } = fillAt(chance, input.bars, config);
    const room = config.max_gross_exposure === null ? Infinity : config.max_gross_exposure * value - gross;
    const standing = { value, weight: 1, isGuarded: false, isFull: false, room };
    const alone = { ...config, max_gross_exposure: null }; // the room knows what else is held
    const account = openAccount(alone, { purse: openPurse(cash) });
    const proposed = proposeEntry(standing, account, bar, chance.decision, fill, alone);
    return typeof proposed === 'number' ? 0 : proposed.size;
  }
}

const sum = (a: Range, b: Range): Range => ({ low: a.low + b.low, high: a.high + b.high });

/** The products of sizes and profits of a unit. */
const product = (size: Range, profit: Range): Range => ({
  low: profit.low * (profit.low < 0 ? size.high : size.low),
  high: profit.high * (profit.high > 0 ? size.high : size.low),
});

/** The least range that holds some values and another range. */
const hull = (values: readonly number[], other: Range | null): Range => ({
  low: Math.min(...values, other?.low ?? Infinity),
  high: Math.max(...values, other?.high ?? -Infinity),
});
