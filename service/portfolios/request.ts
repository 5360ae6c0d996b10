import type { MarketData } from '../../data/providers/index.js';
import { formatInterval, type HeldOut, isoTime } from '../../engine/index.js';
import { daysToOpen, outlineOf, windowOf } from '../../research/portfolio/index.js';
import { ApiError, refuseMissing, wrongValue } from '../api-error.js';
import {
  asObject,
  type BacktestDeps,
  bothOf,
  findStrategy,
  isPresent,
  type Owner,
  readOpening,
  readText,
  readWindow,
  type StrategySource,
} from '../backtests/index.js';
import type { PortfolioPlan, PortfolioRequest } from './store.js';

type Json = Readonly<Record<string, unknown>>;

/** Bars that the members of a run may trade together: 200 assets for eleven years of 4h bars. */
const PORTFOLIO_BARS_MAX = 5_000_000;

/** What reading a request needs. */
interface OrderDeps extends Pick<BacktestDeps, 'strategies' | 'heldOut' | 'newId' | 'nowMs'> {
  readonly market: MarketData;
}

/** A request that was read and checked against the stored bars. */
interface PortfolioOrder {
  readonly plan: PortfolioPlan;
  /** As many backtests as it counts for. */
  readonly size: number;
  /** The held-out days of its assets that it opens; null for a run that opens none. */
  readonly opened: readonly HeldOut[] | null;
}

/**
 * Reads a run of a portfolio. Its window is fixed now, so a run that waits uses the bars that were
 * asked for, even if new ones have arrived.
 * @throws ApiError MISSING_FIELD without `portfolio`; VALIDATION_ERROR for a member that is no object,
 *   or has both a strategy and a `strategy_id`, for a wrong window or `open_holdout`, and for too many
 *   bars;
 *   RESOURCE_NOT_FOUND for an unknown `strategy_id`
 * @throws EngineError as `outlineOf`: MISSING_FIELD, INVALID_FIELD and INVALID_STRATEGY for the
 *   definition, its strategies, settings and window, NOT_FOUND for an asset without bars; as
 *   `daysToOpen`
 */
export async function readOrder(owner: Owner, request: Json, deps: OrderDeps): Promise<PortfolioOrder> {
  refuseMissing(isPresent(request, 'portfolio') ? [] : ['portfolio']);
  const warnings: string[] = [];
  const portfolio = await withStoredStrategies(
    owner,
    asObject('portfolio', request.portfolio),
    deps.strategies,
    warnings,
  );
  const asked = {
    interval: isPresent(request, 'interval') ? readText(request, 'interval') : undefined,
    window: readWindow(request),
    config: asObject('execution_config', request.execution_config),
  };
  const whole = await outlineOf(portfolio, asked, deps.market);
  const opened = readOpening(request) ? await daysToOpen(whole.assets, asked.window, deps.heldOut(owner.orgId)) : null;
  const outline =
    opened === null ? whole : await outlineOf(portfolio, { ...asked, window: windowOf(opened) }, deps.market);
  const { definition, account, assets, startMs, endMs, bars } = outline;
  if (bars > PORTFOLIO_BARS_MAX) {
    const message = `portfolio must trade at most ${PORTFOLIO_BARS_MAX} bars of all members together, asks for ${bars}: narrow its window or take a longer interval`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'portfolio' });
  }
  const interval = formatInterval(account.intervalMs);
  const run: PortfolioRequest = {
    ...{ portfolio, interval, config: asked.config },
    window: { start: isoTime(startMs), end: isoTime(endMs) },
  };
  const plan: PortfolioPlan = {
    id: deps.newId(),
    userId: owner.userId,
    orgId: owner.orgId,
    strategyId: null,
    strategyName: definition.name,
    sessionId: null,
    asset: assets.join(','),
    interval,
    baseAsset: '',
    ...{ startMs, endMs, config: account.config, request: run, warnings },
    createdAtMs: deps.nowMs(),
    isShared: false,
    isAwaited: false,
  };
  return { plan, size: assets.length, opened };
}

/** The definition with each member's `strategy_id` replaced by what is stored under it. */
async function withStoredStrategies(
  owner: Owner,
  portfolio: Json,
  strategies: StrategySource,
  warnings: string[],
): Promise<object> {
  const { members } = portfolio;
  if (!Array.isArray(members)) return portfolio;
  const written: unknown[] = [];
  for (const [m, member] of members.entries()) {
    const place = `portfolio.members[${m}]`;
    if (typeof member !== 'object' || member === null || Array.isArray(member)) {
      throw wrongValue(place, 'an object', member);
    }
    const { strategy_id: id, ...rest } = member as Json;
    if (id === undefined || id === null) {
      written.push(member);
      continue;
    }
    if (isPresent(rest, 'strategy')) throw bothOf(`${place}.strategy`, `${place}.strategy_id`);
    const saved = await findStrategy(owner, readText(member as Json, 'strategy_id'), strategies);
    warnings.push(...saved.unread.map((line) => `${place}: ${line}`));
    written.push({ ...rest, strategy: saved.definition });
  }
  return { ...portfolio, members: written };
}
