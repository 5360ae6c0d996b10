import { normaliseAsset } from '../../data/bars/index.js';
import { openHoldouts } from '../../data/tries/index.js';
import { EngineError, quote } from '../../engine/errors.js';
import {
  type Account,
  type AccountEvent,
  accountValue,
  type ExecutionConfig,
  fullConfig,
  isPlain,
  openAccount,
  openCounts,
  resolveConfig,
  step,
  stepBarOf,
  type Venue,
} from '../../engine/execution/index.js';
import { barFindings } from '../../engine/quality/index.js';
import { type BarSeries, isoTime, sliceBars } from '../../engine/series/index.js';
import type { OwnSignal } from '../../engine/signals/index.js';
import { historyMs, LiveRules, parseStrategy, planStrategy } from '../../engine/strategy/index.js';
import { type HeldOut, refuseHeldOutBar } from '../../engine/sweep/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import { differencesBetween } from '../../research/backtest/index.js';
import { type Bars, readTime } from '../bars/columns-in.js';
import { type HomeOptions, resolveHome } from '../home.js';
import { completeStrategy, type ExecutionSettings, type Strategy, toOwnSignals } from '../strategy.js';
import { Further, type FurtherBars, joinFurther } from './further-bars.js';
import {
  barsOfAccount,
  keptBars,
  type LiveAccount,
  type LiveOrigin,
  readLiveAccount,
  toEngineAccount,
  toLiveAccount,
} from './live-account.js';
import { type EventContext, type LiveEvent, liveEvents } from './live-events.js';
import { checkSkills, type LiveSkill } from './skills.js';
import { type ClosedBar, GrowingBars, joinBars } from './stored-bars.js';

export interface LiveOptions extends HomeOptions {
  readonly strategy: Strategy;
  /** Closed bars before the first step; the rules warm up on them. */
  readonly history: Bars;
  readonly config?: ExecutionSettings;
  readonly signals?: readonly OwnSignal[];
  /** Closed bars of the assets that rules name (`asset`), by that name. */
  readonly otherBars?: Readonly<Record<string, Bars>>;
  /** Closed bars of the interval of `detail_interval`. */
  readonly detailBars?: Bars;
  /** What the bot can do. A strategy that needs more is refused at the start. Default: everything. */
  readonly knows?: readonly LiveSkill[];
  /**
   * An account to go on with, as `account` of an earlier run returned it. It keeps the bars that the
   * rules have read, so `history`, `otherBars` and `detailBars` need the newer ones only; the run
   * catches up on the history's. Without its `bars`, the history must reach back to where that
   * run's began, and hold the newest bar that it saw. Default: a new account.
   */
  readonly account?: LiveAccount;
}

export interface LiveStep {
  /** In the order in which they happened. */
  readonly events: readonly LiveEvent[];
  /** Account value at the close. */
  readonly value: number;
  /** The rules at the close; short rules are false where there is no short side. */
  readonly entry: boolean;
  readonly exit: boolean;
  readonly shortEntry: boolean;
  readonly shortExit: boolean;
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
  step(bar: ClosedBar, further?: FurtherBars): LiveStep;
  /** A copy of the account as it stands. */
  account(): LiveAccount;
  /** Account value at the newest close. */
  readonly value: number;
}

/**
 * Runs a strategy bar by bar, for a bot or a paper account. The bars after the history give the
 * trades of a backtest over all of them, bit for bit, but for the sale of open positions at the
 * end. Rules on the interval of the bars cost the new bar only; rules on a coarser timeframe, on
 * another asset, over columns beside the bars, and signals in code are evaluated over all bars
 * again. Bars of days that the home holds out warm the rules up, and a step through one is refused.
 *
 * @throws EngineError for a strategy with a rule that the engine refuses, for wrong settings, and
 *   for one that needs more than the bot knows
 */
