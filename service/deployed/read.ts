import { quote } from '../../engine/errors.js';
import {
  fullConfig,
  type PaperAccount,
  type PaperPosition,
  signOf,
  targetPrice,
} from '../../engine/execution/index.js';
import { isPaperPortfolio, type PaperAllocation, type PaperPortfolio } from '../../engine/portfolio/index.js';
import { isoTime } from '../../engine/series/index.js';
import { allRules } from '../../engine/strategy/index.js';
import { ApiError, notFound } from '../api-error.js';
import type { WallClock } from '../wall-clock.js';
import { positionId } from './advance.js';
import {
  type Deployed,
  type DeployedDefinition,
  type DeployedPortfolio,
  type DeployedSet,
  deployedAssets,
} from './definition.js';
import type { DeployedFeed } from './feed.js';
import { barPaceMs, type DeployedMarket, listWarnings, type Replay } from './next-bar.js';
import type { DeployedWeights } from './portfolio.js';
import { deployAll } from './runner.js';
import type { SqlDeployedStore } from './store.js';
import {
  type DeployedOrder,
  type DeployedPosition,
  type DeployedRecord,
  type DeployedState,
  type DeployedStrategy,
  type EquityPoint,
  type NumberedEvent,
  numberedEvent,
  type RankedPersona,
  type StreamPart,
} from './stored.js';

export interface DeployedDeps {
  readonly set: DeployedSet;
  readonly store: Pick<SqlDeployedStore, 'deploy' | 'list' | 'equity' | 'trades' | 'listEvents'>;
  readonly feed: DeployedFeed;
  readonly market: Pick<DeployedMarket, 'generatedColumns' | 'drawn'>;
  readonly replay: Replay;
  readonly nowMs: WallClock;
}

/** Rows kept of each strategy; the feed needs as many events as it holds. */
export const keptRows = { events: 1_000, trades: 500, equity: 5_000 } as const;

const EQUITY_POINTS_MAX = 100;
const TRADES_SHOWN = 20;
const EVENTS_MAX = 500;
const EVENTS_DEFAULT = 100;
/**
 * How late a strategy may be before it counts as stale: a few bars, plus a minute for short ones.
 */
const LATE_BARS = 3;
const LATE_MS = 60_000;

const CHANGED = 'its definition has changed since it was deployed: give the new one a new id';

/** Lists all deployed strategies in the order of the file, with their current balances. */
export async function listDeployed(deps: DeployedDeps) {
  const { set, store, market, nowMs } = deps;
  const definitions = [...set.strategies.values()];
  const records = await deployAll(definitions, store, nowMs());
  const ids = records.map(({ id }) => id);
  const equity = await store.equity(ids, EQUITY_POINTS_MAX, keptRows.equity);
  const trades = await store.trades(ids, TRADES_SHOWN);
  const warnings = await Promise.all(definitions.map((definition) => listWarnings(definition, market)));
  const strategies = records.map((record, i) => ({
    // biome-ignore lint/style/noNonNullAssertion: one for each id that was asked for
    ...strategyJson(definitions[i]!, record, equity.get(record.id) ?? [], trades.get(record.id) ?? [], deps),
    // biome-ignore lint/style/noNonNullAssertion: one for each definition
    warnings: warnings[i]!,
  }));
  return { count: strategies.length, strategies };
}

/** @throws RESOURCE_NOT_FOUND */
export async function getDeployedState(
  id: string,
  { set, store, market, nowMs }: DeployedDeps,
): Promise<DeployedState> {
  const definition = requireDeployed(set, id);
  const [record] = (await deployAll([definition], store, nowMs())) as [DeployedRecord];
  const { account, startMs, createdAtMs, tickedAtMs } = record;
  const asOfMs = account.lastBarTime === null ? startMs : account.lastBarTime + definition.intervalMs;
  return {
    strategy_id: id,
    as_of: isoTime(asOfMs ?? createdAtMs),
    updated_at: isoTime(tickedAtMs ?? createdAtMs),
    warnings: await listWarnings(definition, market),
    ...toBalances(definition, record),
  };
}

interface DeployedEventsRequest {
  readonly strategy_id: string;
  /** 1..500, default 100. */
  readonly limit?: number;
}

/**
 * Fills, denied signals and exit reasons, newest first. @throws RESOURCE_NOT_FOUND,
 * VALIDATION_ERROR for the limit
 */
