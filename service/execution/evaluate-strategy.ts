import { setImmediate as nextTurn } from 'node:timers/promises';
import { barsFor } from '../../data/bars/index.js';
import { isRecord } from '../../engine/errors.js';
import { ApiError, asApiError, notFound } from '../api-error.js';
import type { Caller } from '../caller.js';
import { type FurtherBars, readFurther } from '../further-bars.js';
import {
  inlineStrategy,
  own,
  readArray,
  readBoolean,
  readRecord,
  readText,
  required,
  savedEvaluable,
} from './definition.js';
import { freshLane, inlineLane, type Job, marketNeed, prepareJob } from './evaluation.js';
import { getPosition } from './listings.js';
import { type MarketView, readMarket, viewKey } from './market.js';
import { readOpenPositions } from './open-positions.js';
import type { ExecutionServices } from './store.js';
import type { BulkEvaluateResult, EvaluateResult, FailedEvaluation } from './stored.js';

interface EvaluateSavedRequest {
  readonly strategy_id: string;
  /** Default true. */
  readonly persist?: unknown;
}

/**
 * Evaluates a saved strategy now: exits, entries, orders. Unless `persist` is false, the outcome is
 * stored, and an evaluated close gives no signals again.
 * @throws RESOURCE_NOT_FOUND; VALIDATION_ERROR if it is archived, cannot run or trades an asset
 *   without bars
 */
export async function evaluateStrategy(
  caller: Caller,
  request: EvaluateSavedRequest,
  services: ExecutionServices,
): Promise<EvaluateResult> {
  const isKept = readBoolean(request.persist, 'persist') ?? true;
  return evaluateJob(caller, await savedJob(caller, request.strategy_id, services), isKept, services);
}

/**
 * Closes an open position of a saved strategy at the price. The strategy is evaluated first, so a
 * stop that was touched before has closed it already.
 * @throws RESOURCE_NOT_FOUND; INVALID_STATE for a position that is closed, or that belongs to a
 *   definition that is not saved; VALIDATION_ERROR as `evaluateStrategy`
 */
export async function closePosition(caller: Caller, id: string, services: ExecutionServices) {
  const { open, strategy_id } = await getPosition(caller, id, services);
  const refuse = (why: string) => new ApiError('INVALID_STATE', `position ${id} cannot be closed: ${why}`);
  if (!open) throw refuse('it is closed');
  if (strategy_id === null) throw refuse('its strategy is not saved; leave it by an exit rule of the definition');
  const job = { ...(await savedJob(caller, strategy_id, services)), closing: id };
  const { new_orders, execution_state, warnings } = await evaluateJob(caller, job, true, services);
  return { position: await getPosition(caller, id, services), new_orders, execution_state, warnings };
}

interface EvaluateInlineRequest {
  /** A definition; see `inlineStrategy`. */
  readonly strategy?: unknown;
  /** Default false. If true, the definition continues from its own last stored evaluation. */
  readonly persist?: unknown;
  /** Positions that the caller keeps: they are evaluated and returned, and nothing is stored. */
  readonly open_positions?: unknown;
}

/**
 * Evaluates a definition that is not saved. @throws MISSING_FIELD, VALIDATION_ERROR
 */
export async function evaluateInline(
  caller: Caller,
  request: EvaluateInlineRequest,
  services: ExecutionServices,
): Promise<EvaluateResult> {
  const isKept = readBoolean(request.persist, 'persist') ?? false;
  const json = required(request.strategy ?? undefined, 'strategy');
  const record = readRecord(json, 'strategy');
  refuseKeptPositions(isKept, request.open_positions ?? own(record, 'open_positions'), 'open_positions');
  const job = await inlineJob(caller, json, 'strategy', isKept, services, request.open_positions ?? undefined);
  return evaluateJob(caller, job, isKept, services);
}

interface EvaluateBulkRequest {
  readonly strategy_ids?: unknown;
  readonly strategy_configs?: unknown;
  /** Default false. */
  readonly persist?: unknown;
}

const BULK_MAX = 100;

/**
 * Evaluates many strategies: first those given by id, then the definitions, each in the order of
 * the request. The result of a failed one holds its error. The market is read once per asset and
 * timeframe.
 * @throws MISSING_FIELD if the request names no strategies; VALIDATION_ERROR above 100 strategies
 *   and for `persist` with positions that the caller keeps
 */
export async function evaluateBulk(
  caller: Caller,
  request: EvaluateBulkRequest,
  services: ExecutionServices,
): Promise<BulkEvaluateResult> {
  const startedMs = performance.now();
  const isKept = readBoolean(request.persist, 'persist') ?? false;
  const ids = (readArray(request.strategy_ids, 'strategy_ids', BULK_MAX) ?? []).map((id, i) =>
    required(readText(id, `strategy_ids[${i}]`), `strategy_ids[${i}]`),
  );
  const configs = readArray(request.strategy_configs, 'strategy_configs', BULK_MAX) ?? [];
  if (ids.length + configs.length === 0) {
    const fields = ['strategy_ids', 'strategy_configs'];
    throw new ApiError('MISSING_FIELD', 'Missing required fields: strategy_ids or strategy_configs', { fields });
  }
  if (ids.length + configs.length > BULK_MAX) {
    const count = ids.length + configs.length;
    throw new ApiError(
      'VALIDATION_ERROR',
      `strategy_ids and strategy_configs must have at most ${BULK_MAX} items together, had ${count}`,
    );
  }
  for (const [i, config] of configs.entries()) refuseMixedLanes(config, `strategy_configs[${i}]`, isKept);

  const jobs: Attempt<Job>[] = [];
  for (const id of ids) jobs.push(await attempt(() => savedJob(caller, id, services)));
  for (const [i, config] of configs.entries()) {
    jobs.push(await attempt(() => inlineJob(caller, config, `strategy_configs[${i}]`, isKept, services)));
  }
  const markets = await readMarket(
    jobs.flatMap((job) => (job instanceof ApiError ? [] : marketNeed(job))),
    services.market,
  );
  const pairs = new Set<string>();
  const prepared: Attempt<() => Promise<EvaluateResult>>[] = [];
  for (const job of jobs) {
    const step = await attempt(async () => {
      if (job instanceof ApiError) throw job;
      const view = await wholeView(job, markets, services);
      for (const pair of job.strategy.pairs) pairs.add(pair);
      return prepareJob(caller, job, view, isKept, services);
    });
    prepared.push(step);
  }
  // From the first that is stored on, a transaction may be open.
  const results: (EvaluateResult | FailedEvaluation)[] = [];
  for (const [i, step] of prepared.entries()) {
    const result = await attempt(async () => {
      if (step instanceof ApiError) throw step;
      return step();
    });
    results.push(result instanceof ApiError ? failed(ids[i] ?? null, result) : result);
  }
  return {
    success: true,
    results,
    data_fetches: pairs.size,
    total_execution_time_seconds: (performance.now() - startedMs) / 1000,
    error: null,
  };
}

