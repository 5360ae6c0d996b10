import { normaliseAsset } from '../../data/bars/index.js';
import { ApiError, notFound } from '../api-error.js';
import type { Caller } from '../caller.js';
import { readArray, readBoolean, readNumber, readOneOf, readText } from './definition.js';
import type { ExecutionServices } from './store.js';
import type { Page, PortfolioEntry, PositionRecord, TradeRecord } from './stored.js';

interface PageRequest {
  readonly skip?: unknown;
  readonly limit?: unknown;
}

interface PositionsRequest extends PageRequest {
  readonly account_id?: unknown;
  readonly strategy_id?: unknown;
  readonly asset?: unknown;
  readonly status?: unknown;
  readonly open_only?: unknown;
}

interface TradesRequest extends PageRequest {
  readonly account_id?: unknown;
  readonly asset?: unknown;
  readonly outcome?: unknown;
}

/** Lists open and closed positions unless `status` or `open_only` restricts them. */
export async function listPositions(
  caller: Caller,
  request: PositionsRequest,
  { store }: ExecutionServices,
): Promise<{ readonly positions: readonly PositionRecord[]; readonly total: number } & Page> {
  const status = readOneOf(request.status, 'status', ['open', 'closed'] as const);
  const isOpenOnly = readBoolean(request.open_only, 'open_only') === true;
  if (isOpenOnly && status === 'closed') {
    throw new ApiError('VALIDATION_ERROR', 'status closed and open_only true exclude each other');
  }
  const page = readPage(request);
  const filter = given({
    accountId: readText(request.account_id, 'account_id'),
    strategyId: readText(request.strategy_id, 'strategy_id'),
    baseAsset: readAsset(request.asset),
    isOpen: isOpenOnly ? true : status && status === 'open',
  });
  const { rows, total } = await store.listPositions(caller.userId, filter, page);
  return { positions: rows, total, ...page };
}

/** @throws RESOURCE_NOT_FOUND */
export async function getPosition(caller: Caller, id: string, { store }: ExecutionServices): Promise<PositionRecord> {
  const position = await store.findPosition(caller.userId, id);
  if (position === null) throw notFound('position', id);
  return position;
}

export async function listTrades(
  caller: Caller,
  request: TradesRequest,
  { store }: ExecutionServices,
): Promise<{ readonly trades: readonly TradeRecord[]; readonly total: number } & Page> {
  const page = readPage(request);
  const filter = given({
    accountId: readText(request.account_id, 'account_id'),
    baseAsset: readAsset(request.asset),
    outcome: readOneOf(request.outcome, 'outcome', ['win', 'loss'] as const),
  });
  const { rows, total } = await store.listTrades(caller.userId, filter, page);
  return { trades: rows, total, ...page };
}

const PORTFOLIO_MAX = 100;

/**
 * The strategies found, in the order of the request, and the ids not found.
 * @param request ids as a list; each item is one id or several, separated by commas
 */
export async function getPortfolio(
  caller: Caller,
  request: { readonly strategy_ids?: unknown },
  { store }: ExecutionServices,
): Promise<{ readonly results: readonly PortfolioEntry[]; readonly missing: readonly string[] }> {
  const items = readArray(request.strategy_ids, 'strategy_ids', PORTFOLIO_MAX) ?? [];
  const texts = items.flatMap((item, i) => readText(item, `strategy_ids[${i}]`, 10_000) ?? []);
  const ids = [...new Set(texts.flatMap((text) => text.split(',')).map((id) => id.trim().toLowerCase()))].filter(
    (id) => id !== '',
  );
  if (ids.length === 0) {
    throw new ApiError('MISSING_FIELD', 'Missing required field: strategy_ids', { fields: ['strategy_ids'] });
  }
  if (ids.length > PORTFOLIO_MAX) {
    throw new ApiError('VALIDATION_ERROR', `strategy_ids must have 1..${PORTFOLIO_MAX} ids, had ${ids.length}`);
  }
  const found = await store.portfolio(caller.userId, ids);
  const entries = new Map(found.map((entry) => [entry.strategy_id, entry]));
  return { results: ids.flatMap((id) => entries.get(id) ?? []), missing: ids.filter((id) => !entries.has(id)) };
}

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;

/** Effective values: a value out of range is clamped. */
function readPage({ skip, limit }: PageRequest): Page {
  const whole = (value: unknown, field: string) => readNumber(value, field, { isInteger: true });
  return {
    skip: Math.max(0, whole(skip, 'skip') ?? 0),
    limit: Math.min(LIMIT_MAX, Math.max(1, whole(limit, 'limit') ?? LIMIT_DEFAULT)),
  };
}

function readAsset(value: unknown): string | undefined {
  const text = readText(value, 'asset');
  return text === undefined ? undefined : normaliseAsset(text);
}

/** Drops keys without a value. */
const given = <T extends object>(filter: T) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
