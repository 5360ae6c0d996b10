import { normaliseAsset } from '../../data/bars/index.js';
import type { BacktestWork } from '../../engine/backtest/index.js';
import { barAt } from '../../engine/series/index.js';
import type { BacktestRequest } from '../../research/backtest/index.js';
import { ApiError, isPassing, refuseMissing } from '../api-error.js';
import { type BacktestDeps, type Executed, execute, failureMessage } from '../backtests/execute.js';
import { makeOrder, readWindow } from '../backtests/request.js';
import { asObject, isPresent } from '../backtests/settings.js';
import { readDefinition } from '../backtests/strategy-json.js';
import type { Caller } from '../caller.js';
import type { Capability, Foundation } from '../capability.js';
import { Pace } from '../pace.js';
import { findDataset, readDatasetName, type SimulatedDataset } from './dataset.js';
import { generateSimulation } from './generate.js';
import { listPresets } from './presets.js';
import { listSimulations, remember, type SimulationDeps, SimulationStore } from './store.js';

export function openSimulations({ state, bars }: Foundation, backtests: BacktestDeps): Capability<'Simulations'> {
  const deps: SimulationDeps = { backtests, bars, store: new SimulationStore(state.db) };
  return {
    methods: {
      'Simulations.Run': (request, { caller, signal }) => runSimulation(caller, request, deps, signal),
      'Simulations.Generate': (request, { caller }) => generateSimulation(caller, request, deps),
      'Simulations.ListPresets': async () => ({ presets: listPresets() }),
      'Simulations.History': (request, { caller }) => listSimulations(caller, request, deps),
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

/** Most bars of an answer, which holds every bar traded on. */
const BARS_MAX = 200_000;

/**
 * Runs one strategy over one dataset while the caller waits, in the synchronous slot. Only a line
 * of the caller's history is kept. If the engine fails while it computes, the answer says so;
 * errors that the caller can correct are thrown before.
 * @throws MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND for the dataset; ENGINE_BUSY
 */
export async function runSimulation(caller: Caller, request: Json, deps: SimulationDeps, signal?: AbortSignal) {
  const { dataset, order, warnings } = await readSimulation(caller, request, deps);
  const { backtests } = deps;
  const ended = await backtests.slot.run(
    () => attempt(order.request, warnings, dataset, caller.orgId, backtests, signal),
    signal,
  );
  const { asset, strategyName: strategy_name } = order;
  const { file: dataset_file, timeframe, isSynthetic: is_synthetic } = dataset;
  const line = { kind: 'run', strategy_name, asset, timeframe, dataset_file } as const;
  const {
    name,
    entry = [],
    exit = [],
    short_entry,
    short_exit,
    reward_factor,
    execution_config,
  } = order.request.strategy as Json;
  const strategy = { name, asset, timeframe, entry, exit, short_entry, short_exit };
  if ('error' in ended) {
    const { error } = ended;
    const simulation_id = await remember(caller, { ...line, trade_count: null, metrics: null, error }, deps);
    return {
      success: false,
      simulation_id,
      dataset_file,
      is_synthetic,
      strategy_config: { ...strategy, reward_factor, execution_config },
      trades: [],
      ohlcv: [],
      metrics: {},
      denied_signals: [],
      warnings,
      error,
    };
  }
  const { metrics, trades, deniedSignals, warnings: all } = ended.outcome;
  const simulation_id = await remember(caller, { ...line, trade_count: trades.length, metrics, error: null }, deps);
  return {
    success: true,
    simulation_id,
    dataset_file,
    is_synthetic,
    strategy_config: { ...strategy, ...runSettings(ended) },
    trades,
    ohlcv: await ohlcvRows(ended),
    metrics,
    denied_signals: deniedSignals,
    warnings: all,
    error: null,
  };
}

const SETTINGS = 'execution_config';

/** Reads a request; names all missing fields at once. */
async function readSimulation(caller: Caller, request: Json, deps: SimulationDeps) {
  const field = isPresent(request, 'strategy_config') ? 'strategy_config' : 'strategy';
  const json = asObject(field, request[field]);
  const wanted = readDatasetName(request, json);
  const named = wanted === null ? ['dataset_file (or dataset_id, dataset, or asset and timeframe)'] : [];
  refuseMissing(isPresent(request, field) ? named : [...named, 'strategy_config']);
  const unread: string[] = [];
  const { interval: _, ...definition } = readDefinition(json, unread, ['timeframe']);
  const window = readWindow({ start_date: request.start_date, end_date: request.end_date });
  const own = asObject(SETTINGS, json[SETTINGS]);
  // biome-ignore lint/style/noNonNullAssertion: refuseMissing throws where it is null
  const dataset = await findDataset(caller, wanted!, { ...own, ...asObject(SETTINGS, request[SETTINGS]) }, deps);
  const { asset, warnings } = labelAsset(dataset, request.asset ?? definition.asset);
  const around = { asset, interval: dataset.timeframe, execution_config: request.execution_config };
  const order = makeOrder(around, definition, null, window, 'strategy');
  return { dataset, warnings: [...unread, ...order.warnings, ...warnings], order };
}

/** The run, or the error of a failed computation. Refusals before the computation are thrown. */
async function attempt(
  request: BacktestRequest,
  warnings: readonly string[],
  source: SimulatedDataset,
  orgId: string,
  deps: BacktestDeps,
  signal?: AbortSignal,
): Promise<Executed | { readonly error: string }> {
  let isComputing = false;
  const admit = async ({ bars, first }: BacktestWork) => {
    const barCount = bars.barCount - first;
    if (barCount > BARS_MAX) {
      const message = `a simulation may have at most ${BARS_MAX} bars, the window has ${barCount}: give a later start_date`;
      throw new ApiError('VALIDATION_ERROR', message, { field: 'start_date' });
    }
    isComputing = true;
  };
  try {
    return await execute(request, warnings, deps, { orgId, signal, source, admit });
  } catch (error) {
    if (!isComputing || signal?.aborted === true || isPassing(error)) throw error;
    return { error: failureMessage(error, deps) };
  }
}

/**
 * The asset as trades name it: in the caller's spelling, unless the dataset holds another asset.
 */
function labelAsset({ asset, file }: SimulatedDataset, spelled: unknown): { asset: string; warnings: string[] } {
  if (spelled === undefined || spelled === null) return { asset, warnings: [] };
  const said = normaliseAsset(spelled);
  if (said === asset) return { asset: spelled as string, warnings: [] };
  return { asset, warnings: [`the strategy is for ${said} but ran on ${asset}, the asset of ${file}`] };
}

/** The settings of the run, given or filled in. */
function runSettings({ run }: Executed) {
  const { execution_config } = run.result;
  return { reward_factor: execution_config.reward_factor, execution_config };
}

async function ohlcvRows({ run: { bars, first } }: Executed) {
  const pace = new Pace();
  const ohlcv: ReturnType<typeof barAt>[] = [];
  for (let i = first; i < bars.barCount; i++) {
    const bar = barAt(bars, i);
    ohlcv.push({ ...bar, time: Math.floor(bar.time / 1000) });
    if (pace.isDue) await pace.rest();
  }
  return ohlcv;
}
