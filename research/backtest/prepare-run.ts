import { type BarsQuery, readBarsFile, type StoredBars } from '../../data/bars/index.js';
import {
  aggregateBars,
  type BarSeries,
  bucketStart,
  closeOfLast,
  DAY_MS,
  EngineError,
  type ExecutionConfig,
  firstBarFrom,
  formatInterval,
  historyMs,
  isoTime,
  onchainColumns,
  parseInterval,
  planStrategy,
  resolveConfig,
  type StrategyDefinition,
  type StrategyPlan,
  sliceBars,
} from '../../engine/index.js';
import { resolveWindow, type Window, type WindowRequest } from '../window.js';

export interface BacktestRequest {
  /** Parsed JSON of a definition; composed by the relaxed rule, because nothing is stored. */
  readonly strategy: unknown;
  /** Without it, the asset of the definition. */
  readonly asset?: string | undefined;
  /** Without it, the interval of the file of bars. */
  readonly interval?: string | undefined;
  readonly window: WindowRequest;
  /** Execution fields that override the definition's own and the published defaults. */
  readonly config?: unknown;
  /** Execution fields of lower rank than `config`, yet above the definition's own. */
  readonly riskFields?: unknown;
  /** Bars to use instead of the catalogue's. */
  readonly barsFile?: string | undefined;
}

/** What a run must know of a series before it reads bars of it. */
type RunSeries = Pick<
  StoredBars,
  'asset' | 'interval' | 'intervalMs' | 'firstMs' | 'lastMs' | 'columns' | 'contentHash' | 'isSample'
>;

/** What runs read bars from: the catalogue, the market-data port, or a single series. */
export interface RunBars {
  resolveSource(
    asset: string,
    intervalMs: number,
  ): Promise<{ readonly entry: RunSeries; readonly aggregateToMs: number | null }>;
  load(query: BarsQuery): Promise<{ readonly bars: BarSeries }>;
  /** What aggregating the bars of `load` gives, where that is kept. */
  coarse?(query: BarsQuery, coarseMs: number): Promise<{ readonly bars: BarSeries }>;
  /** What "now" is for bars of the interval. Without it the close of the last bar held. */
  nowMs?(asset: string, intervalMs: number): Promise<number>;
}

/** Everything a simulation needs, with defaults filled in and bars loaded. */
export interface PreparedRun {
  readonly asset: string;
  readonly bars: BarSeries;
  /** Index of the first tradable bar; the ones before it are history. */
  readonly first: number;
  readonly plan: StrategyPlan;
  readonly config: ExecutionConfig;
  readonly warnings: readonly string[];
  /** Of the whole stored series. */
  readonly contentHash: string;
  readonly source: string;
  /** Interval of the stored bars, where the run's were aggregated from them. */
  readonly aggregatedFrom: string | null;
}

/** Resolves what the request leaves open: asset, bars and window, plan, configuration. */
export function prepareRun(
  request: BacktestRequest,
  strategy: StrategyDefinition,
  store: RunBars,
): Promise<PreparedRun> {
  return request.barsFile === undefined
    ? fromCatalogue(request, strategy, store)
    : fromFile(request, strategy, request.barsFile);
}

const configFor = (request: BacktestRequest, strategy: StrategyDefinition, interval: number) =>
  resolveConfig({
    request: request.config,
    riskFields: request.riskFields,
    strategyRewardFactor: strategy.rewardFactor,
    saved: strategy.executionConfig,
    interval,
  });

/** A file of bars is read whole: what lies before the window is history. */
async function fromFile(request: BacktestRequest, strategy: StrategyDefinition, path: string): Promise<PreparedRun> {
  const intervalMs = request.interval === undefined ? undefined : parseInterval(request.interval);
  const { bars: held, contentHash } = await readBarsFile(path, { intervalMs });
  const lastClose = closeOfLast(held);
  return {
    asset: request.asset ?? strategy.asset ?? 'unnamed',
    ...cutTo(resolveWindow(request.window, lastClose), held, request.asset ?? strategy.asset ?? 'unnamed'),
    plan: planStrategy(strategy, held.intervalMs, Object.keys(held.onchain)),
    ...configFor(request, strategy, held.intervalMs),
    contentHash,
    source: path,
    aggregatedFrom: null,
  };
}

