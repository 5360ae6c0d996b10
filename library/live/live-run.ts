import {
  type Account,
  accountValue,
  type BarSeries,
  type DenialReason,
  EngineError,
  type ExecutionConfig,
  fillOpen,
  historyMs,
  isoTime,
  LiveRules,
  type OwnSignal,
  openAccount,
  type Position,
  parseStrategy,
  planStrategy,
  refuseUnknownKeys,
  resolveConfig,
  type StepBar,
  sliceBars,
  step,
  stepBarOf,
  type Trade,
  unknownKeys,
} from '../../engine/index.js';
import type { Bars } from '../bars/bars.js';
import { ownSignalsOf } from '../signals.js';
import { completeStrategy, type ExecutionSettings, type Strategy } from '../strategy.js';
import { type ClosedBar, GrowingBars } from './growing-bars.js';
import { barsOfAccount, engineAccountOf, type LiveAccount, liveAccountOf, readLiveAccount } from './live-account.js';

export interface LiveOptions {
  readonly strategy: Strategy;
  /** Closed bars before the first step; the rules warm up on them. */
  readonly history: Bars;
  readonly config?: ExecutionSettings;
  readonly signals?: readonly OwnSignal[];
  /**
   * An account to go on with, as `account` of an earlier run returned it. The history must reach
   * back to where that run's began, and hold the newest bar that it saw; later bars of the history
   * are caught up on. Default: a new account.
   */
  readonly account?: LiveAccount;
}

/** What a bar brought. Entries and exits are filled by the rules of a backtest. */
export type LiveEvent =
  /** Bought at the open of the bar. */
  | { readonly kind: 'entry'; readonly time: number; readonly position: Readonly<Position> }
  /** Sold at the open of the bar or inside it, by a stop or target. */
  | { readonly kind: 'exit'; readonly time: number; readonly trade: Trade }
  /** The entry wanted at the close before was refused at the open of the bar. */
  | { readonly kind: 'denial'; readonly time: number; readonly reason: DenialReason }
  /**
   * At the close of the bar: an order for the next open. A bot acts on these two. `order` is what
   * an open at this close would buy; null where the account would refuse it then.
   */
  | { readonly kind: 'enter'; readonly time: number; readonly order: LiveOrder | null }
  | { readonly kind: 'leave'; readonly time: number; readonly position: Readonly<Position> };

/** Prices in the quote currency, size in the base asset. */
export interface LiveOrder {
  /** The fill at an open that equals the close, slippage included. */
  readonly price: number;
  readonly size: number;
  readonly stopPrice: number;
  readonly targetPrice: number;
}

export interface LiveStep {
  /** In the order in which they happened. */
  readonly events: readonly LiveEvent[];
  /** Account value at the close. */
  readonly value: number;
  /** The rules at the close. */
  readonly entry: boolean;
  readonly exit: boolean;
  /** Bars that are missing before this one, or a time between the bars of the interval. */
  readonly warnings: readonly string[];
}

/** A strategy that trades bar by bar. */
export interface LiveRun {
  /** What to know about the strategy, its settings and the history. */
  readonly warnings: readonly string[];
  /** Steps over the bars of the history that the given account had not seen yet. */
  readonly caughtUp: readonly LiveStep[];
  /**
   * Moves the account through the next closed bar. @throws EngineError for a bar that breaks a rule
   */
  step(bar: ClosedBar): LiveStep;
  /** A copy of the account as it stands. */
  account(): LiveAccount;
  /** Account value at the newest close. */
  readonly value: number;
}

/**
 * Runs a strategy bar by bar, for a bot or a paper account. The bars after the history give the
 * trades of a backtest over all of them, bit for bit, but for the sale of what is open at the end.
 * Rules on the interval of the bars cost the new bar only; rules on a coarser timeframe, over
 * columns beside the bars, and signals in code are evaluated over all bars again.
 *
 * @throws EngineError for a strategy with a rule that the engine refuses, and for wrong settings
 */
export function startLive(options: LiveOptions): LiveRun {
  refuseUnknownKeys(unknownKeys('startLive', options, OPTIONS));
  const own = ownSignalsOf(options.signals)?.signals ?? [];
  const strategy = parseStrategy(completeStrategy(options.strategy), 'relaxed', { own, takesWeeks: true });
  const { intervalMs } = options.history;
  const plan = planStrategy(strategy, intervalMs, Object.keys(options.history.columns));
  const [denied] = plan.denied;
  if (denied !== undefined) {
    throw new EngineError('INVALID_STRATEGY', `${denied.side} rule ${denied.name}: ${denied.message}`, { ...denied });
  }
  const { config, warnings } = resolveConfig({
    request: options.config ?? {},
    strategyRewardFactor: strategy.rewardFactor,
    saved: strategy.executionConfig,
    interval: intervalMs,
  });
  const { history, seen, account } = beginning(options, config);
  const bars = new GrowingBars(sliceBars(history, 0, seen));
  const rules = new LiveRules(plan);
  for (let count = 1; count <= seen; count++) rules.push(bars.first(count));
  const running: Running = { bars, rules, account, config };
  let value = accountValue(account, history.close[seen - 1] ?? 0);
  const move = (bar: ClosedBar): LiveStep => {
    const done = moveThrough(bar, running);
    value = done.value;
    return done;
  };
  const caughtUp: LiveStep[] = [];
  for (let bar = seen; bar < history.barCount; bar++) caughtUp.push(move(closedBar(history, bar)));
  return {
    warnings: [...plan.warnings, ...warnings, ...historyWarnings(history, historyMs(plan))],
    caughtUp,
    step: move,
    account: () => liveAccountOf(account, bars.first(bars.count)),
    get value() {
      return value;
    },
  };
}

