import { normaliseAsset } from '../../data/bars/index.js';
import { ApiError, asApiError, refuseMissing } from '../api-error.js';
import { type Executed, execute, failureMessage } from '../backtests/execute.js';
import { orderOf, readWindow } from '../backtests/request.js';
import { asObject } from '../backtests/settings.js';
import { definitionOf } from '../backtests/strategy-json.js';
import type { Caller } from '../caller.js';
import { findDataset, readDatasetName, type SimulatedDataset } from './dataset.js';
import { remember } from './history.js';
import type { SimulationDeps } from './services.js';

type Json = Readonly<Record<string, unknown>>;

/** Bars of an answer; it holds all that were traded on. */
const BARS_MAX = 200_000;

/**
 * One strategy over one dataset, computed while the caller waits, in the synchronous slot. Nothing of it is kept but a line of the
 * caller's history. When the engine fails, the answer says so; what a caller can mend is refused before.
 *
 * @throws MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND for the dataset; ENGINE_BUSY
 */
export async function runSimulation(caller: Caller, request: Json, deps: SimulationDeps, signal?: AbortSignal) {
  const field =
    request.strategy_config === undefined || request.strategy_config === null ? 'strategy' : 'strategy_config';
  const given = request[field];
  const json = asObject(field, given);
  const wanted = readDatasetName(request, json);
  const missing = given === undefined || given === null ? ['strategy_config'] : [];
  if (wanted === null) missing.unshift('dataset_file (or dataset_id, dataset, or asset and timeframe)');
  refuseMissing(missing);
  const { interval: _, ...definition } = definitionOf(json);
  const window = readWindow({ start_date: request.start_date, end_date: request.end_date });
  const dataset = await findDataset(caller, wanted!, deps);
  const { asset, warnings } = labelOf(dataset, request.asset ?? definition.asset);
  const around = { asset, interval: dataset.timeframe, execution_config: request.execution_config };
  const order = orderOf(around, definition, null, window, 'strategy');
  const { name, entry, exit, reward_factor, execution_config } = order.request.strategy as Json;
  const strategy = { name, asset, timeframe: dataset.timeframe, entry, exit: exit ?? [] };
  const { backtests } = deps;
  const outcome = await backtests.slot.run(() => attempt(), signal);

  /** The run, or what the engine says it failed of. */
  async function attempt(): Promise<Executed | string> {
    let isComputing = false;
    try {
      return await execute(order.request, [...order.warnings, ...warnings], backtests, {
        signal,
        source: dataset,
        admit: async ({ bars, first }) => {
          const barCount = bars.barCount - first;
          if (barCount > BARS_MAX) {
            const message = `a simulation answers with at most ${BARS_MAX} bars, the window has ${barCount}: give a later start_date`;
            throw new ApiError('VALIDATION_ERROR', message, { field: 'start_date' });
          }
          isComputing = true;
        },
      });
    } catch (error) {
      if (!isComputing || signal?.aborted === true || asApiError(error)?.code === 'ENGINE_BUSY') throw error;
      return failureMessage(error, backtests);
    }
  }

  const isFailed = typeof outcome === 'string';
  const { metrics, trades, deniedSignals } = isFailed
    ? { metrics: null, trades: [], deniedSignals: [] }
    : outcome.outcome;
  const simulation_id = await remember(
    caller,
    {
      kind: 'run',
      strategy_name: order.strategyName,
      asset,
      timeframe: dataset.timeframe,
      dataset_file: dataset.file,
      trade_count: isFailed ? null : trades.length,
      metrics,
      error: isFailed ? outcome : null,
    },
    deps,
  );
  return {
    success: !isFailed,
    simulation_id,
    dataset_file: dataset.file,
    is_synthetic: dataset.isSynthetic,
    strategy_config: isFailed
      ? { ...strategy, reward_factor, execution_config }
      : { ...strategy, ...settingsOf(outcome) },
    trades,
    ohlcv: isFailed ? [] : ohlcvOf(outcome),
    metrics: metrics ?? {},
    denied_signals: deniedSignals,
    warnings: isFailed ? warnings : outcome.outcome.warnings,
    error: isFailed ? outcome : null,
  };
}

/** The asset as trades name it: in the caller's spelling, unless the dataset is of another one. */
function labelOf({ asset, file }: SimulatedDataset, spelled: unknown): { asset: string; warnings: string[] } {
  if (spelled === undefined || spelled === null) return { asset, warnings: [] };
  const said = normaliseAsset(spelled);
  if (said === asset) return { asset: spelled as string, warnings: [] };
  return { asset, warnings: [`the strategy is for ${said}, and ran on ${asset}, which ${file} holds`] };
}

/** What the run was given and what was filled in. */
function settingsOf({ run }: Executed) {
  const { execution_config } = run.result;
  return { reward_factor: execution_config.reward_factor, execution_config };
}

function ohlcvOf({ run: { bars, first } }: Executed) {
  return Array.from({ length: bars.barCount - first }, (_, k) => {
    const i = first + k;
    return {
      time: Math.floor(bars.time[i]! / 1000),
      open: bars.open[i]!,
      high: bars.high[i]!,
      low: bars.low[i]!,
      close: bars.close[i]!,
      volume: bars.volume[i]!,
    };
  });
}
