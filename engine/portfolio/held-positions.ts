import { type Position, type Standing, type Trade, withWorth } from '../execution/index.js';
import type { Member, PortfolioInput } from './members.js';
import type { SharedAccount } from './shared-account.js';

/** The open positions of all members of a portfolio, in entry order. */
export class HeldPositions {
  /** The members that hold them. */
  readonly holders = new Set<number>();
  private held: { readonly member: Member; readonly position: Position }[] = [];

  /** @param heldBy the member of each position that is open already, in entry order */
  constructor(
    members: readonly Member[],
    heldBy: readonly number[],
    private readonly shared: SharedAccount,
    private readonly limits: Pick<PortfolioInput, 'maxOpenPositions' | 'maxGrossExposure'>,
  ) {
    const left = members.map(({ account }) => account.positions.values());
    for (const m of heldBy) {
      this.held.push({ member: members[m], position: left[m].next().value as Position });
      this.holders.add(m);
    }
  }

  get all(): readonly { readonly member: Member; readonly position: Position }[] {
    return this.held;
  }

  /** Moves closed trades of a member to the ledger, and follows what is still open. */
  take(i: number, member: Member, trades: Trade[]): void {
    for (const trade of trades.splice(0)) {
      member.realized += trade.profitLoss;
      this.shared.ledger.trades.push(Object.assign(trade, { member: member.number, exitTime: i })); // it is ours
    }
    this.follow(member);
  }

  /** Brings the open positions of a member up to date. */
  follow(member: Member): void {
    const { positions } = member.account;
    if (positions.length === 0 && !this.holders.has(member.number)) return;
    let [own, gone] = [0, 0];
    for (const one of this.held) {
      if (one.member !== member) continue;
      own++;
      if (!positions.includes(one.position)) gone++;
    }
    if (gone === 0 && own === positions.length) return;
    this.held = this.held.filter((one) => one.member !== member || positions.includes(one.position));
    for (const position of positions) {
      if (!this.held.some((one) => one.position === position)) this.held.push({ member, position });
    }
    if (positions.length > 0) this.holders.add(member.number);
    else this.holders.delete(member.number);
  }

  /** Cash and the worths of all positions, added in entry order. */
  value(cash: number, price: (member: Member) => number): number {
    let value = cash;
    for (let h = 0; h < this.held.length; h++) {
      const { member, position } = this.held[h];
      value = withWorth(value, position, price(member), member.config);
    }
    return value;
  }

  /** Where the account stands for an entry of a member at the open of a time. */
  standing(i: number, member: Member): Standing {
    this.follow(member); // an entry may have sold its other side
    const { purse, ledger } = this.shared;
    const { maxOpenPositions, maxGrossExposure } = this.limits;
    const value = this.value(purse.cash, (member) => this.openPrice(i, member));
    return {
      value,
      weight: member.input.weight,
      isGuarded: this.shared.isGuarded(i),
      isFull: maxOpenPositions !== null && this.held.length >= maxOpenPositions,
      room: maxGrossExposure === null ? Infinity : maxGrossExposure * value - this.grossAtOpen(i),
      limited: (limit) => ledger.addLimited(member.number, limit),
    };
  }

  private grossAtOpen(i: number): number {
    return this.held.reduce((sum, { member, position }) => sum + position.size * this.openPrice(i, member), 0);
  }

  /** The open of a member that has a bar at a time, else its last close. */
  private openPrice(i: number, { number, input: { bars }, bar }: Member): number {
    const now = this.shared.timeline.bars[number][i];
    return now < 0 ? bars.close[bar] : bars.open[now];
  }
}
