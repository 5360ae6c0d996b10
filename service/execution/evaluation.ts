import { derivedUuid } from '../../data/hashes/index.js';
import {
  accountValue,
  anyColumn,
  type BarSeries,
  canonicalJson,
  columnsRead,
  type EvaluationEvent,
  evaluateAccount,
  evaluateRules,
  evaluateSided,
  firstBarFrom,
  isoTime,
  isSidedAccount,
  neededHistoryMs,
  openPaperAccount,
  openSidedPaper,
  type PaperAccount,
  planStrategy,
  type SidedPaperAccount,
  sidedPaperValue,
} from '../../engine/index.js';
import { ApiError } from '../api-error.js';
import { columnsOfOthers, type FurtherBars } from '../further-bars.js';
import { strategyAccount, strategyAccountId } from './accounts.js';
import type { Evaluable, InlineStrategy } from './definition.js';
import type { MarketNeed, MarketView } from './market.js';
import { marketWarnings } from './market-warnings.js';
import { accountOfPositions, barAt, type HeldPosition } from './open-positions.js';
import { closedPositionRecord, type Labels, ordersOf, positionRecord, restingOrders, tradeRecord } from './orders.js';
import type { EvaluateResult, ExecutionState, Order, PositionRecord, TradeRecord } from './records.js';
import type { ExecutionServices } from './services.js';
import { sidedRecords } from './sided-orders.js';
import type { Lane, LaneState, LaneUpdate, Owner } from './stored.js';

/** One strategy to evaluate, and where its state is kept. */
export interface Job {
  readonly strategy: Evaluable;
  readonly lane: Lane;
  /** The state of the lane when it was loaded. */
  readonly held: LaneState;
  /** Null unless the caller keeps the positions; then nothing is stored. */
  readonly positions: readonly HeldPosition[] | null;
  /** Id of a position that a person closes. */
  readonly closing?: string;
}

export const freshLane = (initial: ExecutionState): LaneState => ({
  execution_state: initial,
  account: null,
  market: null,
  booked: null,
});

/**
 * The lane of an unsaved definition. It is derived from the definition, so the same definition
 * continues where it was.
 */
export function inlineLane({ userId }: Owner, { name, baseAsset, definition, config, state }: InlineStrategy): Lane {
  const { entry, exit, shortEntry, shortExit } = definition;
  const short = shortEntry === undefined ? {} : { shortEntry, shortExit };
  const id = derivedUuid('inline-lane', userId, canonicalJson({ name, baseAsset, entry, exit, ...short, config }));
  return { id, strategyId: null, initial: state };
}

/** How many bars back positions are followed; the longest limits on holding time are shorter. */
const FOLLOWED_BARS_MAX = 100_000;

/** The bars that the rules, the sizing and the time since the last evaluation need. */
export function marketNeed({ strategy, held, positions }: Job): MarketNeed {
  const { definition, config, baseAsset, intervalMs } = strategy;
  const history = neededHistoryMs(planStrategy(definition, intervalMs, anyColumn), config);
  const oldest = Math.min(
    held.account?.lastBarTime ?? Infinity,
    held.account?.positions[0]?.entryTime ?? Infinity,
    positions?.[0]?.entryTime ?? Infinity,
  );
  return {
    baseAsset,
    intervalMs,
    config,
    columns: columnsRead(definition),
    fromMs: (nowMs) => Math.min(nowMs - history, Math.max(oldest - intervalMs, nowMs - FOLLOWED_BARS_MAX * intervalMs)),
  };
}

interface Outcome {
  readonly state: ExecutionState;
  readonly account: PaperAccount | SidedPaperAccount;
  /** In the order in which they happened. */
  readonly orders: readonly Order[];
  /** Of positions that were opened, changed or closed. */
  readonly positions: readonly PositionRecord[];
  readonly trades: readonly TradeRecord[];
}

/**
 * Computes all of a job that depends on the market alone. The returned function evaluates the job,
 * which is quick, and stores the outcome if it is to be kept.
 * @throws the function: RESOURCE_NOT_FOUND if the strategy was deleted meanwhile
 */
