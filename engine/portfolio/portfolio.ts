import {
  type Account,
  type AccountEvent,
  BarStep,
  type DetailCounts,
  decideQuietExits,
  fillSales,
  isSteady,
  isUntouched,
  openAccount,
  openCounts,
  openLossOf,
  openProfit,
  type Purse,
  type Standing,
  signOf,
  stepBar,
  type Trade,
} from '../execution/index.js';
import { HeldPositions } from './held-positions.js';
import { KnownRun } from './known-run.js';
import {
  bySide,
  inTurn,
  lastClose,
  type Member,
  type MemberEvent,
  memberConfig,
  nextEntryFrom,
  orderDecision,
  type PortfolioInput,
  rankAt,
  type Turn,
} from './members.js';
import type { PortfolioSimulation } from './result.js';
import { type BegunAccount, SharedAccount } from './shared-account.js';
import { firstTimeFrom, lastBarBefore, type Timeline } from './timeline.js';

/**
 * Runs one account over several members: page 07, section 8. With one member of weight 1 the result
 * equals the run of that member alone in every bit.
 */
export const simulatePortfolio = (input: PortfolioInput): PortfolioSimulation =>
  (KnownRun.over(input) ?? new PortfolioRun(input)).run();

interface BegunPortfolio extends BegunAccount {
  /** One for each member, all with that purse. `lastBar` is the number that it gave its newest bar. */
  readonly accounts: readonly (Account & { readonly lastBar: number })[];
  /** The member of each open position, in entry order. */
  readonly held: readonly number[];
  /** Takes what happens, in order. */
  readonly log: MemberEvent[];
}

/** A member at a time at which it has a bar. */
interface Moving {
  readonly member: Member;
  readonly run: BarStep;
  /** What has happened and was not taken yet; null if nobody asks. */
  readonly log: AccountEvent[] | null;
}

const NOBODY: ReadonlySet<number> = new Set();

export class PortfolioRun {
  private readonly shared: SharedAccount;
  private readonly timeline: Timeline;
  private readonly ledger;
  private readonly members: readonly Member[];
  private readonly purse: Purse;
  private readonly readsOpenLoss: boolean;
  private readonly counts: DetailCounts = openCounts();
  private readonly held: HeldPositions;
  private readonly holders: ReadonlySet<number>;
  /** Members that closed a trade since the last close. */
  private readonly closing = new Set<Member>();
  /** Members with a bar at the current time that may trade. */
  private readonly moving: Moving[] = [];
  /** Members that have a bar at the current time and only change in price. */
  private readonly quiet: Member[] = [];
  /** The next time at which a member may do something: with no position and no order, its next entry. */
  private readonly wakesAt: Int32Array;

  /** @param begun what to go on from; default: a new account */
  constructor(
    input: PortfolioInput,
    private readonly begun: BegunPortfolio | null = null,
  ) {
    const { members, start, initialBalance, guards } = input;
    const series = members.map(({ bars }) => bars);
    this.shared = new SharedAccount(series, input, initialBalance, begun);
    this.timeline = this.shared.timeline;
    this.ledger = this.shared.ledger;
    this.purse = this.shared.purse;
    this.readsOpenLoss = guards.group_stop !== null;
    this.members = members.map((member, number) => {
      const config = memberConfig(member, input);
      const known = begun?.accounts[number];
      const bar = lastBarBefore(member.bars, start);
      return {
        ...{ number, input: member, config, account: known ?? openAccount(config, { purse: this.purse }) },
        shift: known === undefined ? 0 : known.lastBar - bar,
        ...{ realized: 0, bar, nextEntry: -1 },
        // A quiet bar tells nothing of itself.
        isSteady: known === undefined && isSteady(member.bars, config),
      };
    });
    this.wakesAt = Int32Array.from(this.members, (member) => (begun === null ? this.nextEntryTime(member) : 0));
    this.held = new HeldPositions(this.members, begun?.held ?? [], this.shared, input);
    this.holders = this.held.holders;
  }

  /** The members of the open positions, in entry order. */
  get heldBy(): readonly number[] {
    return this.held.all.map(({ member }) => member.number);
  }

  run(): PortfolioSimulation {
    const last = this.timeline.times.length - 1;
    this.shared.run((i, until) => {
      const isIdle = this.holders.size === 0 && this.closing.size === 0;
      const next = isIdle ? Math.min(until, ...this.wakesAt) : i;
      if (next > i) {
        this.rest(i, next);
        return next;
      }
      this.step(i, i === last);
      return i + 1;
    });
    return this.ledger.finish(
      this.counts,
      this.members.map(({ account }) => account.ordersExpired),
    );
  }