export function startLive(given: LiveOptions): LiveRun {
  refuseUnknownKeys(unknownKeys('startLive', given, OPTIONS));
  const { options, kept, warnings: resumed } = continued(given);
  const own = toOwnSignals(options.signals)?.signals ?? [];
  const strategy = parseStrategy(completeStrategy(options.strategy), 'relaxed', { own, takesSides: true });
  const { intervalMs } = options.history;
  const { config, venue, warnings } = resolveConfig({
    request: options.config ?? {},
    strategyRewardFactor: strategy.rewardFactor,
    saved: strategy.executionConfig,
    interval: intervalMs,
    takesPositionFields: true,
    venue: 'round',
  });
  checkSkills(options.knows, strategy, config);
  const further = new Further(options, strategy, config);
  const plan = planStrategy(strategy, intervalMs, Object.keys(options.history.columns), [], further.columns);
  const [denied] = plan.denied;
  if (denied !== undefined) {
    throw new EngineError('INVALID_STRATEGY', `${denied.side} rule ${denied.name}: ${denied.message}`, { ...denied });
  }
  const shortEntry = strategy.shortEntry === undefined ? {} : { shortEntry: new Uint32Array(0) };
  const isPlainRun = isPlain({ ...shortEntry, config });
  const origin: LiveOrigin = {
    asset: options.history.asset,
    strategy: { ...completeStrategy(options.strategy) },
    config: { ...fullConfig(config) },
  };
  const { history, seen, account } = beginning(options, kept, config, isPlainRun);
  const bars = new GrowingBars(sliceBars(history, 0, seen));
  const rules = new LiveRules(plan);
  for (let count = 1; count <= seen; count++) rules.push(bars.first(count), further.others(bars.first(count)));
  const running: Running = { bars, rules, account, config, venue, further };
  let value = accountValue(account, history.close[seen - 1] ?? 0, fullConfig(config));
  const heldOut = heldOutDays({ [origin.asset]: history, ...options.otherBars }, options);
  const move = (bar: ClosedBar, beside?: FurtherBars): LiveStep => {
    const startMs = readTime(bar.time, 'the new bar');
    refuseHeldOutBar(heldOut, { startMs, endMs: startMs + intervalMs });
    const done = moveThrough(bar, beside, running);
    value = done.value;
    return done;
  };
  const caughtUp: LiveStep[] = [];
  for (let bar = seen; bar < history.barCount; bar++) caughtUp.push(move(closedBar(history, bar)));
  return {
    warnings: [
      ...plan.warnings,
      ...warnings,
      ...historyWarnings(history, historyMs(plan)),
      ...resumed,
      ...otherOrigin(options.account?.origin, origin),
    ],
    caughtUp,
    step: move,
    account: () => ({
      ...toLiveAccount(account, bars.first(bars.count)),
      origin: structuredClone(origin),
      bars: { own: bars.stored(), ...further.stored() },
    }),
    get value() {
      return value;
    },
  };
}

/**
 * The days that the home holds out of the asset of a run, and of the assets that its rules read.
 */
function heldOutDays(series: Readonly<Record<string, BarSeries>>, options: HomeOptions): readonly HeldOut[] {
  const holdouts = openHoldouts(resolveHome(options));
  return Object.entries(series).flatMap(([asset, bars]) => holdouts.now(normaliseAsset(asset), bars));
}

const OPTIONS = [
  ...(['strategy', 'history', 'config', 'signals', 'account', 'otherBars', 'detailBars', 'knows', 'home'] as const),
] satisfies readonly (keyof LiveOptions)[];

/** The options with the bars that the account keeps before the newer ones, and how many it keeps. */
function continued(given: LiveOptions) {
  const bars = keptBars(given.account);
  if (bars === null) return { options: given, kept: null, warnings: [] };
  const { asset } = given.history;
  const { asset: own = asset } = given.account?.origin ?? {};
  if (asset !== own) {
    const message = `history must be of the asset of the account, ${quote(own)}, was ${quote(asset)}`;
    throw new EngineError('INVALID_FIELD', message, { field: 'account' });
  }
  const history = joinBars('history', bars.own, given.history);
  const { warnings, ...further } = joinFurther(bars, given);
  return {
    options: { ...given, ...further, history: { ...history.bars, asset } },
    kept: bars.own.barCount,
    warnings: [...history.warnings, ...warnings],
  };
}

