import { writePage } from '../../data/pages/index.js';
import type { OwnSignal } from '../../engine/signals/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import { renderTearSheet, type TearSheet } from '../../report/index.js';
import {
  type AuditReport,
  auditBacktest,
  type BacktestRequest,
  type BacktestResult,
  buildTearSheet,
  runBacktest as conduct,
} from '../../research/backtest/index.js';
import type { Bars } from '../bars/columns-in.js';
import { type AuditOptions, CUTS, checkWhole, SEED } from '../bounds.js';
import { countTry, type HomeOptions, homeServices } from '../home.js';
import { completeStrategy, type ExecutionSettings, type Strategy, toOwnSignals } from '../strategy.js';

export interface BacktestOptions extends HomeOptions {
  readonly strategy: Strategy;
  /**
   * Bars to run over. Those before `start` are history, from which the rules warm up. Default: the
   * held bars of `asset` and `interval`, with all the history that the rules need.
   */
  readonly bars?: Bars;
  /** Bars of the assets that rules name (`asset`), by that name. Default: the held ones. */
  readonly otherBars?: Readonly<Record<string, Bars>>;
  /** Bars of the interval of `detail_interval`. Default: the held ones of the asset. */
  readonly detailBars?: Bars;
  /** Default: the asset of the bars or of the strategy. */
  readonly asset?: string;
  /** Such as `1h`; required without `bars`. */
  readonly interval?: string;
  /** First day or time to trade (UTC). Default: the first bar. */
  readonly start?: string;
  /** Last day, included, or time. Default: the last bar. */
  readonly end?: string;
  /** Start this many months before the end. */
  readonly lookbackMonths?: number;
  /** Overrides the settings of the strategy. */
  readonly config?: ExecutionSettings;
  /** Signals of your own that the rules may name. */
  readonly signals?: readonly OwnSignal[];
}

/** A finished backtest. */
export interface Backtest {
  /** Everything that `barline backtest --json` prints, but the equity curve. */
  readonly result: BacktestResult;
  /** `result.metrics`: fractions where not named otherwise; null where a metric is not defined. */
  readonly metrics: BacktestResult['metrics'];
  /** `result.trades`, in the order of their exits. */
  readonly trades: BacktestResult['trades'];
  /** Account value at the close of each tradable bar. */
  readonly equity: Float64Array;
  /** Open time of each tradable bar, epoch ms. */
  readonly time: Float64Array;
  /** The data of the tear sheet, for `barline/report`. */
  sheet(): TearSheet;
  /** The tear sheet as one HTML page without references to other files. */
  tearSheet(): string;
  /** Writes the tear sheet; the file appears whole. @throws EngineError if it cannot be written */
  saveTearSheet(path: string): Promise<void>;
  /**
   * Looks for rules and trades that depend on bars they must not depend on: cuts the data off at
   * random places, and shortens the history. Costs about cuts / 2 runs.
   */
  audit(options?: AuditOptions): Promise<AuditReport>;
}

const OPTIONS = [
  ...(['strategy', 'bars', 'asset', 'interval', 'start', 'end', 'lookbackMonths', 'config', 'signals'] as const),
  ...(['otherBars', 'detailBars', 'home'] as const),
] satisfies readonly (keyof BacktestOptions)[];

/**
 * Runs one backtest. It computes in this thread: a run over 100,000 bars takes some milliseconds.
 * A run with trades counts in the ledger of tries, by which later ones are judged.
 *
 * @throws EngineError with a message that names field, bound and value, for anything that the
 *   caller can fix
 */
export async function runBacktest(options: BacktestOptions): Promise<Backtest> {
  refuseUnknownKeys(unknownKeys('runBacktest', options, OPTIONS));
  const services = homeServices(options);
  const request = toRequest(options);
  const run = await conduct(request, services);
  const { result, bars, first, simulation, tried } = run;
  if (tried !== null) countTry(options, [tried.asset], tried.identity);
  const tearSheet = () => renderTearSheet(buildTearSheet(run));
  return {
    result,
    metrics: result.metrics,
    trades: result.trades,
    equity: simulation.equity,
    time: bars.time.subarray(first),
    sheet: () => buildTearSheet(run),
    tearSheet,
    saveTearSheet: (path) => writePage(path, tearSheet()),
    audit: async ({ cuts = CUTS, seed = SEED } = {}) => {
      checkWhole({ cuts, seed });
      return auditBacktest(request, { cutCount: cuts, seed }, services);
    },
  };
}

function toRequest(options: BacktestOptions): BacktestRequest {
  const { strategy, bars, asset = bars?.asset, interval, start, end, lookbackMonths, config, signals } = options;
  const { otherBars, detailBars } = options;
  return {
    strategy: completeStrategy(strategy),
    asset,
    interval,
    window: { start, end, lookbackMonths },
    config: config ?? {},
    held: bars && barsAtHand(bars),
    otherBars: otherBars && Object.fromEntries(Object.entries(otherBars).map(([name, one]) => [name, barsAtHand(one)])),
    detailBars: detailBars && barsAtHand(detailBars),
    own: toOwnSignals(signals),
  };
}

const barsAtHand = (bars: Bars) => ({ bars, contentHash: bars.contentHash, source: bars.source });
