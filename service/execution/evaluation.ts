import { derivedUuid } from '../../data/hashes/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { evaluateAccount, openPaperAccount, type PaperAccount, paperValue } from '../../engine/execution/index.js';
import { type BarSeries, firstBarFrom, isoTime } from '../../engine/series/index.js';
import { anyColumn, columnsRead, evaluateRules, neededHistoryMs, planStrategy } from '../../engine/strategy/index.js';
import { ApiError } from '../api-error.js';
import { columnsOfOthers, type FurtherBars } from '../further-bars.js';
import { strategyAccount, strategyAccountId } from './accounts.js';
import type { Evaluable, InlineStrategy } from './definition.js';
import { type MarketNeed, type MarketView, marketWarnings } from './market.js';
import { accountOfPositions, barAt, type HeldPosition } from './open-positions.js';
import { type Labels, openPositions, toRecords } from './orders.js';
import type { ExecutionServices } from './store.js';
import type {
  EvaluateResult,
  ExecutionState,
  Lane,
  LaneState,
  LaneUpdate,
  Order,
  Owner,
  PositionRecord,
  TradeRecord,
} from './stored.js';

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
  readonly account: PaperAccount;
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
  const labels = jobLabels(owner, job);
  const { bars, generated, further } = market;
  const asked = { ...strategy.definition, asset: strategy.baseAsset };
  const known = Object.keys(bars.columns);
  const plan = planStrategy(asked, strategy.intervalMs, known, generated, columnsOfOthers(further));
  const evaluate = makeEvaluator(job, evaluateRules(plan, bars, further.others), market, labels);
  const preparedMs = performance.now() - startedMs;
  const computeOutcome = async (): Promise<Outcome> => {
    if (!isKept) return evaluate(job.held);
    const evaluateHeld = (held: LaneState) => {
      const next = evaluate(held);
      return { ...laneUpdate(owner, job, held, next, market, now()), next };
    };
    const kept = await store.updateLane(owner, lane, evaluateHeld);
    if (kept === null) throw new ApiError('RESOURCE_NOT_FOUND', `strategy ${lane.id} not found`);
    return kept.next;
  };
  return async () => {
    const begunMs = performance.now();
    const outcome = await computeOutcome();
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
      ...(positions === null ? {} : { open_positions: openPositions(outcome.account, strategy.config, labels) }),
      denied_signals: plan.denied,
      warnings,
      error: null,
    };
  };
}

const jobLabels = ({ userId, orgId }: Owner, { strategy, positions }: Job): Labels => ({
  userId,
  orgId,
  accountId: strategyAccountId(userId),
  strategyId: strategy.strategyId,
  strategyName: strategy.name,
  asset: strategy.asset,
  held: new Map(positions?.map(({ id, labels }) => [id, labels])),
});

/** The returned function is quick enough to run under a lock. */
function makeEvaluator(
  { strategy, lane, positions, closing }: Job,
  { entry, exit, short }: ReturnType<typeof evaluateRules>,
  { bars, price, timeMs, further }: MarketView & { readonly further: FurtherBars },
  labels: Labels,
) {
  const { config, baseAsset, intervalMs, isPlain } = strategy;
  const sides = short && { shortEntry: short.entry, shortExit: short.exit };
  return (held: LaneState): Outcome => {
    const before =
      positions === null
        ? toPaperAccount(held, strategy, bars)
        : accountOfPositions(positions, held.execution_state.cash_balance, bars, config);
    const { lastBar, lastBarTime } = before;
    const first = lastBarTime === null ? 0 : firstBarFrom(bars, lastBarTime + 1);
    const newest = bars.barCount - 1;
    /** Open time of a bar by its number in the account; the forming one is the next after the last. */
    const barTime = (bar: number): number => {
      const i = bar - lastBar - 1 + first;
      // biome-ignore lint/style/noNonNullAssertion: an evaluation has bars
      return i <= newest && i >= 0 ? bars.time[i]! : bars.time[newest]! + (i - newest) * intervalMs;
    };
    // Plain accounts name an entry by the bar that decided it, the one before.
    const idOf = (bar: number, side: 'long' | 'short') =>
      derivedUuid(lane.id, 'position', baseAsset, intervalMs, ...(isPlain ? [barTime(bar - 1)] : [barTime(bar), side]));
    const { account, events } = evaluateAccount(before, {
      ...{ bars, entry, exit, ...sides, config, price, time: timeMs, closing, idOf },
      ...(further.detail !== undefined && { detail: further.detail }),
    });
    const closed = events.filter(({ kind }) => kind === 'exit').length;
    const state = {
      cash_balance: account.purse.cash,
      account_value: paperValue(account, price, config),
      total_trades: held.execution_state.total_trades + closed,
      num_open_positions: account.positions.length,
    };
    return { state, account, ...toRecords(events, account, config, labels) };
  };
}