/** The differences between an account's own strategy and settings and the ones given now. */
function otherOrigin(before: LiveOrigin | undefined, { strategy, config }: LiveOrigin): string[] {
  if (before === undefined) return [];
  // The account cannot know settings that a later version added.
  const known = Object.fromEntries(Object.keys(before.config).map((name) => [name, config[name]]));
  return [...differencesBetween(before.strategy, strategy), ...differencesBetween(before.config, known)].map(
    (line) => `the account was made with another strategy or other settings: ${line}`,
  );
}

/** Where a run begins: its bars, how many of them the account has seen, and the account. */
function beginning(
  { history, account: stored }: Pick<LiveOptions, 'account'> & { readonly history: BarSeries },
  kept: number | null,
  config: ExecutionConfig,
  isPlainRun: boolean,
) {
  if (stored === undefined) {
    const account = openAccount(fullConfig(config), { isPlain: isPlainRun });
    return { history, seen: history.barCount, account };
  }
  const read = readLiveAccount(stored, history, isPlainRun);
  const { bars, seen } = kept === null ? barsOfAccount(read, history) : { bars: history, seen: kept };
  return { history: bars, seen, account: toEngineAccount(read, bars, seen) };
}

function historyWarnings(history: BarSeries, neededMs: number): string[] {
  const { barCount, intervalMs } = history;
  const needed = Math.ceil(neededMs / intervalMs);
  const holes = barFindings(history, null).filter(({ kind }) => kind === 'holes');
  return [
    ...(barCount < needed
      ? [`history has ${barCount} bars, the rules need ${needed} to warm up and settle: first signals may differ`]
      : []),
    ...holes.map(({ message }) => `history has ${message}`),
  ];
}

function closedBar({ time, open, high, low, close, volume, columns }: BarSeries, bar: number): ClosedBar {
  const at = (column: Float64Array): number => column[bar] ?? NaN;
  const beside = Object.entries(columns).map(([name, column]) => [name, at(column)] as const);
  const prices = { open: at(open), high: at(high), low: at(low), close: at(close), volume: at(volume) };
  return { time: at(time), ...prices, columns: Object.fromEntries(beside) };
}

interface Running extends EventContext {
  readonly bars: GrowingBars;
  readonly rules: LiveRules;
  readonly account: Account;
  readonly config: ExecutionConfig;
  readonly venue: Venue;
  readonly further: Further;
}

function moveThrough(bar: ClosedBar, beside: FurtherBars = {}, running: Running): LiveStep {
  refuseUnknownKeys(unknownKeys('step', beside, ['otherBars', 'detailBars']));
  const { bars, rules, further } = running;
  const before = bars.first(bars.count);
  const newestClose = (before.time[before.barCount - 1] ?? -Infinity) + before.intervalMs;
  const series = bars.add(bar);
  const late = further.add(beside, newestClose);
  const answers = rules.push(series, further.others(series));
  const { events, value } = stepThrough(series, answers, running);
  const unsized = events.flatMap((event) =>
    event.kind === 'leave' && event.size === 0
      ? [`lot_size: ${event.position.size} left to sell is below one lot`]
      : [],
  );
  return { events, value, ...answers, warnings: [...barWarnings(series), ...late, ...unsized] };
}

type Answers = ReturnType<LiveRules['push']>;

function stepThrough(series: BarSeries, answers: Answers, { account, config: given, ...running }: Running) {
  const index = series.barCount - 1;
  const config = fullConfig(given);
  const sides = {
    entry: { long: answers.entry, short: answers.shortEntry },
    exit: { long: answers.exit, short: answers.shortExit },
  };
  const at = stepBarOf(series, index, sides, config, running.further.detail());
  const log: AccountEvent[] = [];
  const { value } = step(account, { ...at, isLast: false }, config, openCounts(), log);
  return { events: liveEvents(log, account, series, { ...running, config }), value };
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
