import {
  type Account,
  type AccountEvent,
  type ExecutionConfig,
  type FullConfig,
  fullConfig,
  type SimulationInput,
  signOf,
  type WorkingOrder,
} from '../execution/index.js';
import { type Mask, nextBit } from '../series/index.js';
import type { KnownEntries } from './known-entries.js';
import type { SharedInput } from './shared-account.js';

/** What happened to one of the members. */
export interface MemberEvent {
  readonly member: number;
  readonly event: AccountEvent;
}

/** A strategy on an asset. Its balance and its floor are the portfolio's, its guards are not read. */
export interface PortfolioMember extends Omit<SimulationInput, 'first' | 'equity'> {
  /** Multiplies the account value wherever a size of the member reads it. */
  readonly weight: number;
  /** Value of `rank_by` at the close of each bar, NaN where undefined; null: none is defined. */
  readonly rank: Float64Array | null;
  /** What another portfolio knows of the same member. Default: nothing. */
  readonly known?: KnownEntries | undefined;
}

export interface PortfolioInput extends SharedInput {
  /** At least one; all bars have one interval. */
  readonly members: readonly PortfolioMember[];
  /** Quote currency. */
  readonly initialBalance: number;
  /** Fraction of the initial balance up to 1, else an amount. */
  readonly minBalanceThreshold: number;
  /** Limits of the account over all members; null is none. */
  readonly maxOpenPositions: number | null;
  /** Largest sum of notionals, as a multiple of the account value. */
  readonly maxGrossExposure: number | null;
}

/** Settings of a member: its own, with the balance and the floor of the account. */
export const memberConfig = (
  { config }: PortfolioMember,
  { initialBalance, minBalanceThreshold }: Pick<PortfolioInput, 'initialBalance' | 'minBalanceThreshold'>,
): FullConfig => fullConfig({ ...config, initial_balance: initialBalance, min_balance_threshold: minBalanceThreshold });

/** Whether settings have the balance and the floor of an account already. */
export const hasBalance = (
  config: ExecutionConfig,
  { initialBalance, minBalanceThreshold }: Pick<PortfolioInput, 'initialBalance' | 'minBalanceThreshold'>,
): boolean => config.initial_balance === initialBalance && config.min_balance_threshold === minBalanceThreshold;

/** A member while its portfolio runs. */
export interface Member {
  readonly number: number;
  readonly input: PortfolioMember;
  readonly config: FullConfig;
  readonly account: Account;
  /** How far the account's numbers of its bars are above their numbers in `input.bars`. */
  readonly shift: number;
  /** Profit and loss of its closed trades. */
  realized: number;
  /** Newest bar that has opened, of a member that holds something; -1 before the first one. */
  bar: number;
  /** Nothing but fills changes what it holds, so most of its bars need no more than a look. */
  readonly isSteady: boolean;
  /** What `nextEntryFrom` found last. */
  nextEntry: number;
}

/** The first bar from a bar on at which an entry rule of a member is true; Infinity where none follows. */
export function nextEntryFrom(member: Member, bar: number): number {
  const { input } = member;
  if (member.nextEntry >= bar) return member.nextEntry;
  const from = (mask: Mask | undefined): number => {
    const next = mask === undefined ? -1 : nextBit(mask, bar);
    return next < 0 ? Infinity : next;
  };
  member.nextEntry = Math.min(from(input.entry), from(input.shortEntry));
  return member.nextEntry;
}

/** The last close of a member that holds something. */
export const lastClose = ({ input, bar }: Member): number => input.bars.close[bar];

/** Larger first; an undefined rank comes last. */
export function rankAt({ input: { rank } }: Member, bar: number): number {
  const value = rank?.[bar] ?? NaN;
  return Number.isNaN(value) ? -Infinity : value;
}

/** When and with which rank a working order was decided. */
export function orderDecision(member: Member, { lastBar }: WorkingOrder): { decidedAt: number; rank: number } {
  const bar = lastBar - member.config.entry_valid_bars - member.shift;
  return { decidedAt: member.input.bars.time[bar], rank: rankAt(member, bar) };
}

/** Long before short. */
export const bySide = <T>(items: readonly T[], orderOf: (item: T) => WorkingOrder): T[] =>
  [...items].sort((a, b) => signOf(orderOf(b).side) - signOf(orderOf(a).side));

/** An entry that waits for its turn: the time and rank of its decision. */
export interface Turn {
  readonly decidedAt: number;
  readonly rank: number;
  readonly take: () => void;
}

/** Takes entries in turn: older first, then the larger rank, then as they are listed. */
export function inTurn(turns: Turn[]): void {
  turns.sort((a, b) => ascending(a.decidedAt, b.decidedAt) || ascending(b.rank, a.rank));
  for (const { take } of turns) take();
}

const ascending = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Members that are named at a value. */
const MEMBERS_NAMED = 3;

/** A value that is one for all, or by member: each value once, with members that have it. */
export function byMemberText<T>(value: T | ReadonlyMap<string, T>, render: (value: T) => string): string {
  if (!(value instanceof Map)) return render(value as T);
  const byText = new Map<string, string[]>();
  for (const [name, own] of value as ReadonlyMap<string, T>) {
    const text = render(own);
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  return [...byText].map(([text, names]) => `${text} (${namedText(names)})`).join(', ');
}

/** `BTC, ETH, SOL and 5 more`. */
export function namedText(names: readonly string[], most = MEMBERS_NAMED): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}
