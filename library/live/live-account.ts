import { EngineError, quote } from '../../engine/errors.js';
import {
  type Account,
  fromLongForm,
  type LongLevels,
  openGuard,
  type Position,
  type WorkingOrder,
} from '../../engine/execution/index.js';
import { type BarSeries, isoTime, sliceBars } from '../../engine/series/index.js';
import { unknownKeys, unknownKeyText } from '../../engine/unknown-keys.js';
import type { StoredFurther } from './further-bars.js';
import { readStoredBars, type StoredBars } from './stored-bars.js';

/** What an account was made by. */
export interface LiveOrigin {
  readonly asset: string;
  readonly strategy: Readonly<Record<string, unknown>>;
  /** All settings. */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * The state of a live run between two bars: plain data, which may be stored as JSON. It names bars
 * by their open time, epoch ms, so it does not depend on where a history begins.
 */
export interface LiveAccount extends Pick<Account, 'isPlain' | 'ordersPlaced' | 'ordersExpired'> {
  /** Absent in accounts of earlier versions, like the bars. */
  readonly origin?: LiveOrigin;
  /** All bars that the rules have read, so that a run goes on without them. */
  readonly bars?: StoredFurther & { readonly own: StoredBars };
  /** The first bar that the rules have read: recursive indicators depend on it. */
  readonly historyFrom: number;
  /** The newest bar that the run has seen. */
  readonly newestBar: number;
  /** Quote currency. */
  readonly cash: number;
  /** Initial balance plus profit and loss of all closed trades. */
  readonly realizedBalance: number;
  /** In entry order. */
  readonly positions: readonly LivePosition[];
  /** Bars of the latest losses, for the cooldown. */
  readonly lossTimes: readonly number[];
  /** Bars after the newest one in which the cooldown still blocks entries. */
  readonly blockedBars: number;
  /** UTC day of the latest entry, and the entries filled on it. */
  readonly entryDay: number;
  readonly entriesOnDay: number;
  readonly pendingEntry: Account['pendingEntry'];
  /** Denials decided at the newest close. */
  readonly refusals: Account['refusals'];
  /** Working entry orders, older first. */
  readonly orders: readonly LiveWorkingOrder[];
  readonly guard: Omit<Account['guard'], 'blockedThrough'> & {
    /** Bars after the newest one in which a guard still denies entries; null is for the rest of the run. */
    readonly blockedBars: number | null;
  };
}

/** An open position. Its exit, once decided, fills at the open of the next bar. */
export interface LivePosition extends Omit<Position, 'entryBar' | 'exits'> {
  /** Open time of the bar of the entry, epoch ms. */
  readonly entryTime: number;
  /** Parts sold so far. */
  readonly exits: readonly (Omit<Position['exits'][number], 'bar'> & { readonly time: number })[];
}

export interface LiveWorkingOrder extends Omit<WorkingOrder, 'lastBar'> {
  /** Bars after the newest one in which it may still fill. */
  readonly barsLeft: number;
}

/** Keys of accounts from when a plain strategy had an account of its own. */
const LONG_KEYS = [
  ...['historyFrom', 'newestBar', 'cash', 'realizedBalance', 'positions', 'lossTimes', 'blockedBars'],
  ...['entryDay', 'entriesOnDay', 'pendingEntry'],
] as const satisfies readonly (keyof LiveAccount)[];
const KEYS = [
  ...LONG_KEYS,
  ...(['refusals', 'orders', 'ordersPlaced', 'ordersExpired', 'guard'] as const),
] as const satisfies readonly (keyof LiveAccount)[];

const OPTIONAL_KEYS = ['origin', 'bars', 'isPlain'] as const satisfies readonly (keyof LiveAccount)[];

const LIST_KEYS: ReadonlySet<string> = new Set(['positions', 'lossTimes', 'refusals', 'orders']);

const refuse = (message: string): EngineError => new EngineError('INVALID_FIELD', message, { field: 'account' });

/** The account of the engine in a form that does not depend on the number of bars before it. */
export function toLiveAccount(account: Account, { time, barCount }: BarSeries): LiveAccount {
  const newest = barCount - 1;
  const timeOfBar = (bar: number): number => time[bar] ?? NaN;
  const { lossBars, blockedThrough, purse, orders, guard, positions, ...others } = structuredClone(account);
  const { blockedThrough: guarded, ...guardRest } = guard;
  return {
    historyFrom: timeOfBar(0),
    newestBar: timeOfBar(newest),
    lossTimes: lossBars.map(timeOfBar),
    blockedBars: Math.max(0, blockedThrough - newest),
    ...others,
    ...purse,
    positions: positions.map(({ entryBar, exits, ...position }) => ({
      ...{ entryTime: timeOfBar(entryBar) },
      ...position,
      exits: exits.map(({ bar, ...exit }) => ({ time: timeOfBar(bar), ...exit })),
    })),
    orders: orders.map(({ lastBar, ...order }) => ({ ...order, barsLeft: lastBar - newest })),
    guard: { ...guardRest, blockedBars: guarded === null ? null : Math.max(0, guarded - newest) },
  };
}

/**
 * The bars from which an account goes on: all bars that the rules have read, and how many the
 * account has seen. Bars before the first one are cut off, since a longer history would change
 * recursive indicators.
 * @throws EngineError for a history without the first or the newest bar of the account
 */
export function barsOfAccount({ historyFrom, newestBar }: LiveAccount, history: BarSeries) {
  const first = history.time.indexOf(historyFrom);
  const seen = history.time.indexOf(newestBar);
  const began = history.barCount === 0 ? 'is empty' : `begins at ${isoTime(history.time[0] ?? NaN)}`;
  const ended = history.barCount === 0 ? 'is empty' : `ends at ${isoTime(history.time[history.barCount - 1] ?? NaN)}`;
  if (first < 0) {
    throw refuse(
      `history must begin at or before the bar of ${isoTime(historyFrom)}, as that of the account, ${began}`,
    );
  }
  if (seen < 0) {
    throw refuse(`history must hold the bar of ${isoTime(newestBar)}, the newest that the account has seen, ${ended}`);
  }
  return { bars: sliceBars(history, first, history.barCount), seen: seen - first + 1 };
}

/**
 * The bars that an account keeps; null for one of an earlier version, or without them.
 * @throws EngineError for bars that `account()` did not return, or that lack the newest of the account
 */
export function keptBars(account: LiveAccount | undefined) {
  if (typeof account !== 'object' || account?.bars === undefined) return null;
  const { newestBar, bars } = account;
  if (typeof bars !== 'object' || bars === null) {
    throw refuse(`account.bars must be as account() returned it, was ${quote(bars)}`);
  }
  const given: Partial<typeof bars> = bars;
  const own = readStoredBars(given.own, 'account.bars.own');
  const newest = own.time[own.barCount - 1] ?? NaN;
  if (newest !== newestBar) {
    throw refuse(`account.bars.own must end at the bar of ${isoTime(newestBar)}, ended at ${isoTime(newest)}`);
  }
  const { others = {}, detail = null } = given;
  if (typeof others !== 'object' || others === null) {
    throw refuse(`account.bars.others must be as account() returned it, was ${quote(others)}`);
  }
  const read = Object.entries(others).map(([name, each]) => [
    name,
    readStoredBars(each, `account.bars.others.${name}`),
  ]);
  return {
    own,
    others: Object.fromEntries(read) as Record<string, BarSeries>,
    detail: detail === null ? null : readStoredBars(detail, 'account.bars.detail'),
  };
}

/**
 * The account for the engine, whose bars have the numbers of `bars`.
 * @throws EngineError where a bar of the account is not among them
 */
export function toEngineAccount(account: LiveAccount, { time, barCount }: BarSeries, seen: number): Account {
  const newest = seen - 1;
  const barNumber = (what: string, ms: number): number => {
    const bar = time.subarray(0, barCount).indexOf(ms);
    if (bar >= 0) return bar;
    throw refuse(`history has no bar of ${isoTime(ms)}, which the account names as ${what}`);
  };
  const { origin: _, bars: __, historyFrom: ___, newestBar: ____, ...live } = account;
  const { lossTimes, blockedBars, cash, realizedBalance, positions, orders, guard, ...others } = structuredClone(live);
  const { blockedBars: guarded, ...guardRest } = guard;
  return {
    ...others,
    lossBars: lossTimes.map((ms) => barNumber('a loss', ms)),
    blockedThrough: blockedBars === 0 ? -1 : newest + blockedBars,
    purse: { cash, realizedBalance },
    positions: positions.map(({ entryTime, exits, ...position }) => ({
      ...position,
      entryBar: barNumber('the entry of a position', entryTime),
      exits: exits.map(({ time: ms, ...exit }) => ({ ...exit, bar: barNumber('a sale', ms) })),
    })),
    orders: orders.map(({ barsLeft, ...order }) => ({ ...order, lastBar: newest + barsLeft })),
    guard: { ...guardRest, blockedThrough: guarded === null ? null : guarded === 0 ? -1 : newest + guarded },
  };
}

/**
 * Reads a stored account.
 * @param history bars that an account of an earlier version was made with
 * @param isPlain whether the strategy uses no short side, margin, orders or guards, which the account must fit
 * @throws EngineError that names the missing or unknown field; for an account of an earlier version
 * whose bar numbers matter
 */
export function readLiveAccount(stored: unknown, history: BarSeries, isPlain: boolean): LiveAccount {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    throw refuse(`account must be an object as account() returned it, was ${quote(stored)}`);
  }
  const given = 'lossBars' in stored || 'blockedThrough' in stored ? withoutBarNumbers(stored, history) : stored;
  const isOld = !('guard' in given);
  if ((isOld || 'isPlain' in given) !== isPlain) {
    const [kept, needed] = isPlain ? ['keeps', 'does not use'] : ['does not keep', 'uses'];
    throw refuse(
      `account ${kept} what a strategy with a short side, margin, working orders, moving levels or guards has, ` +
        `which this one ${needed}: give the strategy and settings that it was stored with`,
    );
  }
  const keys: readonly string[] = isOld ? LONG_KEYS : KEYS;
  const missing = keys.filter((key) => (given as Record<string, unknown>)[key] === undefined);
  if (missing.length > 0) {
    throw new EngineError('MISSING_FIELD', `account lacks ${missing.join(', ')}`, { fields: missing });
  }
  const [unknown] = unknownKeys('account', given, [...keys, ...OPTIONAL_KEYS]);
  if (unknown !== undefined) throw refuse(unknownKeyText(unknown));
  for (const key of keys) {
    const value = (given as Record<string, unknown>)[key];
    if (key === 'pendingEntry') continue;
    if (key === 'guard') {
      if (typeof value === 'object' && value !== null) continue;
      throw refuse(`account.guard must be as account() returned it, was ${quote(value)}`);
    }
    const isRight = Array.isArray(value) === LIST_KEYS.has(key);
    if (!isRight || (!Array.isArray(value) && !Number.isFinite(value))) {
      throw refuse(`account.${key} must be as account() returned it, was ${quote(value)}`);
    }
  }
  return isOld ? fromLong(given as LongLiveAccount) : (given as LiveAccount);
}

