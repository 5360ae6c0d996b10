import {
  type Account,
  addWorths,
  type DenialReason,
  type DetailCounts,
  type FullConfig,
  openCounts,
  type Position,
  type SizeLimit,
  signOf,
  type Trade,
} from '../execution/index.js';
import { utcDay } from '../formulas/prices-and-sizes.js';
import type { Flow } from './contributions.js';
import type { Timeline } from './timeline.js';

/** A trade of one member or asset. Its bars are numbered as the member's bars. */
export interface MemberTrade extends Trade {
  /** Place in the list of members or assets. */
  readonly member: number;
  /** Index of the time of the exit: an END comes at the last time of all, whatever bar was last. */
  readonly exitTime: number;
}

/** An entry that was not filled, at the bar of the member where it would have been. */
interface MemberDenial {
  readonly member: number;
  readonly bar: number;
  readonly reason: DenialReason;
}

/** What one member or asset contributed. */
interface MemberFacts {
  readonly trades: number;
  /** Profit and loss of its trades, quote currency. */
  readonly profit: number;
  /** Its part of the profit and loss of all; NaN where that is 0. */
  readonly shareOfReturn: number;
  /** Mean of size x close / account value over the closes, both sides added. */
  readonly exposure: number;
  /** Part of the times at which it held something. */
  readonly timeInMarket: number;
  /** Filled entries by the limit that made them smaller; none in an allocation. */
  readonly limited: Readonly<Partial<Record<SizeLimit, number>>>;
}

/** The run of one account over several assets. */
export interface PortfolioSimulation {
  readonly timeline: Timeline;
  /** In the order they were closed. */
  readonly trades: readonly MemberTrade[];
  readonly denials: readonly MemberDenial[];
  /**
   * What the initial balance alone would be worth at the close of each time, by time-weighted returns:
   * the account value where nothing was paid in or out.
   */
  readonly equity: Float64Array;
  /** Account value and cash at the close of each time. */
  readonly values: Float64Array;
  readonly cash: Float64Array;
  /** What was paid in and out, in order. */
  readonly flows: readonly Flow[];
  /** Times with a position open after the fills of their open, or opened inside their bars. */
  readonly exposedTimes: number;
  readonly members: readonly MemberFacts[];
  /**
   * Pearson correlation of the daily profits of each two members; NaN where one never changed. Empty
   * if not asked for.
   */
  readonly correlation: readonly Float64Array[];
  /** Notional of all fills over the mean of the equity curve. */
  readonly turnover: number;
  /** Largest sum and largest absolute net sum of size x close / account value over the closes. */
  readonly largestGrossExposure: number;
  readonly largestNetExposure: number;
  readonly detail: DetailCounts;
  /** Entry orders that expired, by member; none in an allocation. */
  readonly ordersExpired: readonly number[];
  /** When weights were moved, in order; none in a portfolio of rules. */
  readonly rebalances: readonly Rebalance[];
  /** Null where the run was not asked to keep them. */
  readonly courses: MemberCourses | null;
}

/** Fills that moved weights at one time. */
interface Rebalance {
  /** Index of the time. */
  readonly time: number;
  /** Notional of the fills, quote currency. */
  readonly sold: number;
  readonly bought: number;
}

/** What each member was at each close, by member and time. */
interface MemberCourses {
  /** Notional of what it holds over the account value, shorts below 0; 0 of an account without value. */
  readonly weights: readonly Float64Array[];
  /** Realized and unrealized since the start, quote currency. */
  readonly profits: readonly Float64Array[];
}

/** What a run keeps beside its result. */
export interface Kept {
  /** What each member was at each close. Default: false. */
  readonly keepsCourses?: boolean | undefined;
  /** The correlation of the members' daily profits. Default: true. */
  readonly keepsCorrelation?: boolean | undefined;
}

/** Who holds something. */
interface Holder {
  readonly number: number;
  readonly account: Account;
  readonly config: FullConfig;
}
interface Holding {
  readonly member: Holder;
  readonly position: Position;
}

/** Times that are summed together, in room that stays in the nearest cache. */
const QUIET_TIMES = 64;
const quietRoom = () => new Float64Array(QUIET_TIMES);