  /** Moves an account without positions through times at which no member may do anything. */
  private rest(from: number, until: number): void {
    const { cash } = this.purse;
    this.ledger.addRest(from, until, cash);
    if (this.shared.isUnguarded) return;
    for (let i = from; i < until; i++) this.shared.readGuards(i, cash, 0);
  }

  /**
   * Moves the account through one time.
   * @param isLast no time follows: open positions are sold at its close
   * @returns its value at the close
   */
  step(i: number, isLast: boolean): number {
    const { moving } = this;
    this.openBars(i);
    if (moving.length === 0) {
      this.ledger.addHeld(this.holders);
      this.sellEnded(i);
      if (isLast) this.sellRest(i);
      this.decideQuiet(this.mark(i));
      return this.shared.guard.latest;
    }
    for (const one of moving) {
      one.run.fillScheduled();
      this.take(i, one);
    }
    const each = (act: (run: BarStep) => void): void => {
      for (const one of moving) this.act(i, one, act);
    };
    inTurn(this.turnsAtOpen(i, moving));
    const held = this.holders.size === 0 ? NOBODY : new Set(this.holders);
    each((run) => run.judgePositions());
    const opened = this.fillInside(i, moving).map(({ number }) => number);
    this.ledger.addHeld(opened.length === 0 ? held : new Set([...held, ...opened]));
    each((run) => run.payCarry());
    this.sellEnded(i);
    if (isLast) this.sellRest(i);
    each((run) => run.moveStops());
    const isBroken = this.mark(i);
    each((run) => run.decideExits(isBroken));
    this.decideQuiet(isBroken);
    each((run) => run.decideEntries());
    for (const { member } of moving) this.wakesAt[member.number] = this.nextWake(i, member);
    return this.shared.guard.latest;
  }

  /** Schedules the exits of quiet members, or where a guard broke all that is not scheduled. */
  private decideQuiet(isBroken: boolean): void {
    if (isBroken) {
      for (const { position } of this.held.all) position.scheduledReason ??= 'GUARD'; // also where no bar came
      return;
    }
    for (const { account, input, bar, config } of this.quiet) {
      decideQuietExits(account, input, bar, input.bars.close[bar], config);
    }
  }

  /** Finds the members that have a bar at a time, by whether it may do more than change a price. */
  private openBars(i: number): void {
    const { timeline, members, counts, wakesAt, moving, quiet } = this;
    if (moving.length > 0) moving.length = 0;
    if (quiet.length > 0) quiet.length = 0;
    for (let m = 0; m < members.length; m++) {
      const bar = timeline.bars[m][i];
      if (wakesAt[m] > i || bar < 0) continue;
      const member = members[m];
      member.bar = bar;
      if (this.isQuiet(member)) {
        if (this.holders.has(m)) quiet.push(member);
        else wakesAt[m] = this.nextWake(i, member);
      } else {
        const standing = (): Standing => this.held.standing(i, member);
        const { account, config, shift } = member;
        const seen = stepBar(member.input, bar, config, false);
        const numbered = shift === 0 ? seen : { ...seen, index: bar + shift };
        const log = this.begun === null ? null : [];
        moving.push({ member, run: new BarStep(account, numbered, config, counts, standing, log), log });
      }
    }
  }

  /** Whether the newest bar of a member can do no more than end at a price and schedule an exit. */
  private isQuiet(member: Member): boolean {
    const { account, input, config, bar } = member;
    if (!member.isSteady || nextEntryFrom(member, bar) === bar) return false;
    return isUntouched(account, input.bars, bar, config);
  }

  /** After a member has moved. */
  private nextWake(i: number, member: Member): number {
    const { positions, orders, pendingEntry, refusals } = member.account;
    if (positions.length > 0 || orders.length > 0 || pendingEntry !== null || refusals.length > 0) return i + 1;
    return this.nextEntryTime(member);
  }

  /** The time of the next bar at which an entry rule of a member is true; the end where none follows. */
  private nextEntryTime(member: Member): number {
    const { bars } = member.input;
    const next = nextEntryFrom(member, member.bar + 1);
    return next < bars.barCount ? firstTimeFrom(this.timeline, bars.time[next]) : this.timeline.times.length;
  }

  /** Lets a member do something, and takes what it opened, closed and denied. */
  private act(i: number, one: Moving, act: (run: BarStep) => void): void {
    act(one.run);
    this.take(i, one);
    const { denials } = one.run;
    if (denials.length === 0) return;
    const { number, bar } = one.member;
    for (const { reason } of denials.splice(0)) this.ledger.denials.push({ member: number, bar, reason });
  }

  private take(i: number, { member, run, log }: Moving): void {
    this.takeTrades(i, member, run.trades);
    if (log === null) return;
    for (const event of log.splice(0)) this.begun?.log.push({ member: member.number, event });
  }

