import { isRecord } from '../../engine/errors.js';
import { formatInterval, isoTime } from '../../engine/series/index.js';
import type { HeldOut } from '../../engine/sweep/index.js';
import type { WindowRequest } from '../../research/index.js';
import { daysToOpen, heldOutWindow, type RunChoices } from '../../research/portfolio/index.js';
import { ApiError, refuseMissing, wrongValue } from '../api-error.js';
import {
  asObject,
  type BacktestDeps,
  bothGiven,
  failureSeen,
  findStrategy,
  isPresent,
  type Owner,
  readOpening,
  readText,
  readWindow,
  type StrategySource,
} from '../backtests/index.js';
import type { Caller } from '../caller.js';
import type { Outlined } from './portfolio-task.js';
import type { PortfolioPlan, PortfolioRequest } from './store.js';

type Json = Readonly<Record<string, unknown>>;

/** Bars that the members of a run may trade together: 200 assets for eleven years of 4h bars. */
const PORTFOLIO_BARS_MAX = 5_000_000;

/** What reading a request needs. */
interface OrderDeps extends Pick<BacktestDeps, 'strategies' | 'heldOut' | 'newId' | 'nowMs'> {
  /** Reads a definition in a thread. @throws EngineError as `outlineOf`; ENGINE_BUSY */
  readonly outline: (portfolio: object, choices: RunChoices) => Promise<Outlined>;
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
export async function readOrder(caller: Caller, request: Json, deps: OrderDeps): Promise<PortfolioOrder> {
  refuseMissing(isPresent(request, 'portfolio') ? [] : ['portfolio']);
  const warnings: string[] = [];
  const given = asObject('portfolio', request.portfolio);
  const { portfolio, stored } = await withStoredStrategies(caller, given, deps.strategies, warnings);
  const asked = {
    interval: isPresent(request, 'interval') ? readText(request, 'interval') : undefined,
    window: readWindow(request),
    config: asObject('execution_config', request.execution_config),
  };
  const outlined = (window: WindowRequest) =>
    deps.outline(portfolio, { ...asked, window }).catch((error: unknown) => {
      throw failureSeen(caller, stored !== undefined, request, error);
    });
  const whole = await outlined(asked.window);
  const opened = readOpening(request) ? await daysToOpen(whole.assets, asked.window, deps.heldOut(caller.orgId)) : null;
  const outline = opened === null ? whole : await outlined(heldOutWindow(opened));
  const { name, intervalMs, config, assets, startMs, endMs, bars } = outline;
  if (bars > PORTFOLIO_BARS_MAX) {
    const message = `portfolio must trade at most ${PORTFOLIO_BARS_MAX} bars of all members together, asks for ${bars}: narrow its window or take a longer interval`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'portfolio' });
  }
  const interval = formatInterval(intervalMs);
  const run: PortfolioRequest = {
    ...{ portfolio, interval, config: asked.config, ...(stored !== undefined && { stored }) },
    window: { start: isoTime(startMs), end: isoTime(endMs) },
  };
  const plan: PortfolioPlan = {
    id: deps.newId(),
    userId: caller.userId,
    orgId: caller.orgId,
    strategyId: null,
    strategyName: name,
    sessionId: null,
    asset: assets.join(','),
    interval,
    baseAsset: '',
    ...{ startMs, endMs, config, request: run, warnings },
    createdAtMs: deps.nowMs(),
    isShared: false,
    isAwaited: false,
  };
  return { plan, size: assets.length, opened };
}

/** The definition with each member's `strategy_id` replaced by the stored strategy. */
async function withStoredStrategies(
  owner: Owner,
  portfolio: Json,
  strategies: StrategySource,
  warnings: string[],
): Promise<Pick<PortfolioRequest, 'portfolio' | 'stored'>> {
  const { members } = portfolio;
  if (!Array.isArray(members)) return { portfolio };
  const stored: Record<number, string> = {};
  const written: unknown[] = [];
  for (const [m, member] of members.entries()) {
    const place = `portfolio.members[${m}]`;
    if (!isRecord(member)) {
      throw wrongValue(place, 'an object', member);
    }
    const { strategy_id: id, ...rest } = member;
    if (id === undefined || id === null) {
      written.push(member);
      continue;
    }
    if (isPresent(rest, 'strategy')) throw bothGiven(`${place}.strategy`, `${place}.strategy_id`);
    const named = readText(member, 'strategy_id');
    const saved = await findStrategy(owner, named, strategies);
    stored[m] = named;
    warnings.push(...saved.unread.map((line) => `${place}: ${line}`));
    written.push({ ...rest, strategy: saved.definition });
  }
  const isNamed = Object.keys(stored).length > 0;
  return { portfolio: { ...portfolio, members: written }, ...(isNamed && { stored }) };
}