/** Gathers the result of a run as it goes. */
export class RunLedger {
  readonly trades: MemberTrade[] = [];
  readonly denials: MemberDenial[] = [];
  readonly rebalances: Rebalance[] = [];
  /** At the latest close: notional of each member, with shorts below 0, and profit since the start. */
  readonly #grosses: Float64Array;
  readonly #nets: Float64Array;
  readonly #profits: Float64Array;
  readonly #equity: Float64Array;
  readonly #values: Float64Array;
  readonly #flows: Flow[] = [];
  /** What a unit of the account value is of the time-weighted value; Infinity of an emptied account. */
  #part = 1;
  readonly #cash: Float64Array;
  readonly #exposures: Float64Array;
  readonly #heldTimes: Int32Array;
  readonly #courses: MemberCourses | null;
  readonly #limited: Partial<Record<SizeLimit, number>>[];
  /** The profit of each member at the last close of each UTC day with bars; null if no correlation is kept. */
  readonly #days: Float64Array[] | null;
  #day = NaN;
  readonly #quiet = { gross: quietRoom(), net: quietRoom(), own: quietRoom(), ownNet: quietRoom() };
  #exposedTimes = 0;
  #gross = 0;
  #net = 0;

  constructor(
    private readonly timeline: Timeline,
    memberCount: number,
    { keepsCourses = false, keepsCorrelation = true }: Kept,
  ) {
    this.#days = keepsCorrelation ? [] : null;
    const perTime = () => new Float64Array(timeline.times.length);
    const perMember = () => new Float64Array(memberCount);
    [this.#grosses, this.#nets, this.#profits, this.#exposures] = [perMember(), perMember(), perMember(), perMember()];
    [this.#equity, this.#values, this.#cash] = [perTime(), perTime(), perTime()];
    this.#heldTimes = new Int32Array(memberCount);
    this.#limited = Array.from(this.#heldTimes, () => ({}));
    const courses = () => Array.from(this.#profits, perTime);
    this.#courses = keepsCourses ? { weights: courses(), profits: courses() } : null;
  }

  /** Whether anything is made of the profits that members are marked with. */
  get readsProfits(): boolean {
    return this.#days !== null || this.#courses !== null;
  }

  /** Notes who held something at a time, or at some of them, each once. */
  addHeld(members: Iterable<number>, times = 1): void {
    let isAny = false;
    for (const member of members) {
      this.#heldTimes[member] += times;
      isAny = true;
    }
    if (isAny) this.#exposedTimes += times;
  }

  /** Notes an entry of a member that a limit made smaller. */
  addLimited(member: number, limit: SizeLimit): void {
    const counts = this.#limited[member];
    counts[limit] = (counts[limit] ?? 0) + 1;
  }

  /**
   * Notes what a member is at the coming close. Until it is marked again it holds as much.
   *
   * @param gross size x close of its open positions: added, and with shorts below 0
   * @param profit realized and unrealized since the start
   */
  mark(member: number, gross: number, net: number, profit: number): void {
    this.#grosses[member] = gross;
    this.#nets[member] = net;
    this.#profits[member] = profit;
  }

  /** Notes money paid in or out between two closes, so that it moves no return. */
  addFlow(time: number, amount: number): void {
    this.#flows.push({ time, amount });
    const value = this.#values[time - 1] + amount;
    this.#part = value > 0 ? this.#equity[time - 1] / value : Infinity;
  }

  /** The time-weighted value of the account at a time; it stays once the account is empty. */
  weighted(i: number, value: number): number {
    return this.#part === Infinity ? this.#equity[i - 1] : value * this.#part;
  }

  /** Notes a close, after its marks. */
  addClose(i: number, value: number, cash: number): void {
    this.#equity[i] = this.weighted(i, value);
    this.#values[i] = value;
    this.#cash[i] = cash;
    this.#closeDay(i);
    let [gross, net] = [0, 0];
    for (let member = 0; member < this.#grosses.length; member++) {
      if (this.#grosses[member] === 0) continue;
      gross += this.#grosses[member];
      net += this.#nets[member];
      if (value > 0) this.#exposures[member] += this.#grosses[member] / value;
    }
    this.#keepCourses(i, value);
    if (!(value > 0)) return; // no share of nothing
    this.#gross = Math.max(this.#gross, gross / value);
    this.#net = Math.max(this.#net, Math.abs(net) / value);
  }

  /**
   * Notes closes at which holdings only change in price, where nobody reads their profits: as
   * `mark` and `addClose` at each of them.
   *
   * @param held in entry order
   * @param holders in their order
   */
  addQuiet(from: number, until: number, cash: number, held: readonly Holding[], holders: readonly Holder[]): void {
    const { closes } = this.timeline;
    const values = this.#values;
    this.#cash.fill(cash, from, until);
    values.fill(cash, from, until);
    for (const { member, position } of held)
      addWorths(values, position, closes[member.number], from, until, member.config);
    for (let i = from; i < until; i++) this.#equity[i] = this.weighted(i, values[i]);
    for (let start = from; start < until; start += QUIET_TIMES) {
      this.#addExposures(start, Math.min(start + QUIET_TIMES, until), holders);
    }
  }

  #addExposures(from: number, until: number, holders: readonly Holder[]): void {
    const values = this.#values;
    const { gross, net, own, ownNet } = this.#quiet;
    const count = until - from;
    for (let k = 0; k < count; k++) gross[k] = net[k] = 0;
    for (const { number, account } of holders) {
      const prices = this.timeline.closes[number];
      for (let k = 0; k < count; k++) own[k] = ownNet[k] = 0;
      for (const { size, side } of account.positions) {
        const sign = signOf(side);
        for (let k = 0; k < count; k++) {
          const notional = size * prices[from + k];
          own[k] += notional;
          ownNet[k] += sign * notional;
        }
      }
      let exposure = this.#exposures[number];
      for (let k = 0; k < count; k++) {
        gross[k] += own[k];
        net[k] += ownNet[k];
        const value = values[from + k];
        if (value > 0) exposure += own[k] / value;
      }
      this.#exposures[number] = exposure;
    }
    for (let k = 0; k < count; k++) {
      const value = values[from + k];
      if (!(value > 0)) continue;
      this.#gross = Math.max(this.#gross, gross[k] / value);
      this.#net = Math.max(this.#net, Math.abs(net[k]) / value);
    }
  }

  /** Notes closes at which nothing is held, after the marks that say so. */
  addRest(from: number, until: number, cash: number): void {
    this.#equity.fill(this.weighted(from, cash), from, until);
    this.#values.fill(cash, from, until);
    this.#cash.fill(cash, from, until);
    if (!this.readsProfits) return;
    for (let i = from; i < until; i++) {
      this.#closeDay(i);
      this.#keepCourses(i, cash);
    }
  }

  #closeDay(i: number): void {
    const days = this.#days;
    if (days === null) return;
    const day = utcDay(this.timeline.times[i]);
    if (day !== this.#day) days.push(new Float64Array(this.#profits.length));
    this.#day = day;
    days[days.length - 1].set(this.#profits);
  }

  #keepCourses(i: number, value: number): void {
    if (this.#courses === null) return;
    const { weights, profits } = this.#courses;
    for (let member = 0; member < weights.length; member++) {
      weights[member][i] = value > 0 ? this.#nets[member] / value : 0;
      profits[member][i] = this.#profits[member];
    }
  }

  finish(detail = openCounts(), ordersExpired: readonly number[] = []): PortfolioSimulation {
    const { timeline, trades, denials, rebalances } = this;
    const equity = this.#equity;
    // Everything is sold in the end, so the trades have all fills.
    const filled = trades.reduce((sum, { size, entryPrice, exitPrice }) => sum + size * (entryPrice + exitPrice), 0);
    const mean = this.#values.reduce((sum, value) => sum + value, 0) / equity.length;
    return {
      ...{ timeline, trades, denials, rebalances, equity, values: this.#values, cash: this.#cash, flows: this.#flows },
      exposedTimes: this.#exposedTimes,
      members: this.#memberFacts(),
      correlation: this.#days === null ? [] : correlate(this.#days, this.#profits.length),
      turnover: mean > 0 ? filled / mean : 0,
      largestGrossExposure: this.#gross,
      largestNetExposure: this.#net,
      ...{ detail, ordersExpired, courses: this.#courses },
    };
  }

  #memberFacts(): MemberFacts[] {
    const counts = new Int32Array(this.#heldTimes.length);
    const profits = new Float64Array(counts.length);
    for (const { member, profitLoss } of this.trades) {
      counts[member]++;
      profits[member] += profitLoss;
    }
    const total = profits.reduce((sum, profit) => sum + profit, 0);
    const times = Math.max(1, this.#equity.length);
    return Array.from(counts, (trades, member) => ({
      trades,
      profit: profits[member],
      shareOfReturn: total === 0 ? NaN : profits[member] / total,
      exposure: this.#exposures[member] / times,
      timeInMarket: this.#heldTimes[member] / times,
      limited: this.#limited[member],
    }));
  }
}

/** Pearson correlations of what changed from day to day, the first day against 0. */
function correlate(days: readonly Float64Array[], memberCount: number): Float64Array[] {
  const deviations = Array.from({ length: memberCount }, (_, member) => {
    const changes = Float64Array.from(days, (day, d) => day[member] - (d === 0 ? 0 : days[d - 1][member]));
    const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
    return changes.map((change) => change - mean);
  });
  const product = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, d) => sum + value * b[d], 0);
  const norms = deviations.map((one) => Math.sqrt(product(one, one)));
  return deviations.map((one, a) =>
    Float64Array.from(deviations, (other, b) =>
      norms[a] > 0 && norms[b] > 0 ? product(one, other) / (norms[a] * norms[b]) : NaN,
    ),
  );
}
