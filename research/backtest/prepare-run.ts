import { stat } from 'node:fs/promises';
import { barsFor, generatedColumns, normaliseAsset, readBarsFile } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { cutWindow } from '../../engine/backtest/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError } from '../../engine/errors.js';
import { type ExecutionConfig, type ResolvedConfig, resolveConfig } from '../../engine/execution/index.js';
import { type BarSeries, closeOfLast, FUNDING_COLUMN, parseInterval } from '../../engine/series/index.js';
import type { OwnSignal } from '../../engine/signals/index.js';
import {
  columnsRead,
  neededHistoryMs,
  type OtherBars,
  parseStrategy,
  planStrategy,
  type StrategyDefinition,
  type StrategyPlan,
  unknownStrategyKeys,
} from '../../engine/strategy/index.js';
import { type HeldOutDays, refuseHeldOut } from '../../engine/sweep/index.js';
import { resolveWindow, type WindowRequest } from '../window.js';
import { type HeldRange, loadWindow, type RunBars, type WindowBars } from '../window-bars.js';
import { type ColumnRead, dataRead } from './data-read.js';
import {
  assetColumns,
  type FurtherBars,
  type FurtherSources,
  findFurther,
  type HeldBars,
  loadFurther,
  type SeriesRead,
} from './further-series.js';

export interface BacktestRequest extends FurtherBars {
  /**
   * Parsed JSON of a definition. The relaxed composition rule applies, because nothing is stored.
   */
  readonly strategy: unknown;
  /** Default: the asset of the definition. */
  readonly asset?: string | undefined;
  /** Default: the interval of the file of bars. */
  readonly interval?: string | undefined;
  readonly window: WindowRequest;
  /** Execution fields. They override the definition's own and the published defaults. */
  readonly config?: unknown;
  /** Execution fields that rank below `config` and above the definition's own. */
  readonly riskFields?: unknown;
  /** File of bars to use instead of the catalogue. */
  readonly barsFile?: string | undefined;
  /** Bars at hand to use instead of the catalogue. */
  readonly held?: HeldBars | undefined;
  /** Signals of the author's own that the rules may name. */
  readonly own?: OwnSignals | undefined;
  /** What the caller reads of the bars beside the rules: columns, and history before the window. */
  readonly alsoReads?: { readonly columns: readonly string[]; readonly historyMs: number } | undefined;
  /**
   * Set for a strategy that was accepted before: keys of it that nothing reads have no effect.
   * Otherwise they are refused.
   */
  readonly isAccepted?: boolean | undefined;
  /**
   * Whether the run takes short rules and the settings of sides, margin, orders and guards.
   * Default: unless the strategy was accepted before, which is by a service, and services refuse
   * them.
   */
  readonly takesSides?: boolean | undefined;
  /** Whether the config may name a preset although the rules know no sides. Default: false. */
  readonly takesPreset?: boolean | undefined;
}

/** Signals in code, and what the record of a run says about them. */
export interface OwnSignals {
  readonly signals: readonly OwnSignal[];
  /** Name of their module, or `code`. */
  readonly from: string;
  /** SHA-256 over their text. */
  readonly hash: string;
  /** Their modules as file URLs, for threads to load; empty where the signals are at hand. */
  readonly modules: readonly string[];
}

/** Everything a simulation needs, with defaults filled in and bars loaded. */
export interface PreparedRun extends WindowBars {
  readonly asset: string;
  /** The name under which the run counts among tries; absent for one that counts under its asset. */
  readonly countedAs?: string | undefined;
  readonly plan: StrategyPlan;
  readonly config: ExecutionConfig;
  readonly warnings: readonly string[];
  /** Hash of the whole stored series, with the added columns that the rules read. */
  readonly contentHash: string;
  /** Hash of the stored series alone. */
  readonly seriesHash: string;
  /** The added columns that the rules read. */
  readonly columns: readonly ColumnRead[];
  /** Bars of the assets that rules name, by the name that the rules use. */
  readonly others: OtherBars;
  /** Finer bars, for `detail_interval`. */
  readonly detail: BarSeries | undefined;
  /** The further series that the run reads. */
  readonly series: readonly SeriesRead[];
  readonly source: string;
  /** Interval of the stored bars if the run's bars were aggregated from them, else null. */
  readonly aggregatedFrom: string | null;
  /** When the bars were stored, epoch ms, if that is known. */
  readonly heldAtMs: number | undefined;
  /** What the whole series covers. */
  readonly heldRange: HeldRange;
}

