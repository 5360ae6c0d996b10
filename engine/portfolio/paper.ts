import {
  type GuardState,
  openGuard,
  openPaperAccount,
  openPurse,
  type PaperAccount,
  type PaperEvent,
  type Position,
  type Purse,
  paperEvents,
} from '../execution/index.js';
import { type BarSeries, firstBarFrom, sliceBars } from '../series/index.js';
import { type AllocationFill, type AllocationInput, AllocationRun, type Holding, openHolding } from './allocation.js';
import { type MemberEvent, memberConfig, type PortfolioInput } from './members.js';
import { PortfolioRun } from './portfolio.js';
import { lastBarBefore } from './timeline.js';

/**
 * One account over several assets, carried from time to time. Plain data without NaN or infinities,
 * so it survives JSON.
 */
interface PaperAccountOfMany {
  readonly purse: Purse;
  readonly guard: GuardState;
  /** Number of the last evaluated time, and the time, epoch ms; -1 and null before the first. */
  lastBar: number;
  lastBarTime: number | null;
}

interface Priced {
  /** Last close of the asset; null before its first bar. */
  readonly close: number | null;
}

interface PaperRules extends PaperAccountOfMany {
  readonly kind: 'members';
  /** The account of each member, without the purse, which they share. */
  readonly members: readonly (Omit<PaperAccount, 'purse' | 'lastBarTime'> & Priced)[];
  /** The member of each open position, in entry order. */
  readonly held: readonly number[];
}

/** What a paper account holds of an asset. Its bars are numbered from 0, in the order they came. */
interface PaperHolding extends Omit<Holding, 'bar'>, Priced {
  readonly lastBar: number;
  /** Open of the bar of the first purchase since the asset was last at 0, epoch ms. */
  readonly entryTime: number | null;
}

export interface PaperAllocation extends PaperAccountOfMany {
  readonly kind: 'allocation';
  readonly assets: readonly PaperHolding[];
}

export type PaperPortfolio = PaperRules | PaperAllocation;

/** The outcome of one time for a portfolio of rules. */
interface RulesStep {
  readonly account: PaperRules;
  /** In the order they happened. */
  readonly events: readonly (PaperEvent & { readonly member: number })[];
  /** Account value at the close. */
  readonly value: number;
}

/** The outcome of one time for an allocation. */
interface AllocationStep {
  readonly account: PaperAllocation;
  /** In the order they happened. Bars of trades are numbered by the account. */
  readonly fills: readonly AllocationFill[];
  readonly value: number;
}

/** What all members of a portfolio have, and each of its own. */
type RulesSettings = Pick<PortfolioInput, 'initialBalance'> & {
  readonly members: readonly Pick<PortfolioInput['members'][number], 'config'>[];
};

export function openPaperRules({ members, initialBalance }: RulesSettings): PaperRules {
  const accounts = members.map(({ config }) => {
    const { purse: _, lastBarTime: __, ...account } = openPaperAccount(config);
    return { ...account, close: null };
  });
  return { kind: 'members', ...opened(initialBalance), members: accounts, held: [] };
}

export function openPaperAllocation(initialBalance: number, assetCount: number): PaperAllocation {
  const { bar: _, ...holding } = openHolding(-1);
  const assets = Array.from({ length: assetCount }, () => ({ ...holding, lastBar: -1, close: null, entryTime: null }));
  return { kind: 'allocation', ...opened(initialBalance), assets };
}

const opened = (balance: number): PaperAccountOfMany => ({
  ...{ purse: openPurse(balance), guard: openGuard(balance) },
  ...{ lastBar: -1, lastBarTime: null },
});

/**
 * Takes a paper account over the members through one time, as `simulatePortfolio` does. Nothing is
 * sold because no bar follows.
 * @param before does not change
 * @param input with bars from before the time to it or further; `start` is the time
 * @param idOf makes the id of a position or an order from the bar of the member and the side
 */
