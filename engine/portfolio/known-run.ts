import {
  BarStep,
  type ExitAlone,
  fillSales,
  openAccount,
  openCounts,
  type Position,
  type Trade,
} from '../execution/index.js';
import { isGuardSet } from './ended.js';
import { HeldPositions } from './held-positions.js';
import { KnownEntries } from './known-entries.js';
import {
  hasBalance,
  inTurn,
  type Member,
  memberConfig,
  nextEntryFrom,
  type PortfolioInput,
  rankAt,
  type Turn,
} from './members.js';
import type { PortfolioSimulation } from './result.js';
import { SharedAccount } from './shared-account.js';
import { buildTimeline, lastBarBefore } from './timeline.js';

/** A member whose entries depend on their bars alone. */
interface KnownMember extends Member {
  readonly known: KnownEntries;
  /** What the time of a bar is above its number. */
  readonly offset: number;
}

/** An open position, and where it is sold. */
interface Leaving {
  readonly member: KnownMember;
  readonly position: Position;
  readonly exit: ExitAlone;
  readonly time: number;
}

/**
 * A portfolio of members whose entries depend on their bars alone, without guards and without holes
 * in their bars. It equals `PortfolioRun` in every bit and goes from fill to fill: what a close
 * decides, and where an entry is sold, is known from the first portfolio that had it.
 */
export class KnownRun {
  private readonly counts = openCounts();
  private readonly held: HeldPositions;
  private leaving: Leaving[] = [];
  /** The next time at which an entry of a member is filled or refused. */
  private readonly entryTimes: Int32Array;

  /** Null where a portfolio is not such a one, or what it keeps is read at each close. */
  static over(input: PortfolioInput): KnownRun | null {
    const { keepsCourses, keepsCorrelation, guards, start, initialBalance } = input;
    if (keepsCourses === true || keepsCorrelation !== false || isGuardSet(guards)) return null;
    const series = input.members.map(({ bars }) => bars);
    const { offsets } = buildTimeline(series, start);
    if (offsets.some((offset) => offset === null)) return null;
    const knowns = input.members.map((member) => KnownEntries.of(member, member.known));
    if (knowns.some((known) => known === null)) return null;
    const shared = new SharedAccount(series, input, initialBalance, null);
    const members = input.members.map((member, number): KnownMember => {
      const known = knowns[number] as KnownEntries;
      const config = hasBalance(known.config, input) ? known.config : memberConfig(member, input);
      return {
        ...{ number, input: member, config, account: openAccount(config, { purse: shared.purse }) },
        ...{ known, offset: offsets[number] as number },
        ...{ shift: 0, realized: 0, bar: lastBarBefore(member.bars, start), isSteady: true, nextEntry: -1 },
      };
    });
    return new KnownRun(input, shared, members);
  }

  private constructor(
    input: PortfolioInput,
    private readonly shared: SharedAccount,
    private readonly members: readonly KnownMember[],
  ) {
    this.held = new HeldPositions(members, [], shared, input);
    this.entryTimes = Int32Array.from(members, (member) => this.entryTime(member, member.bar + 1));
  }

  run(): PortfolioSimulation {
    const { shared, members } = this;
    const last = shared.timeline.times.length - 1;
    shared.run((i, until) => {
      this.fill(i);
      if (i === last) this.sellRest(i);
      const next = Math.min(until, this.nextFill(), i < last && this.held.all.length > 0 ? last : last + 1);
      this.note(i, next);
      return next;
    });
    return shared.ledger.finish(
      this.counts,
      members.map(() => 0),
    );
  }

  /** The time after the first close, from a bar on, at which an entry rule is true. */
  private entryTime(member: KnownMember, from: number): number {
    const bar = nextEntryFrom(member, from) + 1;
    return bar < member.input.bars.barCount ? bar + member.offset : this.shared.timeline.times.length;
  }

  private nextFill(): number {
    const { entryTimes, leaving } = this;
    let next = Infinity;
    for (let m = 0; m < entryTimes.length; m++) if (entryTimes[m] < next) next = entryTimes[m];
    for (let l = 0; l < leaving.length; l++) if (leaving[l].time < next) next = leaving[l].time;
    return next;
  }

  /** Fills sales and entries of an open, then sales inside the bars. */
  private fill(i: number): void {
    this.leave(i, true);
    this.enter(i);
    this.shared.ledger.addHeld(this.held.holders);
    this.leave(i, false);
  }

  private leave(i: number, isAtOpen: boolean): void {
    const isDue = ({ time, exit }: Leaving): boolean => time === i && exit.isAtOpen === isAtOpen;
    if (!this.leaving.some(isDue)) return;
    const due = this.leaving.filter(isDue).sort((a, b) => a.member.number - b.member.number);
    this.leaving = this.leaving.filter((one) => !isDue(one));
    for (const { member, position, exit } of due) this.sell(i, member, position, exit);
  }

  private sell(
    i: number,
    member: KnownMember,
    position: Position,
    exit: Pick<ExitAlone, 'raw' | 'reason' | 'isLimit'>,
  ): void {
    const { account, config, input, offset } = member;
    const index = i - offset;
    const sale = { index, volumeBefore: index > 0 ? input.bars.volume[index - 1] : 0 };
    const { raw, reason, isLimit } = exit;
    const trades: Trade[] = [];
    fillSales(account, position, [{ size: position.size, raw, reason, isLimit }], sale, config, trades);
    this.held.take(i, member, trades);
  }

  /** Fills the entries that the closes before an open decided, by rank and member, or tells why not. */
  private enter(i: number): void {
    const turns: Turn[] = [];
    for (const member of this.members) {
      if (this.entryTimes[member.number] !== i) continue;
      member.bar = i - member.offset;
      this.entryTimes[member.number] = this.entryTime(member, member.bar);
      const rank = rankAt(member, member.bar - 1);
      turns.push({ decidedAt: 0, rank, take: () => this.fillEntry(i, member) });
    }
    if (turns.length > 0) inTurn(turns);
  }

  private fillEntry(i: number, member: KnownMember): void {
    const { account, config, known, bar, number } = member;
    const { held, shared, counts } = this;
    const entry = known.entryAt(bar);
    account.pendingEntry = entry.pendingEntry;
    account.refusals = entry.refusals;
    const run = new BarStep(account, entry.bar, config, counts, () => held.standing(i, member));
    run.fillPending();
    for (const { reason } of run.denials) shared.ledger.denials.push({ member: number, bar, reason });
    if (run.trades.length > 0) this.leaving = this.leaving.filter(({ position }) => position.size > 0);
    held.take(i, member, run.trades);
    const position = account.positions.at(-1);
    if (position?.entryBar !== bar) return;
    const exit = known.exitOf(entry, position);
    if (exit !== null) this.leaving.push({ member, position, exit, time: exit.bar + member.offset });
  }

  /** Sells everything at the last close of each member. */
  private sellRest(i: number): void {
    for (const member of this.members) {
      const raw = this.shared.timeline.closes[member.number][i];
      for (const position of [...member.account.positions]) {
        this.sell(i, member, position, { raw, reason: 'END', isLimit: false });
      }
    }
  }

  /** Notes the closes from one with fills to the next. */
  private note(from: number, until: number): void {
    const { ledger, purse } = this.shared;
    const { holders, all } = this.held;
    if (holders.size === 0) {
      ledger.addRest(from, until, purse.cash);
      return;
    }
    ledger.addHeld(holders, until - from - 1);
    const holding = this.members.filter(({ account }) => account.positions.length > 0);
    ledger.addQuiet(from, until, purse.cash, all, holding);
  }
}