/**
 * The stored account, with the cash that its owner has set since.
 * @throws VALIDATION_ERROR if it holds another asset, or positions that these settings do not fit
 */
function toPaperAccount(
  { account, market, execution_state: { cash_balance: cash } }: LaneState,
  { config, baseAsset, intervalMs, isPlain }: Evaluable,
  bars: BarSeries,
): PaperAccount {
  const leverage = config.leverage ?? 1;
  const fresh = openPaperAccount(config, { isPlain, cash });
  if (account === null || market === null) return fresh;
  const { positions, purse } = account;
  if ((account.isPlain === true) !== isPlain) {
    if (positions.length === 0) return fresh;
    const bound = isPlain ? 'go on using sides, margin, orders or guards' : 'use no sides, margin, orders and guards';
    throw heldOtherwise(bound, positions.length, market.base_asset);
  }
  if (market.base_asset !== baseAsset) {
    if (positions.length > 0) throw heldElsewhere(market.base_asset, positions.length, baseAsset);
    if (!isPlain) return fresh;
  }
  if (positions.length > 0 && (market.leverage ?? leverage) !== leverage) {
    throw heldOtherwise(`keep leverage ${market.leverage}`, positions.length, baseAsset);
  }
  const locked = (position: (typeof positions)[number]) => (position.size * position.entryPrice) / leverage;
  const invested = positions.reduce((sum, position) => sum + locked(position) + position.entryFee, 0);
  const balances = purse.cash === cash ? {} : { purse: { cash, realizedBalance: cash + invested } };
  if (market.base_asset === baseAsset && market.interval_ms === intervalMs) return { ...account, ...balances };
  // Bars of another length have other numbers: positions find theirs by time, orders are dropped,
  // and so are past losses.
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

function laneUpdate(
  owner: Owner,
  job: Job,
  held: LaneState,
  { state, account, orders, positions, trades }: Outcome,
  market: MarketView,
  nowMs: number,
): LaneUpdate {
  const { baseAsset, intervalMs, config, isPlain } = job.strategy;
  return {
    execution_state: state,
    account,
    evaluated_at: isoTime(market.timeMs),
    market: { base_asset: baseAsset, interval_ms: intervalMs, ...(!isPlain && { leverage: config.leverage ?? 1 }) },
    orders: [...new Map(orders.map((order) => [order.id, order])).values()],
    positions,
    trades,
    booking: held.booked === null && positions.length === 0 ? null : laneBooking(owner, held, state, nowMs),
  };
}

/**
 * From its first position on, a strategy's balances count towards the account that it trades on.
 */
function laneBooking(owner: Owner, { booked }: LaneState, state: ExecutionState, nowMs: number): LaneUpdate['booking'] {
  const { cash_balance, account_value } = state;
  const change = {
    cash_balance: cash_balance - (booked?.cash_balance ?? 0),
    account_value: account_value - (booked?.account_value ?? 0),
  };
  return { account: strategyAccount(owner, nowMs), change, booked: { cash_balance, account_value } };
}