export function prepareJob(
  owner: Owner,
  job: Job,
  market: MarketView & { readonly further: FurtherBars },
  isKept: boolean,
  { store, now, onWarnings }: ExecutionServices,
): () => Promise<EvaluateResult> {
  const startedMs = performance.now();
  const { strategy, lane, positions } = job;
  const labels = labelsOf(owner, job);
  const { plan, evaluate } = evaluator(owner, job, market);
  const preparedMs = performance.now() - startedMs;
  const outcomeOf = async (): Promise<Outcome> => {
    if (!isKept) return evaluate(job.held);
    const evaluateHeld = (held: LaneState) => {
      const next = evaluate(held);
      return { ...updateOf(owner, job, held, next, market, now()), next };
    };
    const kept = await store.updateLane(owner, lane, evaluateHeld);
    if (kept === null) throw new ApiError('RESOURCE_NOT_FOUND', `strategy ${lane.id} not found`);
    return kept.next;
  };
  return async () => {
    const begunMs = performance.now();
    const outcome = await outcomeOf();
    const ofMarket = marketWarnings(market.bars, neededHistoryMs(plan, strategy.config));
    if (market.note !== null) ofMarket.push(market.note);
    const ofPositions = (positions ?? []).flatMap((position) => position.warnings);
    const warnings = [...plan.warnings, ...strategy.warnings, ...ofPositions, ...ofMarket];
    if (warnings.length > 0) onWarnings?.({ strategy_id: strategy.strategyId, strategy: strategy.name }, warnings);
    return {
      success: true,
      strategy_id: strategy.strategyId,
      strategy_name: strategy.name,
      asset: strategy.asset,
      current_price: market.price,
      timestamp: isoTime(market.timeMs),
      execution_state: outcome.state,
      new_orders: outcome.orders,
      execution_time_seconds: (preparedMs + performance.now() - begunMs) / 1000,
      user_id: owner.userId,
      org_id: owner.orgId,
      ...(positions === null ? {} : { open_positions: openPositions(outcome.account as PaperAccount, labels) }),
      denied_signals: plan.denied,
      warnings,
      error: null,
    };
  };
}

const labelsOf = ({ userId, orgId }: Owner, { strategy, positions }: Job): Labels => ({
  userId,
  orgId,
  accountId: strategyAccountId(userId),
  strategyId: strategy.strategyId,
  strategyName: strategy.name,
  asset: strategy.asset,
  held: new Map(positions?.map(({ id, labels }) => [id, labels])),
});

/** The returned function is quick enough to run under a lock. */
function evaluator(owner: Owner, job: Job, market: MarketView & { readonly further: FurtherBars }) {
  const { bars, generated, further } = market;
  const { definition, baseAsset, intervalMs, isSided } = job.strategy;
  const asked = { ...definition, asset: baseAsset };
  const plan = planStrategy(asked, intervalMs, Object.keys(bars.columns), generated, columnsOfOthers(further));
  const masks = evaluateRules(plan, bars, further.others);
  const labels = labelsOf(owner, job);
  const evaluate = isSided ? sidedEvaluator(job, masks, market, labels) : longEvaluator(job, masks, market, labels);
  return { plan, evaluate };
}

type Masks = ReturnType<typeof evaluateRules>;

function longEvaluator(
  { strategy, lane, positions, closing }: Job,
  { entry, exit }: Masks,
  { bars, price, timeMs }: MarketView,
  labels: Labels,
) {
  const { config, baseAsset, intervalMs } = strategy;
  // A close gives at most one entry.
  // biome-ignore lint/style/noNonNullAssertion: an evaluation has bars
  const positionId = derivedUuid(lane.id, 'position', baseAsset, intervalMs, bars.time[bars.barCount - 1]!);
  return (held: LaneState): Outcome => {
    const before =
      positions === null
        ? accountOf(held, strategy, bars)
        : accountOfPositions(positions, held.execution_state.cash_balance, bars, config);
    const input = { bars, entry, exit, config, price, time: timeMs, positionId, closing };
    const { account, events } = evaluateAccount(before, input);
    const closed = events.filter(({ kind }) => kind === 'exit').length;
    const state = {
      cash_balance: account.cash,
      account_value: accountValue(account, price),
      total_trades: held.execution_state.total_trades + closed,
      num_open_positions: account.positions.length,
    };
    return { state, account, orders: ordersOf(events, labels), ...recordsOf(events, labels) };
  };
}

