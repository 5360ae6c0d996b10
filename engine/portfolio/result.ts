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
  /** Pearson correlation of the daily profits of each two members; NaN where one never changed. */
  readonly correlation: readonly Float64Array[];
  /** Notional of all fills over the mean of the equity curve. */
  readonly turnover: number;
  /** Largest sum and largest absolute net sum of size x close / account value over the closes. */
  readonly largestGrossExposure: number;
  readonly largestNetExposure: number;
  readonly detail: DetailCounts;
  /** Entry orders that expired, by member; none in an allocation. */
  readonly ordersExpired: readonly number[];
}

/** What a member holds and has earned at a close, quote currency. */
export interface MemberMark {
  /** Size x close of its open positions: added, and with shorts below 0. */
  readonly gross: number;
  readonly net: number;
  /** Realized and unrealized since the start. */
  readonly profit: number;
}

/** Gathers the result of a run as it goes. */
export class RunLedger {
  readonly trades: MemberTrade[] = [];
  readonly denials: MemberDenial[] = [];
  readonly #equity: Float64Array;
  readonly #cash: Float64Array;
  readonly #exposures: Float64Array;
  readonly #heldTimes: Int32Array;
  /** For each UTC day with bars, the profit of each member at its last close. */
  readonly #days: Float64Array[] = [];
  #day = NaN;
  #exposedTimes = 0;
  #gross = 0;
  #net = 0;

  constructor(
    private readonly timeline: Timeline,
    private readonly memberCount: number,
  ) {
    this.#equity = new Float64Array(timeline.times.length);
    this.#cash = new Float64Array(timeline.times.length);
    this.#exposures = new Float64Array(memberCount);
    this.#heldTimes = new Int32Array(memberCount);
  }

  /** Notes who held something at a time. */
  addHeld(members: ReadonlySet<number>): void {
    if (members.size > 0) this.#exposedTimes++;
    for (const member of members) this.#heldTimes[member]++;
  }

  /** Notes a close, with a mark for each member. */
  addClose(i: number, value: number, cash: number, marks: readonly MemberMark[]): void {
    this.#equity[i] = value;
    this.#cash[i] = cash;
    const day = utcDay(this.timeline.times[i]);
    if (day !== this.#day) this.#days.push(new Float64Array(this.memberCount));
    this.#day = day;
    let [gross, net] = [0, 0];
    for (const [member, mark] of marks.entries()) {
      this.#days[this.#days.length - 1][member] = mark.profit;
      gross += mark.gross;
      net += mark.net;
      if (value > 0) this.#exposures[member] += mark.gross / value;
    }
    if (!(value > 0)) return; // no share of nothing
    this.#gross = Math.max(this.#gross, gross / value);
    this.#net = Math.max(this.#net, Math.abs(net) / value);
  }

  finish(detail = openCounts(), ordersExpired: readonly number[] = []): PortfolioSimulation {
    const { timeline, trades, denials } = this;
    const equity = this.#equity;
    // Everything is sold in the end, so the trades have all fills.
    const filled = trades.reduce((sum, { size, entryPrice, exitPrice }) => sum + size * (entryPrice + exitPrice), 0);
    const mean = equity.reduce((sum, value) => sum + value, 0) / equity.length;
    return {
      ...{ timeline, trades, denials, equity, cash: this.#cash },
      exposedTimes: this.#exposedTimes,
      members: this.#memberFacts(),
      correlation: correlate(this.#days, this.memberCount),
      turnover: mean > 0 ? filled / mean : 0,
      largestGrossExposure: this.#gross,
      largestNetExposure: this.#net,
      ...{ detail, ordersExpired },
    };
  }

  #memberFacts(): MemberFacts[] {
    const counts = new Int32Array(this.memberCount);
    const profits = new Float64Array(this.memberCount);
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