export function stepRules(
  before: PaperRules,
  input: PortfolioInput,
  idOf: (member: number, bar: number, side: Position['side']) => string,
): RulesStep {
  const { purse, guard, members, lastBar, held } = structuredClone(before);
  const { start: time } = input;
  const accounts = members.map(({ close: _, ...account }) => ({ ...account, purse }));
  const log: MemberEvent[] = [];
  const seen = input.members.map((member) => ({ ...member, bars: throughTime(member.bars, time) }));
  const run = new PortfolioRun(
    { ...input, members: seen, keepsCorrelation: false },
    { firstTime: lastBar + 1, purse, guard, accounts, held, log },
  );
  const value = run.step(0, false);
  const told = seen.map((member, m) => {
    const own = log.filter((one) => one.member === m).map(({ event }) => event);
    const closeTime = time + member.bars.intervalMs;
    const named = (bar: number, side: Position['side']) => idOf(m, bar, side);
    return paperEvents(accounts[m], own, memberConfig(member, input), { idOf: named, time, closeTime }).values();
  });
  return {
    account: {
      ...{ kind: 'members', purse, guard, held: run.heldBy, lastBar: lastBar + 1, lastBarTime: time },
      members: accounts.map(({ purse: _, ...account }, m) => ({ ...account, ...moved(account, seen[m].bars, time) })),
    },
    events: log.map(({ member }) => ({ ...(told[member].next().value as PaperEvent), member })),
    value,
  };
}

/** The same for weights, as `simulateAllocation` does. */
export function stepAllocation(before: PaperAllocation, input: AllocationInput): AllocationStep {
  const { purse, guard, assets, lastBar, lastBarTime } = structuredClone(before);
  const { start: time } = input;
  const seen = input.assets.map((asset) => ({ ...asset, bars: throughTime(asset.bars, time) }));
  const shifts = seen.map(({ bars }, a) => assets[a].lastBar - lastBarBefore(bars, time));
  const holdings = assets.map(({ lastBar: _, close: __, entryTime: ___, ...holding }, a) => ({
    ...holding,
    entryBar: holding.entryBar - shifts[a],
    bar: lastBarBefore(seen[a].bars, time),
  }));
  const log: AllocationFill[] = [];
  const run = new AllocationRun(
    { ...input, assets: seen, keepsCorrelation: false },
    { firstTime: lastBar + 1, timeBefore: lastBarTime, purse, guard, holdings, log },
  );
  const value = run.step(0, false);
  return {
    account: {
      ...{ kind: 'allocation', purse, guard, lastBar: lastBar + 1, lastBarTime: time },
      assets: holdings.map(({ bar, ...holding }, a) => ({
        ...holding,
        entryBar: holding.entryBar + shifts[a],
        ...moved(assets[a], seen[a].bars, time),
        entryTime: holding.units > 0 ? (seen[a].bars.time[holding.entryBar] ?? assets[a].entryTime) : null,
      })),
    },
    fills: log.map((fill) => (fill.kind === 'sale' ? renumbered(fill, shifts[fill.asset]) : fill)),
    value,
  };
}

const renumbered = (fill: AllocationFill & { kind: 'sale' }, shift: number): AllocationFill => {
  const { entryBar, exitBar } = fill.trade;
  return { ...fill, trade: { ...fill.trade, entryBar: entryBar + shift, exitBar: exitBar + shift } };
};

const throughTime = (bars: BarSeries, time: number): BarSeries => sliceBars(bars, 0, firstBarFrom(bars, time + 1));

/** Number and close of the newest bar of a member. */
function moved({ lastBar, close }: { readonly lastBar: number } & Partial<Priced>, bars: BarSeries, time: number) {
  const newest = bars.barCount - 1;
  const isNew = bars.time[newest] === time;
  return { lastBar: isNew ? lastBar + 1 : lastBar, close: newest < 0 ? (close ?? null) : bars.close[newest] };
}

/** Tells the account of a portfolio from the account of one asset, also where they were stored. */
export const isPaperPortfolio = (account: object): account is PaperPortfolio => 'kind' in account;