async function fromCatalogue(
  request: BacktestRequest,
  strategy: StrategyDefinition,
  store: RunBars,
): Promise<PreparedRun> {
  const asset = required('asset', request.asset ?? strategy.asset);
  const intervalMs = parseInterval(required('interval', request.interval));
  const { entry, aggregateToMs } = await store.resolveSource(asset, intervalMs);
  const now = await store.nowMs?.(asset, intervalMs);
  const window = resolveWindow(request.window, now ?? entry.lastMs + entry.intervalMs);
  const plan = planStrategy(
    strategy,
    intervalMs,
    onchainColumns.filter((name) => entry.columns.includes(name)),
  );
  const resolved = configFor(request, strategy, intervalMs);
  const query = windowQuery(entry, window, neededHistoryMs(plan, resolved.config));
  const bars = await loadBars(store, query, aggregateToMs);
  return {
    asset,
    ...cutTo(window, bars, asset),
    plan,
    ...resolved,
    contentHash: entry.contentHash,
    source: entry.isSample ? 'sample' : 'catalogue',
    aggregatedFrom: aggregateToMs === null ? null : entry.interval,
  };
}

function required<T>(field: string, value: T | null | undefined): T {
  if (value === null || value === undefined) throw new EngineError('MISSING_FIELD', `${field} is required`, { field });
  return value;
}

/** Days for Wilder's smoothing to forget its seed: after ten periods e^-10 of it is left. */
const ATR_SETTLING_PERIODS = 10;

/**
 * Warm-up of the rules, of the volatility window and of the daily ATR, whichever reaches back
 * furthest.
 */
export function neededHistoryMs(plan: StrategyPlan, config: ExecutionConfig): number {
  return Math.max(
    historyMs(plan),
    (config.volatility_window + 1) * plan.intervalMs,
    (ATR_SETTLING_PERIODS * config.atr_period + 1) * Math.max(DAY_MS, plan.intervalMs),
  );
}

/**
 * Stored bars of the window and before it, from a day boundary on, so that daily and coarse buckets
 * begin whole.
 */
function windowQuery(entry: RunSeries, window: Window, history: number): BarsQuery {
  const from = bucketStart(window.startMs - history, DAY_MS);
  const { asset, intervalMs } = entry;
  const hasOverlap = window.endMs > entry.firstMs && window.startMs <= entry.lastMs;
  if (!hasOverlap)
    throw emptyWindow(`${entry.interval} bar of ${asset}`, window, entry.firstMs, entry.lastMs + intervalMs);
  return {
    asset,
    intervalMs,
    ...(Number.isFinite(from) ? { fromMs: from } : {}),
    ...(Number.isFinite(window.endMs) ? { toMs: window.endMs } : {}),
  };
}

/** @param coarseMs of the bars to be made of stored ones; null for those as they are */
export async function loadBars(
  store: Pick<RunBars, 'load' | 'coarse'>,
  query: BarsQuery,
  coarseMs: number | null,
): Promise<BarSeries> {
  if (coarseMs !== null && store.coarse !== undefined) return (await store.coarse(query, coarseMs)).bars;
  const { bars } = await store.load(query);
  return coarseMs === null ? bars : aggregateBars(bars, coarseMs).bars;
}

/** Drops the bars that close after the window and finds the first one inside it. */
function cutTo(window: Window, bars: BarSeries, asset: string): { bars: BarSeries; first: number } {
  const first = firstBarFrom(bars, window.startMs);
  const end = firstBarFrom(bars, window.endMs - bars.intervalMs + 1);
  if (first >= end) {
    throw emptyWindow(
      `${formatInterval(bars.intervalMs)} bar of ${asset}`,
      window,
      bars.time[0] ?? NaN,
      (bars.time[bars.barCount - 1] ?? NaN) + bars.intervalMs,
    );
  }
  return { bars: end === bars.barCount ? bars : sliceBars(bars, 0, end), first };
}

function emptyWindow(what: string, window: Window, heldFromMs: number, heldToMs: number): EngineError {
  const text = (ms: number) => (Number.isFinite(ms) ? isoTime(ms) : 'the end of the data');
  return new EngineError(
    'EMPTY_WINDOW',
    `no whole ${what} lies between ${text(window.startMs)} and ${text(window.endMs)}; the data has ${text(heldFromMs)} to ${text(heldToMs)}`,
  );
}