/** An account from when a plain strategy had one of its own. */
interface LongLiveAccount extends Omit<LiveAccount, 'positions' | 'pendingEntry'> {
  readonly positions: readonly (LongLevels & Pick<LivePosition, 'entryTime'>)[];
  readonly pendingEntry: Parameters<typeof fromLongForm>[0]['pendingEntry'];
}

function fromLong({ positions, pendingEntry, ...known }: LongLiveAccount): LiveAccount {
  const { blockedThrough: _, ...guard } = openGuard(known.realizedBalance);
  return { ...known, ...fromLongForm({ positions, pendingEntry }), guard: { ...guard, blockedBars: 0 } };
}

/**
 * An account as earlier versions stored it, with bars by their number in the history. Without
 * positions and losses no number matters; others cannot be read, because nothing says which
 * history they count.
 */
function withoutBarNumbers(stored: object, { time, barCount }: BarSeries): object {
  const { positions, lossBars, blockedThrough, ...rest } = stored as Partial<Account>;
  const isBlocked = blockedThrough !== undefined && blockedThrough >= 0;
  if (positions?.length !== 0 || lossBars?.length !== 0 || isBlocked) {
    throw refuse(
      'account is of an earlier version and names bars by their number, which depends on the history: ' +
        'run the strategy once more over the bars since it began, and store that account',
    );
  }
  const newestBar = time[barCount - 1] ?? NaN;
  return { historyFrom: time[0] ?? NaN, newestBar, ...rest, positions: [], lossTimes: [], blockedBars: 0 };
}
