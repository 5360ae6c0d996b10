import { normaliseAsset } from '../../data/bars/index.js';
import { parseInterval, quote } from '../../engine/index.js';
import { ApiError, refuseMissing } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { WindowRequest } from '../window.js';
import { type BacktestDeps, execute, failureMessage } from './execute.js';
import {
  bothOf,
  type Filling,
  findStrategy,
  missingDates,
  type Order,
  orderOf,
  overlay,
  type RunRequest,
  readWindow,
  type Surface,
} from './request.js';
import { keep } from './run.js';
import { asObject, checkSizing, isPresent, missingSettings, readSettings } from './settings.js';
import type { BacktestMetrics, Owner, StrategySource } from './store.js';
import { definitionOf, parseStrategyJson } from './strategy-json.js';

export interface BulkItem {
  readonly success: boolean;
  readonly strategy_id: string | null;
  readonly strategy_name: string;
  /** Empty where the item failed. */
  readonly metrics: BacktestMetrics | Record<string, never>;
  readonly trade_count: number;
  readonly execution_time_seconds: number;
  readonly error: string | null;
  /** Null where the item failed, for nothing is stored then. */
  readonly backtest_id: string | null;
  readonly denied_signals: readonly unknown[];
}

export interface BulkOptions extends Surface {
  /** Items that have not begun by then fail; the others are whole. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const ITEMS_MAX = 99;
/** Clients give up after 30 s. */
const DEADLINE_MS = 25_000;
const INTERVAL = '1h';

/**
 * Up to 99 strategies over one window, one after the other in the synchronous slot, each stored. An item that fails says why and
 * stops no other.
 *
 * @throws MISSING_FIELD for what every item lacks, VALIDATION_ERROR for the request as a whole; ENGINE_BUSY;
 *   USAGE_LIMIT_EXCEEDED before anything is run, when there is no room for all items that could be read
 */
export async function runBulkBacktest(
  caller: Caller,
  request: RunRequest,
  deps: BacktestDeps,
  { deadlineMs = DEADLINE_MS, signal, ...surface }: BulkOptions,
) {
  const start = performance.now();
  const { filling } = surface;
  const items = readItems(request);
  const dates = missingDates(request);
  if (surface.refusesNullSizing === true) checkSizing(request);
  const drafts = await Promise.all(items.map((item, i) => draftOf(caller, request, item, i, surface, deps.strategies)));
  if (filling === 'required') dates.push(...missingEverywhere(drafts));
  refuseMissing(dates);
  const window = readWindow(request);
  const fetched = new Set<string>();
  const results = await deps.slot.run(async () => {
    await deps.admit(caller, drafts.filter(isReadable).length);
    const done: BulkItem[] = [];
    for (const draft of drafts) {
      signal?.throwIfAborted();
      const isLate = performance.now() - start >= deadlineMs;
      done.push(await runItem(caller, draft, { window, filling, fetched, isLate, deadlineMs }, deps, signal));
    }
    return done;
  }, signal);
  return {
    results,
    data_fetches: fetched.size,
    total_execution_time_seconds: (performance.now() - start) / 1000,
    error: null,
  };
}

interface Item {
  readonly id: string | null;
  readonly config: unknown;
}

/** An item that was found, or why it was not. */
interface Draft {
  readonly strategyId: string | null;
  readonly name: string;
  readonly read: { readonly request: RunRequest; readonly definition: RunRequest } | { readonly failure: unknown };
  /** Obligatory settings that the item and the request do not give. */
  readonly missing: readonly string[];
}

function readItems(request: RunRequest): Item[] {
  const hasIds = isPresent(request, 'strategy_ids');
  const hasConfigs = isPresent(request, 'strategy_configs');
  if (hasIds && hasConfigs) throw bothOf('strategy_ids', 'strategy_configs');
  if (!(hasIds || hasConfigs)) refuseMissing(['strategy_ids or strategy_configs']);
  const field = hasIds ? 'strategy_ids' : 'strategy_configs';
  const list = request[field];
  const refuse = (problem: string): never => {
    throw new ApiError('VALIDATION_ERROR', `${field} must ${problem}`, { field });
  };
  if (!Array.isArray(list)) return refuse(`be an array, was ${quote(list)}`);
  if (list.length < 1 || list.length > ITEMS_MAX) return refuse(`have 1..${ITEMS_MAX} items, has ${list.length}`);
  if (!hasIds) return list.map((config: unknown) => ({ id: null, config }));
  const stranger = list.find((id) => typeof id !== 'string');
  return stranger === undefined
    ? list.map((id) => ({ id, config: null }))
    : refuse(`hold ids, holds ${quote(stranger)}`);
}

async function draftOf(
  owner: Owner,
  request: RunRequest,
  { id, config }: Item,
  index: number,
  surface: Surface,
  strategies: StrategySource,
): Promise<Draft> {
  const name = `strategy_${index}`;
  try {
    if (id !== null) {
      const { definition, executionConfig } = await findStrategy(owner, id, strategies);
      const around = { ...request, asset: definition.asset, interval: request.interval ?? INTERVAL };
      return draft(around, definition, id, nameOf(definition, name), executionConfig);
    }
    const item = asObject(`strategy_configs[${index}]`, config);
    const isText = isPresent(item, 'strategy_json');
    const definition = isText ? parseStrategyJson(item.strategy_json, 'strategy_json') : definitionOf(item);
    if (surface.refusesNullSizing === true) checkSizing(item);
    // What stands in an item is the request's own for this item; what stands inside its text is the strategy's.
    const { interval, ...strategy } = definition;
    const { execution_config: own, ...rules } = strategy;
    const around = {
      ...overlay(request, isText ? item.execution_config : own),
      asset: item.asset ?? strategy.asset,
      interval: item.interval ?? interval ?? request.interval ?? INTERVAL,
    };
    return draft(around, isText ? strategy : rules, null, nameOf(strategy, name), {});
  } catch (failure) {
    return { strategyId: id, name, read: { failure }, missing: [] };
  }
}

const nameOf = ({ name }: RunRequest, otherwise: string): string => (typeof name === 'string' ? name : otherwise);

function draft(
  request: RunRequest,
  definition: RunRequest,
  strategyId: string | null,
  name: string,
  saved: RunRequest,
): Draft {
  const { riskFields, config } = readSettings(request);
  return { strategyId, name, read: { request, definition }, missing: missingSettings(riskFields, config, saved) };
}

const isReadable = ({ read }: Draft): boolean => 'request' in read;

/** Obligatory settings that no item has from anywhere: then the request is at fault, and not an item. */
function missingEverywhere(drafts: readonly Draft[]): string[] {
  const read = drafts.filter(isReadable);
  const [first, ...rest] = read.map(({ missing }) => missing);
  return (first ?? []).filter((name) => rest.every((missing) => missing.includes(name)));
}

interface Surroundings {
  readonly window: WindowRequest;
  readonly filling: Filling;
  /** Pairs of asset and interval that were loaded. */
  readonly fetched: Set<string>;
  readonly isLate: boolean;
  readonly deadlineMs: number;
}

async function runItem(
  owner: Owner,
  { strategyId, name, read, missing }: Draft,
  { window, filling, fetched, isLate, deadlineMs }: Surroundings,
  deps: BacktestDeps,
  signal?: AbortSignal,
): Promise<BulkItem> {
  const start = performance.now();
  try {
    if ('failure' in read) throw read.failure;
    if (isLate) throw new ApiError('VALIDATION_ERROR', `not run: the batch took longer than ${deadlineMs} ms`);
    if (filling === 'required') refuseMissing(missing);
    const order: Order = orderOf(read.request, read.definition, strategyId, window, name);
    const admit = async () => {
      fetched.add(`${normaliseAsset(order.asset)} ${parseInterval(order.interval)}`);
    };
    const executed = await execute(order.request, order.warnings, deps, { signal, admit });
    const { id } = await keep(owner, order, executed, deps);
    const { metrics, trades, deniedSignals } = executed.outcome;
    return {
      success: true,
      strategy_id: strategyId,
      strategy_name: order.strategyName,
      metrics,
      trade_count: trades.length,
      execution_time_seconds: executed.executionSeconds,
      error: null,
      backtest_id: id,
      denied_signals: deniedSignals,
    };
  } catch (error) {
    signal?.throwIfAborted();
    return {
      success: false,
      strategy_id: strategyId,
      strategy_name: name,
      metrics: {},
      trade_count: 0,
      execution_time_seconds: (performance.now() - start) / 1000,
      error: failureMessage(error, deps),
      backtest_id: null,
      denied_signals: [],
    };
  }
}