/**
 * The strategy of a request.
 * @throws EngineError as `parseStrategy` does
 */
export const requestedStrategy = (request: BacktestRequest): StrategyDefinition =>
  parseStrategy(request.strategy, 'relaxed', {
    own: request.own?.signals ?? [],
    takesSides: mayTakeSides(request),
    ...(request.isAccepted === true ? { onUnknownKeys: () => {} } : {}),
  });

const mayTakeSides = ({ takesSides, isAccepted }: BacktestRequest): boolean => takesSides ?? isAccepted !== true;

/** Whether the rules have keys of sides that the run ignores, as a service does. */
export function ignoresSides(request: BacktestRequest): boolean {
  if (mayTakeSides(request)) return false;
  const strategy = request.strategy as Readonly<Record<string, unknown>>;
  return unknownStrategyKeys(strategy).length > unknownStrategyKeys(strategy, true).length;
}

export interface PrepareServices {
  readonly store: RunBars;
  readonly heldOut?: HeldOutDays | undefined;
}

/**
 * Resolves asset, bars, window, plan and configuration.
 * @throws EngineError INVALID_FIELD for a window that touches held-out days of its asset, or of one
 *   that its rules read, wherever the bars are
 */
export async function prepareRun(
  request: BacktestRequest,
  strategy: StrategyDefinition,
  { store, heldOut }: PrepareServices,
): Promise<PreparedRun> {
  const run = await loadRun(request, strategy, store);
  const { asset, bars, first, others } = run;
  if (heldOut === undefined) return run;
  const countedAs = await refuseAllHeldOut(heldOut, asset, { bars, first }, others);
  return { ...run, countedAs };
}

/**
 * Refuses a run over bars that touches held-out days of its asset, or of one that its rules read:
 * they would choose by those days.
 * @returns the name under which the run counts
 */
export async function refuseAllHeldOut(
  heldOut: HeldOutDays,
  asset: string,
  { bars, first }: Pick<WindowBars, 'bars' | 'first'>,
  others: OtherBars = {},
): Promise<string> {
  const window = { startMs: bars.time[first] ?? Number.NaN, endMs: closeOfLast(bars) };
  const named = new Map(
    [...Object.entries(others), [asset, bars] as const].map(([name, one]) => [normaliseAsset(name), one]),
  );
  let countedAs = normaliseAsset(asset);
  for (const [name, one] of named) {
    countedAs = (await heldOut.meet?.(name, one)) ?? name; // the own bars come last
    await refuseHeldOut(heldOut, countedAs, window);
  }
  return countedAs;
}

async function loadRun(request: BacktestRequest, strategy: StrategyDefinition, store: RunBars): Promise<PreparedRun> {
  if (request.held !== undefined) return fromHeld(request, strategy, request.held, store);
  return request.barsFile === undefined
    ? fromCatalogue(request, strategy, store)
    : fromFile(request, strategy, request.barsFile, store);
}

/** The settings of a run, from all that give some. */
export function configFor(request: BacktestRequest, strategy: StrategyDefinition, interval: number): ResolvedConfig {
  return resolveConfig({
    request: request.config,
    riskFields: request.riskFields,
    strategyRewardFactor: strategy.rewardFactor,
    saved: strategy.executionConfig,
    interval,
    // A service takes them from a preset only.
    takesPositionFields: mayTakeSides(request) || request.takesPreset === true,
    ...(mayTakeSides(request) && { venue: 'warn' as const }),
  });
}

/** Reads the whole file: bars before the window are history. */
async function fromFile(
  request: BacktestRequest,
  strategy: StrategyDefinition,
  path: string,
  store: RunBars,
): Promise<PreparedRun> {
  const intervalMs = request.interval === undefined ? undefined : parseInterval(request.interval);
  const { bars, contentHash } = await readBarsFile(path, { intervalMs });
  const heldAtMs = (await stat(path)).mtimeMs;
  return fromHeld(request, strategy, { bars, contentHash, source: path, heldAtMs }, store);
}

