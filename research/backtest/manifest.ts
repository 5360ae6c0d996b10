import { sha256 } from '../../data/hashes/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import type { ExecutionConfig } from '../../engine/execution/index.js';
import type { ColumnRead } from './data-read.js';
import type { SeriesRead } from './further-series.js';
import { type BacktestRequest, ignoresSides, type PreparedRun } from './prepare-run.js';

/** Everything needed to run a backtest again and to tell whether the result is the same. */
export interface Manifest {
  /**
   * Derived from data, window, strategy and configuration: the same run has the same id everywhere.
   */
  readonly run_id: string;
  readonly engine_version: string;
  readonly data: {
    readonly asset: string;
    readonly interval: string;
    /** `catalogue`, `sample`, or the path of a file of bars. */
    readonly source: string;
    readonly aggregated_from: string | null;
    /** Hash of the whole stored series, with the added columns that the rules read. */
    readonly content_hash: string;
    /** Those columns; absent if the rules read none. */
    readonly columns?: readonly ColumnRead[];
    /** Bars of other assets and finer bars that the run reads; absent if it reads none. */
    readonly series?: readonly SeriesRead[];
  };
  /** Open of the first tradable bar, close of the last. */
  readonly window: { readonly start: string; readonly end: string };
  /** As requested; a replay fills in the defaults again. */
  readonly request: {
    readonly strategy: unknown;
    readonly config: unknown;
    readonly risk_fields?: unknown;
    /**
     * False where the run was of a service that ignored keys of sides in the rules, such as
     * `negate`; absent where the rules have none.
     */
    readonly takes_sides?: false;
    /** Signals in code that the rules may name; absent in a run without them. */
    readonly signals?: { readonly from: string; readonly hash: string };
  };
  readonly execution_config: ExecutionConfig;
  readonly config_hash: string;
  /** Always null: a backtest uses no randomness. */
  readonly seed: null;
  readonly warnings: readonly string[];
  /** Hash over equity, trades, denials and metrics. */
  readonly result_hash: string;
}

export const hashConfig = (config: ExecutionConfig): string => sha256(canonicalJson(config));

export function makeRunId({
  data,
  window,
  request,
  config_hash,
}: Pick<Manifest, 'data' | 'window' | 'config_hash'> & {
  readonly request: Pick<Manifest['request'], 'strategy' | 'signals'>;
}): string {
  const code = request.signals === undefined ? [] : [request.signals.hash];
  const identity = [data.content_hash, data.asset, data.interval, window, request.strategy, config_hash, ...code];
  return `bt_${sha256(canonicalJson(identity)).slice(0, 16)}`;
}

export function buildManifest(
  request: BacktestRequest,
  run: PreparedRun,
  place: Pick<Manifest, 'window'> & {
    interval: string;
    engineVersion: string;
    resultHash: string;
    warnings: readonly string[];
  },
): Manifest {
  const { asset, config, contentHash, columns, series, source, aggregatedFrom } = run;
  const { interval, window, engineVersion, resultHash, warnings } = place;
  const data = {
    asset,
    interval,
    source,
    aggregated_from: aggregatedFrom,
    content_hash: contentHash,
    ...(columns.length === 0 ? {} : { columns }),
    ...(series.length === 0 ? {} : { series }),
  };
  const config_hash = hashConfig(config);
  const { own } = request;
  const signals = own === undefined ? {} : { signals: { from: own.from, hash: own.hash } };
  return {
    run_id: makeRunId({ data, window, request: { strategy: request.strategy, ...signals }, config_hash }),
    engine_version: engineVersion,
    data,
    window,
    request: {
      strategy: request.strategy,
      config: request.config ?? {},
      ...(request.riskFields === undefined ? {} : { risk_fields: request.riskFields }),
      ...(ignoresSides(request) && { takes_sides: false as const }),
      ...signals,
    },
    execution_config: config,
    config_hash,
    seed: null,
    warnings,
    result_hash: resultHash,
  };
}
