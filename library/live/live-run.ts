import {
  type Account,
  accountValue,
  type DenialReason,
  EngineError,
  type ExecutionConfig,
  LiveRules,
  type OwnSignal,
  openAccount,
  type Position,
  parseStrategy,
  planStrategy,
  resolveConfig,
  step,
  stepBarOf,
  type Trade,
} from '../../engine/index.js';
import type { Bars } from '../bars/bars.js';
import { ownSignalsOf } from '../signals.js';
import { completeStrategy, type ExecutionSettings, type Strategy } from '../strategy.js';
import { type ClosedBar, GrowingBars } from './growing-bars.js';

export interface LiveOptions {
  readonly strategy: Strategy;
  /** Closed bars before the first step; the rules warm up on them. */
  readonly history: Bars;
  readonly config?: ExecutionSettings;
  readonly signals?: readonly OwnSignal[];
  /** An account to go on with, as `account` of an earlier run returned it. Default: a new one. */
  readonly account?: LiveAccount;
}

/** The state of an account between two bars: plain data, which may be stored as JSON. */
export type LiveAccount = Account;

/** What a bar brought. Entries and exits are filled by the rules of a backtest. */
export type LiveEvent =
  /** Bought at the open of the bar. */
  | { readonly kind: 'entry'; readonly time: number; readonly position: Readonly<Position> }
  /** Sold at the open of the bar or inside it, by a stop or target. */
  | { readonly kind: 'exit'; readonly time: number; readonly trade: Trade }
  /** The entry wanted at the close before was refused at the open of the bar. */
  | { readonly kind: 'denial'; readonly time: number; readonly reason: DenialReason }
  /** At the close of the bar: an order for the next open. A bot acts on these two. */
  | { readonly kind: 'enter'; readonly time: number }
  | { readonly kind: 'leave'; readonly time: number; readonly position: Readonly<Position> };

export interface LiveStep {
  /** In the order in which they happened. */
  readonly events: readonly LiveEvent[];
  /** Account value at the close. */
  readonly value: number;
  /** The rules at the close. */
  readonly entry: boolean;
  readonly exit: boolean;
}

/** A strategy that trades bar by bar. */
export interface LiveRun {
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
  const { history, account: begun } = options;
  const own = ownSignalsOf(options.signals)?.signals ?? [];
  const strategy = parseStrategy(completeStrategy(options.strategy), 'relaxed', { own });
  const { intervalMs } = history;
  const plan = planStrategy(strategy, intervalMs, Object.keys(history.columns));
  const [denied] = plan.denied;
  if (denied !== undefined) {
    throw new EngineError('INVALID_STRATEGY', `${denied.side} rule ${denied.name}: ${denied.message}`, { ...denied });
  }
  const { config } = resolveConfig({
    request: options.config ?? {},
    strategyRewardFactor: strategy.rewardFactor,
    saved: strategy.executionConfig,
    interval: intervalMs,
  });
  const bars = new GrowingBars(history);
  const rules = new LiveRules(plan);
  for (let count = 1; count <= history.barCount; count++) rules.push(bars.first(count));
  const account = begun === undefined ? openAccount(config) : structuredClone(begun);
  let value = accountValue(account, history.close[history.barCount - 1] ?? 0);
  return {
    step(bar) {
      const done = moveThrough(bar, { bars, rules, account, config });
      value = done.value;
      return done;
    },
    account: () => structuredClone(account),
    get value() {
      return value;
    },
  };
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
  if (account.pendingEntry !== null) events.push({ kind: 'enter', time: close });
  return { events, value, entry, exit };
}