async function fromHeld(
  request: BacktestRequest,
  strategy: StrategyDefinition,
  given: HeldBars,
  stored: RunBars,
): Promise<PreparedRun> {
  const { bars: held, contentHash, source, heldAtMs } = given;
  const asset = request.asset ?? strategy.asset ?? 'unnamed';
  const window = cutWindow(held, resolveWindow(request.window, closeOfLast(held)), asset);
  const resolved = configFor(request, strategy, held.intervalMs);
  const columns = Object.keys(held.columns);
  const store = barsFor(stored, resolved.config);
  const sources = await findFurther(
    store,
    assetColumns(strategy, held.intervalMs),
    resolved.config.detail_interval ?? null,
    { asset, intervalMs: held.intervalMs, columns },
    request,
  );
  const plan = planStrategy(strategy, held.intervalMs, columns, [], sources.columns);
  const further = await loadFurtherSeries(store, sources, window, plan, resolved);
  return {
    asset,
    ...window,
    plan,
    ...resolved,
    ...further,
    contentHash: hashWith(contentHash, further.series),
    seriesHash: contentHash,
    columns: [],
    source,
    aggregatedFrom: null,
    heldAtMs,
    heldRange: { fromMs: held.time[0] ?? Number.NaN, toMs: closeOfLast(held) },
  };
}

async function fromCatalogue(
  request: BacktestRequest,
  strategy: StrategyDefinition,
  given: RunBars,
): Promise<PreparedRun> {
  const asset = required('asset', request.asset ?? strategy.asset);
  const intervalMs = parseInterval(required('interval', request.interval));
  const resolved = configFor(request, strategy, intervalMs);
  const store = barsFor(given, resolved.config);
  const { entry: held } = await store.resolveSource(asset, intervalMs);
  const now = await store.nowMs?.(asset, intervalMs);
  const window = resolveWindow(request.window, now ?? held.lastMs + held.intervalMs);
  const fromMs = Number.isFinite(window.startMs) ? window.startMs : undefined;
  const source = await store.resolveSource(asset, intervalMs, fromMs);
  const { entry, aggregateToMs } = source;
  const own = { asset, intervalMs, columns: entry.beside ?? [] };
  const { detail_interval: detail = null } = resolved.config;
  const sources = await findFurther(store, assetColumns(strategy, intervalMs), detail, own, request);
  const plan = planStrategy(
    { ...strategy, asset },
    intervalMs,
    entry.beside,
    generatedColumns({ added: entry.added ?? [] }),
    sources.columns,
  );
  const { columns: further = [], historyMs: furtherMs = 0 } = request.alsoReads ?? {};
  const columns = [...columnsRead(strategy), ...further, ...(resolved.config.funding ? [FUNDING_COLUMN] : [])];
  const historyMs = Math.max(neededHistoryMs(plan, resolved.config), furtherMs);
  const loaded = await loadWindow(store, source, window, historyMs, columns);
  const series = await loadFurtherSeries(store, sources, loaded, plan, resolved);
  const read = dataRead(entry, columns);
  return {
    asset,
    ...loaded,
    plan,
    ...resolved,
    ...series,
    warnings: [...(loaded.notes ?? []), ...series.warnings],
    columns: read.columns,
    contentHash: hashWith(read.contentHash, series.series),
    seriesHash: entry.contentHash,
    source: entry.isSample ? 'sample' : 'catalogue',
    aggregatedFrom: aggregateToMs === null ? null : entry.interval,
    heldAtMs: entry.origin === undefined ? undefined : Date.parse(entry.origin.importedAt),
    heldRange: { fromMs: entry.firstMs, toMs: entry.lastMs + entry.intervalMs },
  };
}

/** The further series of a run, and what to know about it beside the settings. */
async function loadFurtherSeries(
  store: RunBars,
  sources: FurtherSources,
  window: WindowBars,
  plan: StrategyPlan,
  { config, warnings }: Pick<PreparedRun, 'config' | 'warnings'>,
): Promise<Pick<PreparedRun, 'others' | 'detail' | 'series' | 'warnings'>> {
  const further = await loadFurther(store, sources, window, neededHistoryMs(plan, config));
  const { others, detail, read } = further;
  return { others, detail, series: read, warnings: [...warnings, ...further.warnings] };
}

/** The data of a run with its further series; a run that reads none keeps its hash. */
const hashWith = (contentHash: string, read: readonly SeriesRead[]): string =>
  read.length === 0 ? contentHash : sha256(canonicalJson([contentHash, read]));

function required<T>(field: string, value: T | null | undefined): T {
  if (value === null || value === undefined) throw new EngineError('MISSING_FIELD', `${field} is required`, { field });
  return value;
}
