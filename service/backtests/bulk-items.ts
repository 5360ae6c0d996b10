import { normaliseAsset } from '../../data/bars/index.js';
import { quote } from '../../engine/errors.js';
import { parseInterval } from '../../engine/series/index.js';
import type { DeniedSignal } from '../../engine/strategy/index.js';
import type { WindowRequest } from '../../research/index.js';
import { ApiError, refuseMissing } from '../api-error.js';
import type { Caller } from '../caller.js';
import {
  bothGiven,
  findStrategy,
  makeOrder,
  type Order,
  overlay,
  type RunRequest,
  readWindow,
  type Surface,
} from './request.js';
import { asObject, checkSizing, isPresent, missingSettings, readSettings, settingsOfPreset } from './settings.js';
import type { BacktestMetrics, Owner, StrategySource } from './stored.js';
import { parseStrategyJson, readDefinition } from './strategy-json.js';

export interface BulkItem {
  readonly success: boolean;
  readonly strategy_id: string | null;
  readonly strategy_name: string;
  /** Empty where the item failed. */
  readonly metrics: BacktestMetrics | Record<string, never>;
  readonly trade_count: number;
  readonly execution_time_seconds: number;
  readonly error: string | null;
  /** Null where the item failed, since nothing is stored then. */
  readonly backtest_id: string | null;
  readonly denied_signals: readonly DeniedSignal[];
  readonly warnings: readonly string[];
}

export interface BulkOptions extends Surface {
  /** Items that have not begun by then fail; items that have begun run to the end. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Clients give up after 30 s. */
export const DEADLINE_MS = 25_000;
const ITEMS_MAX = 99;
const INTERVAL = '1h';

export interface Bulk {
  readonly window: WindowRequest;
  /** In the order of the request. */
  readonly drafts: readonly Draft[];
}

/**
 * Reads a bulk request. An error of a single item is kept in its draft.
 * @throws MISSING_FIELD for what every item lacks, VALIDATION_ERROR for the request as a whole
 */
export async function readBulk(
  caller: Caller,
  request: RunRequest,
  surface: Surface,
  strategies: StrategySource,
): Promise<Bulk> {
  const items = readItems(request);
  const missing = ['start_date', 'end_date'].filter((name) => !isPresent(request, name));
  if (surface.refusesNullSizing === true) checkSizing(request);
  const drafts = await Promise.all(items.map((item, i) => makeDraft(caller, request, item, i, surface, strategies)));
  refuseMissing([...missing, ...missingEverywhere(drafts)]);
  return { window: readWindow(request), drafts };
}

interface Item {
  readonly id: string | null;
  readonly config: unknown;
}

interface Readable {
  readonly request: RunRequest;
  readonly definition: RunRequest;
  /** A line for each key that nothing reads. */
  readonly unread: readonly string[];
}

/** An item that could be read, or the reason why not. */
export interface Draft {
  readonly strategyId: string | null;
  readonly name: string;
  readonly read: Readable | { readonly failure: unknown };
  /** Required fields that neither the item nor the request gives. */
  readonly missing: readonly string[];
}

function readItems(request: RunRequest): Item[] {
  const hasIds = isPresent(request, 'strategy_ids');
  const hasConfigs = isPresent(request, 'strategy_configs');
  if (hasIds && hasConfigs) throw bothGiven('strategy_ids', 'strategy_configs');
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

async function makeDraft(
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
      const { definition, unread } = await findStrategy(owner, id, strategies);
      const around = { ...request, asset: definition.asset, interval: request.interval ?? INTERVAL };
      return draft({ request: around, definition, unread }, id, runName(definition, name), surface);
    }
    const item = asObject(`strategy_configs[${index}]`, config);
    const isText = isPresent(item, 'strategy_json');
    const unread: string[] = [];
    const definition = isText
      ? parseStrategyJson(item.strategy_json, 'strategy_json', unread)
      : readDefinition(item, unread);
    if (surface.refusesNullSizing === true) checkSizing(item);
    // Fields of an item itself overlay the request; fields inside its strategy_json text belong to
    // the strategy.
    const { interval, ...strategy } = definition;
    const { execution_config: own, ...rules } = strategy;
    const around = {
      ...overlay(request, isText ? item.execution_config : own),
      asset: item.asset ?? strategy.asset,
      interval: item.interval ?? interval ?? request.interval ?? INTERVAL,
    };
    const read = { request: around, definition: isText ? strategy : rules, unread };
    return draft(read, null, runName(strategy, name), surface);
  } catch (failure) {
    return { strategyId: id, name, read: { failure }, missing: [] };
  }
}

const runName = ({ name }: RunRequest, otherwise: string): string => (typeof name === 'string' ? name : otherwise);

/** A bulk run must give its settings: settings saved with strategies do not count. */
function draft(read: Readable, strategyId: string | null, name: string, { filling }: Surface): Draft {
  const { riskFields, config } = readSettings(read.request);
  const settings = filling === 'required' ? missingSettings(riskFields, config, settingsOfPreset(read.request)) : [];
  const asset = isPresent(read.request, 'asset') ? [] : ['asset'];
  return { strategyId, name, read, missing: [...asset, ...settings] };
}

export const isReadable = ({ read }: Draft): boolean => 'request' in read;

/** Required fields that every item lacks: then the request is at fault rather than an item. */
function missingEverywhere(drafts: readonly Draft[]): string[] {
  const read = drafts.filter(isReadable);
  const [first, ...rest] = read.map(({ missing }) => missing);
  return (first ?? []).filter((name) => rest.every((missing) => missing.includes(name)));
}

/** @throws the failure of the item */
export function orderOfDraft({ strategyId, name, read, missing }: Draft, { window }: Bulk): Order {
  if ('failure' in read) throw read.failure;
  refuseMissing(missing);
  const order = makeOrder(read.request, read.definition, strategyId, window, name);
  return { ...order, warnings: [...read.unread, ...order.warnings] };
}

export const notBegun = (deadlineMs: number): ApiError =>
  new ApiError('VALIDATION_ERROR', `not run: the batch took longer than ${deadlineMs} ms`);

export const failedItem = ({ strategyId, name }: Draft, message: string, seconds: number): BulkItem => ({
  success: false,
  strategy_id: strategyId,
  strategy_name: name,
  metrics: {},
  trade_count: 0,
  execution_time_seconds: seconds,
  error: message,
  backtest_id: null,
  denied_signals: [],
  warnings: [],
});

/** The outcome of a stored run. */
interface DoneRun {
  readonly id: string;
  readonly metrics: BacktestMetrics;
  readonly tradeCount: number;
  readonly executionSeconds: number;
  readonly deniedSignals: readonly DeniedSignal[];
  readonly warnings: readonly string[];
}

export const doneItem = ({ strategyId }: Draft, strategyName: string, run: DoneRun): BulkItem => ({
  success: true,
  strategy_id: strategyId,
  strategy_name: strategyName,
  metrics: run.metrics,
  trade_count: run.tradeCount,
  execution_time_seconds: run.executionSeconds,
  error: null,
  backtest_id: run.id,
  denied_signals: run.deniedSignals,
  warnings: run.warnings,
});

/** @param start by the monotonic clock, in ms */
export const bulkResult = (results: readonly BulkItem[], fetched: ReadonlySet<string>, start: number) => ({
  results,
  data_fetches: fetched.size,
  total_execution_time_seconds: (performance.now() - start) / 1000,
  error: null,
});

/** Key of the series of bars that an order runs on. */
export const seriesKey = ({ asset, interval }: Order): string => `${normaliseAsset(asset)} ${parseInterval(interval)}`;