async function savedJob(caller: Caller, id: string, { store }: ExecutionServices): Promise<Job> {
  const strategy = await store.findStrategy(caller.userId, id);
  if (strategy === null) throw notFound('strategy', id);
  const { lane } = strategy;
  return {
    strategy: savedEvaluable(strategy),
    lane: { id: strategy.id, strategyId: strategy.id, initial: lane.execution_state },
    held: lane,
    positions: null,
  };
}

async function inlineJob(
  caller: Caller,
  json: unknown,
  field: string,
  isKept: boolean,
  { newId, store }: ExecutionServices,
  openPositions?: unknown,
): Promise<Job> {
  const strategy = inlineStrategy(json, field);
  const given = openPositions ?? strategy.openPositions;
  const where = openPositions === undefined ? `${field}.open_positions` : 'open_positions';
  if (given !== undefined && !strategy.isPlain) {
    const message = `${where} cannot hold the state of a strategy with sides, margin, orders or guards: persist true keeps it`;
    throw new ApiError('VALIDATION_ERROR', message, { field: where });
  }
  const lane = isKept ? inlineLane(caller, strategy) : { id: newId(), strategyId: null, initial: strategy.state };
  return {
    strategy,
    lane,
    held: (isKept ? await store.findLane(caller.userId, lane.id) : null) ?? freshLane(strategy.state),
    positions: given === undefined ? null : readOpenPositions(given, where, strategy.baseAsset, newId),
  };
}

async function evaluateJob(
  caller: Caller,
  job: Job,
  isKept: boolean,
  services: ExecutionServices,
): Promise<EvaluateResult> {
  const markets = await readMarket([marketNeed(job)], services.market);
  return prepareJob(caller, job, await wholeView(job, markets, services), isKept, services)();
}

/** The market with what the strategy reads beside it. */
async function wholeView(
  job: Job,
  markets: ReadonlyMap<string, MarketView | ApiError>,
  { market }: ExecutionServices,
): Promise<MarketView & { readonly further: FurtherBars }> {
  const view = jobMarket(job, markets);
  const { definition: strategy, config, baseAsset, intervalMs } = job.strategy;
  // biome-ignore lint/style/noNonNullAssertion: a market has bars
  const fromMs = view.bars.time[0]!;
  const further = await readFurther(
    barsFor(market, config),
    { strategy, config, baseAsset, intervalMs },
    view.bars,
    fromMs,
  );
  return { ...view, further };
}

function jobMarket({ strategy }: Job, markets: ReadonlyMap<string, MarketView | ApiError>): MarketView {
  // biome-ignore lint/style/noNonNullAssertion: loaded for every pair of the strategies
  const view = markets.get(viewKey(strategy))!;
  if (view instanceof ApiError) throw view;
  return view;
}

function refuseKeptPositions(isKept: boolean, openPositions: unknown, field: string): void {
  if (!isKept || openPositions === undefined || openPositions === null) return;
  throw new ApiError('VALIDATION_ERROR', `${field} and persist true exclude each other: the caller keeps the state`, {
    field,
  });
}

/**
 * Either the caller or the database keeps the state of a config, never both. A config that is not
 * an object fails later, as one item.
 */
function refuseMixedLanes(config: unknown, field: string, isKept: boolean): void {
  if (!isRecord(config)) return;
  const positions = own(config, 'open_positions');
  refuseKeptPositions(isKept, positions, `${field}.open_positions`);
  const id = own(config, 'id') ?? own(config, 'strategy_id');
  if (positions === undefined || id === undefined) return;
  throw new ApiError('VALIDATION_ERROR', `${field} must not have both an id and open_positions`, { field });
}

type Attempt<T> = T | ApiError;

/**
 * Runs one step of many. Errors that callers may see become values; bugs are thrown. Each step
 * takes its own turn of the event loop, so that other calls are served in between.
 */
async function attempt<T>(action: () => T | Promise<T>): Promise<Attempt<T>> {
  await nextTurn();
  try {
    return await action();
  } catch (error) {
    const known = asApiError(error);
    if (known === null) throw error;
    return known;
  }
}

const failed = (id: string | null, { message }: ApiError): FailedEvaluation => ({
  success: false,
  strategy_id: id,
  strategy_name: null,
  asset: null,
  current_price: null,
  new_orders: [],
  denied_signals: [],
  warnings: [],
  error: message,
});