export async function listDeployedEvents(
  { strategy_id: id, limit = EVENTS_DEFAULT }: DeployedEventsRequest,
  { set, store, market }: DeployedDeps,
): Promise<{ strategy_id: string; count: number; events: NumberedEvent[]; warnings: readonly string[] }> {
  const definition = requireDeployed(set, id);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= EVENTS_MAX)) {
    const message = `limit must be an integer 1..${EVENTS_MAX}, was ${quote(limit)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'limit' });
  }
  const events = (await store.listEvents(id, limit)).map(numberedEvent);
  return { strategy_id: id, count: events.length, events, warnings: await listWarnings(definition, market) };
}

/** Personas, best first: by the mean return of their strategies, then by id. */
export async function rankPersonas({ set, store, nowMs }: DeployedDeps): Promise<{ personas: RankedPersona[] }> {
  const records = await deployAll([...set.strategies.values()], store, nowMs());
  const valueById = new Map(records.map(({ id, accountValue }) => [id, accountValue]));
  const scored = set.personas.map(({ strategyIds, ...persona }) => {
    // biome-ignore lint/style/noNonNullAssertion: one for each id that was asked for
    const values = strategyIds.map((id) => valueById.get(id)!);
    // biome-ignore lint/style/noNonNullAssertion: one for each id that was asked for
    const returns = strategyIds.map((id, i) => values[i]! / set.strategies.get(id)!.config.initial_balance - 1);
    return {
      ...persona,
      deployed_strategy_ids: strategyIds,
      account_value: sum(values),
      return_pct: sum(returns) / returns.length,
    };
  });
  scored.sort((a, b) => b.return_pct - a.return_pct || (a.id < b.id ? -1 : 1));
  return { personas: scored.map((persona, i) => ({ ...persona, rank: i + 1 })) };
}

export interface StreamRequest {
  /** Only events of this strategy. */
  readonly strategy_id?: string;
  /** Starts after this event, as far back as events are held. */
  readonly last_event_id?: number;
  /** Ends with the newest event in the store; default false. */
  readonly until_now?: boolean;
}

/**
 * Yields `ready`, then every event as it happens, until the signal aborts, the service stops or the
 * requested events are sent.
 * @throws RESOURCE_NOT_FOUND, VALIDATION_ERROR for the id; ENGINE_BUSY for a reader that is too
 *   slow
 */
export async function* streamDeployed(
  { strategy_id: id, last_event_id: lastEventId, until_now: untilNow = false }: StreamRequest,
  { set, feed, nowMs }: DeployedDeps,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  if (id !== undefined) requireDeployed(set, id);
  if (lastEventId !== undefined && !(Number.isSafeInteger(lastEventId) && lastEventId >= 0)) {
    const message = `last_event_id must be an integer >= 0, was ${quote(lastEventId)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'last_event_id' });
  }
  const { afterId, newestId } = await feed.join(lastEventId);
  try {
    const strategies = id === undefined ? set.strategies.size : 1;
    yield { ready: { strategies, timestamp: isoTime(nowMs()), newest_id: newestId }, events: [] };
    yield* feed.after(afterId, id ?? null, signal, untilNow ? newestId : Infinity);
  } finally {
    feed.leave();
  }
}

