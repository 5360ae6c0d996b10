import { type DenialReason, type DetailCounts, openCounts, type Trade } from '../execution/index.js';
import { utcDay } from '../formulas/prices-and-sizes.js';
import type { Timeline } from './timeline.js';

/** A trade of one member or asset. Its bars are numbered as those of the member. */
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
}

/** The run of one account over several assets. */
export interface PortfolioSimulation {
  readonly timeline: Timeline;
  /** In the order they were closed. */
  readonly trades: readonly MemberTrade[];
  readonly denials: readonly MemberDenial[];
  /** Account value and cash at the close of each time. */
  readonly equity: Float64Array;
  readonly cash: Float64Array;
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
export interface MemberCourses {
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
  readonly #cash: Float64Array;
  readonly #exposures: Float64Array;
  readonly #heldTimes: Int32Array;
  readonly #courses: MemberCourses | null;
  /** The profit of each member at the last close of each UTC day with bars; null if no correlation is kept. */
  readonly #days: Float64Array[] | null;
  #day = NaN;
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
    [this.#equity, this.#cash] = [perTime(), perTime()];
    this.#heldTimes = new Int32Array(memberCount);
    const courses = () => Array.from(this.#profits, perTime);
    this.#courses = keepsCourses ? { weights: courses(), profits: courses() } : null;
  }

  /** Whether anything is made of the profits that members are marked with. */
  get readsProfits(): boolean {
    return this.#days !== null || this.#courses !== null;
  }

  /** Notes who held something at a time, each once. */
  addHeld(members: Iterable<number>): void {
    let isAny = false;
    for (const member of members) {
      this.#heldTimes[member]++;
      isAny = true;
    }
    if (isAny) this.#exposedTimes++;
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

  /** Notes a close, after its marks. */
  addClose(i: number, value: number, cash: number): void {
    this.#equity[i] = value;
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

  /** Notes closes at which nothing is held, after the marks that say so. */
  addRest(from: number, until: number, cash: number): void {
    this.#equity.fill(cash, from, until);
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
    const mean = equity.reduce((sum, value) => sum + value, 0) / equity.length;
    return {
      ...{ timeline, trades, denials, rebalances, equity, cash: this.#cash },
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