/** A position opened and closed in the same evaluation is stored as closed. */
function recordsOf(events: readonly EvaluationEvent[], labels: Labels) {
  const exits = events.filter((event) => event.kind === 'exit');
  const positions = new Map<string, PositionRecord>();
  for (const event of events) {
    if (event.kind === 'entry') positions.set(event.position.id, positionRecord(event.position, labels));
  }
  for (const exit of exits) positions.set(exit.position.id, closedPositionRecord(exit, labels));
  return {
    positions: [...positions.values()],
    trades: exits.map(({ position, trade, time }) => tradeRecord(position.id, trade, time, labels)),
  };
}

/** The same with sides, margin, working orders, moving levels and guards. */
function sidedEvaluator(
  { strategy, lane, closing }: Job,
  { entry, exit, short }: Masks,
  { bars, price, timeMs, further }: MarketView & { readonly further: FurtherBars },
  labels: Labels,
) {
  const { config, baseAsset, intervalMs } = strategy;
  const sides = short && { shortEntry: short.entry, shortExit: short.exit };
  return (held: LaneState): Outcome => {
    const before = sidedAccountOf(held, strategy, bars);
    const { lastBar, lastBarTime } = before;
    const first = lastBarTime === null ? 0 : firstBarFrom(bars, lastBarTime + 1);
    /** Open time of a bar by its number in the account; the forming one is the next after the last. */
    const timeOf = (bar: number): number => {
      const i = bar - lastBar - 1 + first;
      const newest = bars.barCount - 1;
      // biome-ignore lint/style/noNonNullAssertion: an evaluation has bars
      return i <= newest && i >= 0 ? bars.time[i]! : bars.time[newest]! + (i - newest) * intervalMs;
    };
    const { account, events } = evaluateSided(before, {
      ...{ bars, entry, exit, ...sides, config, price, time: timeMs, closing },
      ...(further.detail !== undefined && { detail: further.detail }),
      idOf: (bar, side) => derivedUuid(lane.id, 'position', baseAsset, intervalMs, timeOf(bar), side),
    });
    const closed = events.filter(({ kind }) => kind === 'exit').length;
    const state = {
      cash_balance: account.purse.cash,
      account_value: sidedPaperValue(account, price, config),
      total_trades: held.execution_state.total_trades + closed,
      num_open_positions: account.positions.length,
    };
    return { state, account, ...sidedRecords(events, account, config, labels) };
  };
}

/**
 * The stored account, with the cash that its owner has set since. @throws VALIDATION_ERROR if it
 * holds another asset
 */
function accountOf(held: LaneState, { config, baseAsset, intervalMs }: Evaluable, bars: BarSeries): PaperAccount {
  const { account, market } = held;
  const { cash_balance: cash } = held.execution_state;
  const fresh = { ...openPaperAccount(config), cash, realizedBalance: cash };
  if (account === null || market === null) return fresh;
  if (isSidedAccount(account)) {
    if (account.positions.length === 0) return fresh;
    throw heldOtherwise('go on using sides, margin, orders or guards', account.positions.length, market.base_asset);
  }
  const { positions } = account;
  const invested = positions.reduce((sum, { size, entryPrice, entryFee }) => sum + size * entryPrice + entryFee, 0);
  const balances = account.cash === cash ? {} : { cash, realizedBalance: cash + invested };
  if (market.base_asset === baseAsset && market.interval_ms === intervalMs) return { ...account, ...balances };
  if (market.base_asset !== baseAsset && positions.length > 0) {
    throw heldElsewhere(market.base_asset, positions.length, baseAsset);
  }
  // Bars of another length have other indices: positions find theirs by time, and past losses are
  // dropped.
  return {
    ...account,
    ...balances,
    positions: positions.map((position) => ({ ...position, entryBar: barAt(bars, position.entryTime) })),
    lossBars: [],
    blockedThrough: -1,
    lastBar: -1,
    lastBarTime: null,
  };
}