function requireDeployed({ strategies }: DeployedSet, id: string): Deployed {
  const definition = strategies.get(id);
  if (definition === undefined) throw notFound('deployed strategy', id);
  return definition;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function strategyJson(
  definition: Deployed,
  record: DeployedRecord,
  equity: readonly EquityPoint[],
  trades: readonly object[],
  { replay, nowMs }: DeployedDeps,
): Omit<DeployedStrategy, 'warnings'> {
  const { id, name, personaId, asset, timeframe, hash } = definition;
  const rules = 'portfolio' in definition ? [] : allRules(definition.strategy);
  const error = record.definitionHash === hash ? record.error : CHANGED;
  const isActive = definition.status === 'active';
  const status = isActive && error !== null ? 'error' : definition.status;
  return {
    id,
    strategy_id: id,
    name,
    persona_id: personaId,
    asset,
    ...('portfolio' in definition && { assets: deployedAssets(definition) }),
    timeframe,
    deployed_at: isoTime(record.startMs ?? record.createdAtMs),
    status,
    experiment_id: null,
    run_index: null,
    backtest_metrics: null,
    trigger_name: rules.find(({ signalType }) => signalType === 'TRIGGER')?.name ?? null,
    last_tick_at: record.tickedAtMs === null ? null : isoTime(record.tickedAtMs),
    last_tick_status: error ?? (record.tickedAtMs === null ? null : 'ok'),
    health: status === 'error' ? 'error' : isActive && isLate(definition, record, replay, nowMs()) ? 'stale' : 'ok',
    equity: equity.map(({ timeMs, value }) => ({ timestamp: isoTime(timeMs), value })),
    trades: trades as DeployedStrategy['trades'], // as `advance` wrote them
    ...toBalances(definition, record),
  };
}

/** Whether the last bar was evaluated longer ago than `LATE_BARS` bars and `LATE_MS` take. */
function isLate(
  { intervalMs }: Deployed,
  { tickedAtMs, createdAtMs }: DeployedRecord,
  replay: Replay,
  nowMs: number,
): boolean {
  const paceMs = replay.msPerHour === 0 ? intervalMs : barPaceMs(replay, intervalMs);
  return nowMs - (tickedAtMs ?? createdAtMs) > LATE_BARS * paceMs + LATE_MS;
}

function toBalances(definition: Deployed, record: DeployedRecord) {
  const { account, accountValue, totalTrades, lastPrice } = record;
  const { positions, orders } = toHoldings(definition, record);
  return {
    cash_balance: account.purse.cash,
    account_value: accountValue,
    total_trades: totalTrades,
    num_open_positions: positions.length,
    last_price: lastPrice,
    positions,
    ...(orders.length > 0 && { orders }),
  };
}

interface Holdings {
  readonly positions: readonly DeployedPosition[];
  readonly orders: readonly DeployedOrder[];
}

function toHoldings(definition: Deployed, { account, definitionHash, lastPrice }: DeployedRecord): Holdings {
  if ('portfolio' in definition || isPaperPortfolio(account)) {
    // What another definition holds cannot be told by this one.
    if (definitionHash !== definition.hash) return { positions: [], orders: [] };
    return holdingsOfMany(definition as DeployedPortfolio, account as PaperPortfolio);
  }
  return holdingsOfOne(account, definition, lastPrice);
}

/** What the members of a portfolio hold, each at its last close. */
function holdingsOfMany({ id, portfolio }: DeployedPortfolio, account: PaperPortfolio): Holdings {
  if (account.kind === 'members' && portfolio.kind === 'members') {
    const held = account.members.map((own, m) => {
      // biome-ignore lint/style/noNonNullAssertion: one account for each member
      const { baseAsset: asset, config } = portfolio.members[m]!;
      return holdingsOfOne(own, { asset, config }, own.close);
    });
    return { positions: held.flatMap((one) => one.positions), orders: held.flatMap((one) => one.orders) };
  }
  const positions = (account as PaperAllocation).assets.flatMap((holding, a): DeployedPosition[] => {
    const { units, meanPrice, entryTime, entryBar, lastBar, close } = holding;
    if (units === 0 || entryTime === null || close === null) return [];
    return [
      {
        position_id: positionId(id, a, entryBar),
        // biome-ignore lint/style/noNonNullAssertion: one holding for each asset
        asset: (portfolio as DeployedWeights).assets[a]!.baseAsset,
        entry_price: meanPrice,
        position_size: units,
        entry_timestamp: isoTime(entryTime),
        ...{ stop_loss_price: null, take_profit_price: null },
        unrealized_pnl: units * (close - meanPrice),
        unrealized_pct: close / meanPrice - 1,
        bars_held: lastBar - entryBar + 1,
      },
    ];
  });
  return { positions, orders: [] };
}

/** What a position is of. */
type Of = Pick<DeployedDefinition, 'asset' | 'config'>;

function holdingsOfOne(
  { positions, orders, lastBar, isPlain }: Pick<PaperAccount, 'positions' | 'orders' | 'lastBar' | 'isPlain'>,
  of: Of,
  lastPrice: number | null,
): Holdings {
  const { entry_order: type } = of.config;
  return {
    positions: positions.map((position) => ({
      ...shownPosition(position, of, lastBar, lastPrice),
      ...(isPlain !== true && sideFields(position, of)),
    })),
    orders:
      type === 'limit' || type === 'stop'
        ? orders.map(({ id, side, level, lastBar: until }) => ({
            ...({ order_id: id, side: `enter_${side}`, order_type: type, price: level } as const),
            bars_left: until - lastBar,
          }))
        : [],
  };
}

function shownPosition(
  position: PaperPosition,
  { asset, config }: Of,
  lastBar: number,
  lastPrice: number | null,
): DeployedPosition {
  const { id, side, entryPrice, size, entryTime, entryBar, stop } = position;
  const price = lastPrice ?? entryPrice;
  const sign = signOf(side);
  const target = targetPrice(position, lastBar + 1, fullConfig(config));
  return {
    position_id: id,
    asset,
    entry_price: entryPrice,
    position_size: size,
    entry_timestamp: isoTime(entryTime),
    stop_loss_price: stop,
    take_profit_price: Number.isFinite(target) ? target : null,
    unrealized_pnl: sign * size * (price - entryPrice),
    unrealized_pct: sign * (price / entryPrice - 1),
    bars_held: lastBar - entryBar + 1,
  };
}

/** What a position tells of its side and margin. */
function sideFields({ side, size, entryPrice, liquidation }: PaperPosition, { config }: Of) {
  const { leverage = 1 } = config;
  const isMargined = side === 'short' || leverage > 1;
  return { side, ...(isMargined && { margin: (size * entryPrice) / leverage, liquidation_price: liquidation }) };
}
