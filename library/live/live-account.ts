import {
  type Account,
  type BarSeries,
  EngineError,
  isoTime,
  type Position,
  quote,
  sliceBars,
  unknownKeys,
  unknownKeyText,
} from '../../engine/index.js';

/** An open position. Its exit, once decided, fills at the open of the next bar. */
export interface LivePosition extends Omit<Position, 'entryBar' | 'exitBar'> {
  /** Open time of the bar of the entry, epoch ms. */
  readonly entryTime: number;
}

/**
 * The state of a live run between two bars: plain data, which may be stored as JSON. It names bars
 * by their open time, epoch ms, so it does not depend on where a history begins.
 */
export interface LiveAccount extends Omit<Account, 'positions' | 'lossBars' | 'blockedThrough'> {
  /** The first bar that the rules have read: recursive indicators depend on it. */
  readonly historyFrom: number;
  /** The newest bar that the run has seen. */
  readonly newestBar: number;
  /** In entry order. */
  readonly positions: LivePosition[];
  /** Bars of the latest losses, for the cooldown. */
  readonly lossTimes: number[];
  /** Bars after the newest one in which the cooldown still blocks entries. */
  readonly blockedBars: number;
}

const KEYS = [
  ...['historyFrom', 'newestBar', 'cash', 'realizedBalance', 'positions', 'lossTimes', 'blockedBars'],
  ...['entryDay', 'entriesOnDay', 'pendingEntry'],
] as const satisfies readonly (keyof LiveAccount)[];

const refuse = (message: string): EngineError => new EngineError('INVALID_FIELD', message, { field: 'account' });

/** The account of the engine in a form that does not depend on the number of bars before it. */
export function liveAccountOf(account: Account, { time, barCount }: BarSeries): LiveAccount {
  const { positions, lossBars, blockedThrough, ...rest } = structuredClone(account);
  const newest = barCount - 1;
  const timeOfBar = (bar: number): number => time[bar] ?? NaN;
  return {
    historyFrom: timeOfBar(0),
    newestBar: timeOfBar(newest),
    ...rest,
    positions: positions.map(({ entryBar, exitBar: _, ...position }) => ({
      entryTime: timeOfBar(entryBar),
      ...position,
    })),
    lossTimes: lossBars.map(timeOfBar),
    blockedBars: Math.max(0, blockedThrough - newest),
  };
}

/**
 * The bars from which an account goes on: those that the rules have read, and the number of them
 * that the account has seen. Bars before the first one are cut off, since a longer history would
 * change recursive indicators.
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
 * The account for the engine, whose bars have the numbers of `bars`.
 * @throws EngineError where a bar of the account is not among them
 */
export function engineAccountOf(account: LiveAccount, { time, barCount }: BarSeries, seen: number): Account {
  const newest = seen - 1;
  const numberOf = (what: string, ms: number): number => {
    const bar = time.subarray(0, barCount).indexOf(ms);
    if (bar >= 0) return bar;
    throw refuse(`history has no bar of ${isoTime(ms)}, which the account names as ${what}`);
  };
  const { historyFrom: _, newestBar: __, positions, lossTimes, blockedBars, ...rest } = structuredClone(account);
  return {
    ...rest,
    positions: positions.map(({ entryTime, ...position }) => ({
      ...position,
      entryBar: numberOf('the entry of a position', entryTime),
      exitBar: position.scheduledReason === null ? -1 : newest + 1,
    })),
    lossBars: lossTimes.map((ms) => numberOf('a loss', ms)),
    blockedThrough: blockedBars === 0 ? -1 : newest + blockedBars,
  };
}

/**
 * Reads a stored account.
 * @param history bars that an account of an earlier version was made with
 * @throws EngineError that names what is missing or unknown; for an account of an earlier version
 *   whose bar numbers matter
 */
export function readLiveAccount(stored: unknown, history: BarSeries): LiveAccount {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    throw refuse(`account must be an object as account() returned it, was ${quote(stored)}`);
  }
  const given = 'lossBars' in stored || 'blockedThrough' in stored ? withoutBarNumbers(stored, history) : stored;
  const missing = KEYS.filter((key) => (given as Record<string, unknown>)[key] === undefined);
  if (missing.length > 0) {
    throw new EngineError('MISSING_FIELD', `account lacks ${missing.join(', ')}`, { fields: missing });
  }
  const [unknown] = unknownKeys('account', given, KEYS);
  if (unknown !== undefined) throw refuse(unknownKeyText(unknown));
  const account = given as LiveAccount;
  for (const key of KEYS) {
    const value = account[key];
    if (key === 'pendingEntry') continue;
    const isRight = Array.isArray(account[key]) === (key === 'positions' || key === 'lossTimes');
    if (!isRight || (!Array.isArray(value) && !Number.isFinite(value))) {
      throw refuse(`account.${key} must be as account() returned it, was ${quote(value)}`);
    }
  }
  return account;
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