/**
 * The same for a strategy that uses sides, margin, orders or guards.
 * @throws VALIDATION_ERROR if it holds another asset, or positions that these settings do not fit
 */
function sidedAccountOf(
  { account, market, execution_state: { cash_balance: cash } }: LaneState,
  { config, baseAsset, intervalMs }: Evaluable,
  bars: BarSeries,
): SidedPaperAccount {
  const leverage = config.leverage ?? 1;
  const fresh = openSidedPaper(config, cash);
  if (account === null || market === null) return fresh;
  if (!isSidedAccount(account)) {
    if (account.positions.length === 0) return fresh;
    throw heldOtherwise('use no sides, margin, orders and guards', account.positions.length, market.base_asset);
  }
  const { positions, purse } = account;
  if (market.base_asset !== baseAsset) {
    if (positions.length > 0) throw heldElsewhere(market.base_asset, positions.length, baseAsset);
    return fresh;
  }
  if (positions.length > 0 && (market.leverage ?? leverage) !== leverage) {
    throw heldOtherwise(`keep leverage ${market.leverage}`, positions.length, baseAsset);
  }
  const locked = (position: (typeof positions)[number]) => (position.size * position.entryPrice) / leverage;
  const invested = positions.reduce((sum, position) => sum + locked(position) + position.entryFee, 0);
  const balances = purse.cash === cash ? {} : { purse: { cash, realizedBalance: cash + invested } };
  if (market.interval_ms === intervalMs) return { ...account, ...balances };
  // Bars of another length have other numbers, so orders are dropped.
  return {
    ...account,
    ...balances,
    positions: positions.map((position) => ({ ...position, entryBar: barAt(bars, position.entryTime) })),
    ...{ lossBars: [], blockedThrough: -1, lastBar: -1, lastBarTime: null, orders: [], pendingEntry: null },
  };
}

const heldOtherwise = (bound: string, count: number, asset: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `the strategy must ${bound} while there are ${count} open positions in ${asset}`);

function heldElsewhere(asset: string, count: number, wanted: string): ApiError {
  const held = `${count} open positions in ${asset}`;
  return new ApiError('VALIDATION_ERROR', `asset must stay ${asset} while there are ${held}, was ${wanted}`);
}

function updateOf(
  owner: Owner,
  job: Job,
  held: LaneState,
  { state, account, orders, positions, trades }: Outcome,
  market: MarketView,
  nowMs: number,
): LaneUpdate {
  const { baseAsset, intervalMs, config, isSided } = job.strategy;
  return {
    execution_state: state,
    account,
    evaluated_at: isoTime(market.timeMs),
    market: { base_asset: baseAsset, interval_ms: intervalMs, ...(isSided && { leverage: config.leverage ?? 1 }) },
    orders: [...new Map(orders.map((order) => [order.id, order])).values()],
    positions,
    trades,
    booking: held.booked === null && positions.length === 0 ? null : bookingOf(owner, held, state, nowMs),
  };
}

/**
 * From its first position on, a strategy's balances count towards the account that it trades on.
 */
function bookingOf(owner: Owner, { booked }: LaneState, state: ExecutionState, nowMs: number): LaneUpdate['booking'] {
  const { cash_balance, account_value } = state;
  const change = {
    cash_balance: cash_balance - (booked?.cash_balance ?? 0),
    account_value: account_value - (booked?.account_value ?? 0),
  };
  return { account: strategyAccount(owner, nowMs), change, booked: { cash_balance, account_value } };
}

const openPositions = ({ positions }: PaperAccount, labels: Labels): PositionRecord[] =>
  positions.map((position) => ({ ...positionRecord(position, labels), orders: restingOrders(position, labels) }));