  /** Moves closed trades to the ledger. */
  private takeTrades(i: number, member: Member, trades: Trade[]): void {
    if (trades.length > 0) this.closing.add(member);
    this.held.take(i, member, trades);
  }

  /**
   * Entries of an open: those wanted at the close before, by rank and member, told where their rules
   * contradicted each other; then working orders.
   */
  private turnsAtOpen(i: number, moving: readonly Moving[]): Turn[] {
    const turns: Turn[] = [];
    for (const one of moving) {
      const { member, run } = one;
      if (member.account.pendingEntry === null && member.account.refusals.length === 0) continue;
      turns.push({
        decidedAt: -Infinity, // at the market, whenever it was decided
        rank: rankAt(member, member.bar - 1),
        take: () => this.act(i, one, () => run.fillPending()),
      });
    }
    for (const one of moving) {
      const { member, run } = one;
      if (member.account.orders.length === 0) continue;
      for (const order of bySide(run.ordersAtOpen(), (each) => each)) {
        turns.push({ ...orderDecision(member, order), take: () => this.act(i, one, () => run.fillAtOpen(order)) });
      }
    }
    return turns;
  }

  /** @returns the members whose orders opened a position inside their bar */
  private fillInside(i: number, moving: readonly Moving[]): Member[] {
    if (moving.every(({ member }) => member.account.orders.length === 0)) return [];
    const opening: { readonly member: Member; readonly judge: () => void }[] = [];
    const turns = moving.flatMap((one) => {
      const { member, run } = one;
      return bySide(run.ordersInside(), ({ order }) => order).map((inside) => ({
        ...orderDecision(member, inside.order),
        take: () =>
          this.act(i, one, () => {
            const opened = run.fillInside(inside);
            if (opened === null) return;
            opening.push({ member, judge: () => this.act(i, one, () => run.judgeOpened(opened)) });
          }),
      }));
    });
    inTurn(turns);
    for (const { judge } of opening) judge();
    return opening.map(({ member }) => member);
  }

  /** Sells everything at the last close of each member. */
  private sellRest(i: number): void {
    for (const member of this.members) this.sellAll(i, member, lastClose(member), 'END');
  }

  /** Sells what members hold whose bars have ended. */
  private sellEnded(i: number): void {
    for (const m of this.holders) {
      const member = this.members[m];
      if (!this.shared.hasEnded(i, m, member.bar)) continue;
      this.sellAll(i, member, this.shared.endedPrice(lastClose(member)), 'ENDED');
    }
  }

  /** Sells everything of a member at a raw price of its newest bar. */
  private sellAll(i: number, member: Member, raw: number, reason: 'END' | 'ENDED'): void {
    const { number, account, config, bar, input, shift } = member;
    const trades: Trade[] = [];
    const index = bar + shift;
    const sale = { index, volumeBefore: bar > 0 ? input.bars.volume[bar - 1] : 0 };
    for (const position of [...account.positions]) {
      const { size } = position;
      fillSales(account, position, [{ size, raw, reason, isLimit: false }], sale, config, trades);
      if (this.begun === null) continue;
      const sold = structuredClone(position);
      const { price } = sold.exits[sold.exits.length - 1];
      this.begun.log.push(
        { member: number, event: { kind: 'sale', position: sold, sale: { bar: index, price, size, reason } } },
        { member: number, event: { kind: 'exit', position: sold, trade: trades[trades.length - 1] } },
      );
    }
    this.takeTrades(i, member, trades);
  }

  /** Marks the account at a close. @returns whether a guard broke */
  private mark(i: number): boolean {
    const value = this.held.value(this.purse.cash, lastClose);
    if (this.closing.size > 0) {
      for (const { number, realized } of this.closing) this.ledger.mark(number, 0, 0, realized);
      this.closing.clear();
    }
    for (const m of this.holders) this.markMember(this.members[m], lastClose(this.members[m]));
    let openLoss = 0;
    if (this.readsOpenLoss) {
      // The order of the members decides, not the order of their entries.
      for (const member of this.members) {
        if (member.account.positions.length > 0) openLoss += openLossOf(member.account, lastClose(member));
      }
    }
    this.ledger.addClose(i, value, this.purse.cash);
    return this.shared.readGuards(i, value, openLoss);
  }

  private markMember({ number, account, realized, config }: Member, close: number): void {
    let [gross, net, profit] = [0, 0, realized];
    for (const position of account.positions) {
      const notional = position.size * close;
      gross += notional;
      net += signOf(position.side) * notional;
      if (this.ledger.readsProfits) profit += openProfit(position, close, config);
    }
    this.ledger.mark(number, gross, net, profit);
  }
}
