import { type Position, withWorth } from '../execution/index.js';
import type { Member } from './members.js';

/** The open positions of all members of a portfolio, in entry order. */
export class HeldPositions {
  /** The members that hold them. */
  readonly holders = new Set<number>();
  private held: { readonly member: Member; readonly position: Position }[] = [];

  /** @param heldBy the member of each position that is open already, in entry order */
  constructor(members: readonly Member[], heldBy: readonly number[]) {
    const left = members.map(({ account }) => account.positions.values());
    for (const m of heldBy) {
      this.held.push({ member: members[m], position: left[m].next().value as Position });
      this.holders.add(m);
    }
  }

  get all(): readonly { readonly member: Member; readonly position: Position }[] {
    return this.held;
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
}
