import { stat } from 'node:fs/promises';
import { generatedOf, joinedOf, normaliseAsset, readBarsFile } from '../../data/bars/index.js';
import type { StoredColumn } from '../../data/columns/index.js';
import { sha256 } from '../../data/hashes/index.js';
import {
  type BarSeries,
  canonicalJson,
  closeOfLast,
  columnsRead,
  DAY_MS,
  EngineError,
  type ExecutionConfig,
  FUNDING_COLUMN,
  type HeldOutDays,
  historyMs,
  type OwnSignal,
  parseInterval,
  parseStrategy,
  planStrategy,
  refuseHeldOut,
  resolveConfig,
  type StrategyDefinition,
  type StrategyPlan,
  wrongField,
} from '../../engine/index.js';
import { resolveWindow, type WindowRequest } from '../window.js';
import {
  cutWindow,
  type HeldRange,
  loadWindow,
  type RunBars,
  type RunSeries,
  type WindowBars,
} from '../window-bars.js';

export interface BacktestRequest {
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
}

/** A whole series in memory; the bars before the window are history. */
interface HeldBars {
  readonly bars: BarSeries;
  readonly contentHash: string;
  /** What the record of a run calls it. */
  readonly source: string;
  /** When the bars were stored, epoch ms, if that is known. */
  readonly heldAtMs?: number | undefined;
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

/** An added column that a run read. */
export interface ColumnRead {
  readonly column: string;
  readonly content_hash: string;
  /** Periods whose first published value was used although the source gave another one later. */
  readonly revisions: number;
}

/** Everything a simulation needs, with defaults filled in and bars loaded. */
export interface PreparedRun extends WindowBars {
  readonly asset: string;
  readonly plan: StrategyPlan;
  readonly config: ExecutionConfig;
  readonly warnings: readonly string[];
  /** Hash of the whole stored series, with the added columns that the rules read. */
  readonly contentHash: string;
  /** Hash of the stored series alone. */
  readonly seriesHash: string;
  /** The added columns that the rules read. */
  readonly columns: readonly ColumnRead[];
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
export const strategyOf = ({ strategy, own, isAccepted = false }: BacktestRequest): StrategyDefinition =>
  parseStrategy(strategy, 'relaxed', {
    own: own?.signals ?? [],
    ...(isAccepted ? { onUnknownKeys: () => {} } : {}),
  });

interface PrepareServices {
  readonly store: RunBars;
  readonly heldOut?: HeldOutDays | undefined;
}

/**
 * Resolves asset, bars, window, plan and configuration.
 * @throws EngineError INVALID_FIELD for a window that touches held-out days, wherever its bars are
 */
export async function prepareRun(
  request: BacktestRequest,
  strategy: StrategyDefinition,
  { store, heldOut }: PrepareServices,
): Promise<PreparedRun> {
  const run = await loadRun(request, strategy, store);
  const { asset, bars, first } = run;
  const window = { startMs: bars.time[first] ?? Number.NaN, endMs: closeOfLast(bars) };
  if (heldOut !== undefined) await refuseHeldOut(heldOut, normaliseAsset(asset), window);
  return run;
}

async function loadRun(request: BacktestRequest, strategy: StrategyDefinition, store: RunBars): Promise<PreparedRun> {
  if (request.held !== undefined) return fromHeld(request, strategy, request.held);
  return request.barsFile === undefined
    ? fromCatalogue(request, strategy, store)
    : fromFile(request, strategy, request.barsFile);
}

function configFor(request: BacktestRequest, strategy: StrategyDefinition, interval: number) {
  const resolved = resolveConfig({
    request: request.config,
    riskFields: request.riskFields,
    strategyRewardFactor: strategy.rewardFactor,
    saved: strategy.executionConfig,
    interval,
    takesPositionFields: request.takesSides ?? request.isAccepted !== true, // a service does not take them
  });
  const { detail_interval } = resolved.config;
  if (detail_interval === undefined) return resolved;
  // Without its finer bars every exit would be unresolved, and the setting would do nothing.
  const bound = 'null: a backtest reads no finer bars, barline simulate takes them';
  throw wrongField('detail_interval', bound, detail_interval);
}

/** Reads the whole file: bars before the window are history. */
async function fromFile(request: BacktestRequest, strategy: StrategyDefinition, path: string): Promise<PreparedRun> {
  const intervalMs = request.interval === undefined ? undefined : parseInterval(request.interval);
  const { bars, contentHash } = await readBarsFile(path, { intervalMs });
  return fromHeld(request, strategy, { bars, contentHash, source: path, heldAtMs: (await stat(path)).mtimeMs });
}

function fromHeld(request: BacktestRequest, strategy: StrategyDefinition, series: HeldBars): PreparedRun {
  const { bars: held, contentHash, source, heldAtMs } = series;
  const asset = request.asset ?? strategy.asset ?? 'unnamed';
  return {
    asset,
    ...cutWindow(held, resolveWindow(request.window, closeOfLast(held)), asset),
    plan: planStrategy(strategy, held.intervalMs, Object.keys(held.columns)),
    ...configFor(request, strategy, held.intervalMs),
    contentHash,
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
  store: RunBars,
): Promise<PreparedRun> {
  const asset = required('asset', request.asset ?? strategy.asset);
  const intervalMs = parseInterval(required('interval', request.interval));
  const { entry: held } = await store.resolveSource(asset, intervalMs);
  const now = await store.nowMs?.(asset, intervalMs);
  const window = resolveWindow(request.window, now ?? held.lastMs + held.intervalMs);
  const fromMs = Number.isFinite(window.startMs) ? window.startMs : undefined;
  const source = await store.resolveSource(asset, intervalMs, fromMs);
  const { entry, aggregateToMs } = source;
  const plan = planStrategy(
    { ...strategy, asset },
    intervalMs,
    entry.beside,
    generatedOf({ added: entry.added ?? [] }),
  );
  const resolved = configFor(request, strategy, intervalMs);
  const columns = [...columnsRead(strategy), ...(resolved.config.funding ? [FUNDING_COLUMN] : [])];
  return {
    asset,
    ...(await loadWindow(store, source, window, neededHistoryMs(plan, resolved.config), columns)),
    plan,
    ...resolved,
    ...dataRead(entry, columns),
    seriesHash: entry.contentHash,
    source: entry.isSample ? 'sample' : 'catalogue',
    aggregatedFrom: aggregateToMs === null ? null : entry.interval,
    heldAtMs: entry.origin === undefined ? undefined : Date.parse(entry.origin.importedAt),
    heldRange: { fromMs: entry.firstMs, toMs: entry.lastMs + entry.intervalMs },
  };
}

/**
 * What the run reads: the stored series, those added columns that a rule names, and the funding of
 * a perpetual. Columns that nothing reads do not change the identity of a run.
 */
function dataRead({ contentHash, added = [] }: RunSeries, names: readonly string[]) {
  const columns = joinedOf({ added }, names).map(columnRead);
  const hashes = columns.map(({ column, content_hash }) => [column, content_hash]);
  return { columns, contentHash: columns.length === 0 ? contentHash : sha256(canonicalJson([contentHash, hashes])) };
}

const columnRead = ({ column, contentHash, revisions }: StoredColumn): ColumnRead => ({
  column,
  content_hash: contentHash,
  revisions,
});

function required<T>(field: string, value: T | null | undefined): T {
  if (value === null || value === undefined) throw new EngineError('MISSING_FIELD', `${field} is required`, { field });
  return value;
}

/** Periods, in days, after which Wilder's smoothing has forgotten its seed: e^-10 of it is left. */
const ATR_SETTLING_PERIODS = 10;

/**
 * History that a run needs: the longest warm-up among the rules, the volatility window and the
 * daily ATR.
 */
export function neededHistoryMs(plan: StrategyPlan, config: ExecutionConfig): number {
  return Math.max(
    historyMs(plan),
    (config.volatility_window + 1) * plan.intervalMs,
    (ATR_SETTLING_PERIODS * config.atr_period + 1) * Math.max(DAY_MS, plan.intervalMs),
  );
}