const OPTIONS = ['strategy', 'history', 'config', 'signals', 'account'] satisfies readonly (keyof LiveOptions)[];

/** Where a run begins: its bars, how many of them the account has seen, and the account. */
function beginning({ history, account: stored }: LiveOptions, config: ExecutionConfig) {
  if (stored === undefined) return { history, seen: history.barCount, account: openAccount(config) };
  const read = readLiveAccount(stored, history);
  const { bars, seen } = barsOfAccount(read, history);
  return { history: bars, seen, account: engineAccountOf(read, bars, seen) };
}

function historyWarnings({ barCount, intervalMs }: BarSeries, neededMs: number): string[] {
  const needed = Math.ceil(neededMs / intervalMs);
  if (barCount >= needed) return [];
  return [`history has ${barCount} bars, the rules need ${needed} to warm up and settle: first signals may differ`];
}

function closedBar({ time, open, high, low, close, volume, columns }: BarSeries, bar: number): ClosedBar {
  const at = (column: Float64Array): number => column[bar] ?? NaN;
  const beside = Object.entries(columns).map(([name, column]) => [name, at(column)] as const);
  const prices = { open: at(open), high: at(high), low: at(low), close: at(close), volume: at(volume) };
  return { time: at(time), ...prices, columns: Object.fromEntries(beside) };
}

interface Running {
  readonly bars: GrowingBars;
  readonly rules: LiveRules;
  readonly account: Account;
  readonly config: ExecutionConfig;
}

function moveThrough(bar: ClosedBar, { bars, rules, account, config }: Running): LiveStep {
  const series = bars.add(bar);
  const index = series.barCount - 1;
  const { entry, exit } = rules.push(series);
  const at = stepBarOf(series, index, { entry, exit }, config);
  const held = new Set(account.positions);
  const scheduled = new Set(account.positions.filter(({ scheduledReason }) => scheduledReason !== null));
  const { trades, denial, value } = step(account, { ...at, isLast: false }, config);
  const { time } = at;
  const close = time + series.intervalMs;
  const events: LiveEvent[] = trades
    .filter(({ entryBar }) => entryBar < index)
    .map((trade) => ({ kind: 'exit', time, trade }));
  if (denial !== null) events.push({ kind: 'denial', time, reason: denial });
  for (const position of account.positions) {
    if (!held.has(position)) events.push({ kind: 'entry', time, position: { ...position } });
  }
  for (const trade of trades) if (trade.entryBar === index) events.push({ kind: 'exit', time, trade });
  for (const position of account.positions) {
    const isNew = position.scheduledReason !== null && !scheduled.has(position);
    if (isNew) events.push({ kind: 'leave', time: close, position: { ...position } });
  }
  if (account.pendingEntry !== null) {
    events.push({ kind: 'enter', time: close, order: orderAtClose(account, at, series.intervalMs, config) });
  }
  return { events, value, entry, exit, warnings: barWarnings(series) };
}

/** What the pending entry buys if the next bar opens at the close of this one. */
function orderAtClose(account: Account, bar: StepBar, intervalMs: number, config: ExecutionConfig): LiveOrder | null {
  const next = structuredClone(account);
  const opening = { index: bar.index + 1, time: bar.time + intervalMs, open: bar.close };
  fillOpen(next, opening, config);
  const position = next.positions.find(({ entryBar }) => entryBar === opening.index);
  if (position === undefined) return null;
  const { entryPrice, size, stopPrice, targetPrice } = position;
  return { price: entryPrice, size, stopPrice, targetPrice };
}

function barWarnings({ time, barCount, intervalMs }: BarSeries): string[] {
  const newest = time[barCount - 1] ?? NaN;
  const spacing = newest - (time[barCount - 2] ?? newest - intervalMs);
  const at = `bar ${isoTime(newest)}`;
  const missing = Math.round(spacing / intervalMs) - 1;
  return [
    ...(missing > 0 ? [`${at}: ${missing} ${missing === 1 ? 'bar is' : 'bars are'} missing before it`] : []),
    ...((newest - (time[0] ?? newest)) % intervalMs === 0 ? [] : [`${at}: opens between the bars of its interval`]),
  ];
}
