import { barsFor, type StoredBars } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { EngineError, isRecord } from '../../engine/errors.js';
import { formatInterval } from '../../engine/series/index.js';
import type { RunBars } from '../../research/index.js';
import { ApiError, notFound } from '../api-error.js';
import { isPresent } from '../backtests/settings.js';
import type { Caller } from '../caller.js';
import { invalidField, textWithin } from '../signals/records.js';
import { presetDataset } from './presets.js';
import type { SimulationDeps } from './store.js';
import { readTimeframe, type SyntheticModel, syntheticBars } from './synthetic-dataset.js';

type Json = Readonly<Record<string, unknown>>;

/** What a simulation runs on. */
export interface SimulatedDataset {
  readonly file: string;
  /** The asset under which its bars are stored. */
  readonly asset: string;
  /** The timeframe of the run. */
  readonly timeframe: string;
  readonly bars: RunBars;
  readonly isSynthetic: boolean;
}

const NAME_CHARACTERS_MAX = 200;

/** How a request names its dataset: by one text, or by asset and timeframe. */
interface DatasetName {
  readonly name: string | null;
  /** The hash that the caller expects. */
  readonly hash: string | null;
  readonly asset: unknown;
  readonly timeframe: unknown;
}

/**
 * @param strategy gives asset and timeframe where the request does not
 * @returns null if the request names no dataset
 */
export function readDatasetName(request: Json, strategy: Json): DatasetName | null {
  const { dataset } = request;
  if (isPresent(request, 'dataset') && typeof dataset !== 'string' && !isRecord(dataset)) {
    throw invalidField('dataset', 'a name or a dataset object', dataset);
  }
  const object = isRecord(dataset) ? dataset : {};
  const named = [
    ['dataset_file', request.dataset_file],
    ['dataset_id', request.dataset_id],
    ['dataset', isRecord(dataset) ? object.file : dataset],
  ] as const;
  const [field, text] = named.find(([, value]) => value !== undefined && value !== null) ?? [];
  if (field !== undefined) {
    const hash = isPresent(object, 'hash') ? textWithin('hash', object.hash, NAME_CHARACTERS_MAX) : null;
    const name = textWithin(field, text, NAME_CHARACTERS_MAX);
    return { name, hash, asset: null, timeframe: request.timeframe ?? null };
  }
  const asset = object.asset ?? request.asset ?? strategy.asset ?? null;
  const timeframe = object.timeframe ?? request.timeframe ?? strategy.timeframe ?? null;
  return asset === null || timeframe === null ? null : { name: null, hash: null, asset, timeframe };
}

/**
 * @throws RESOURCE_NOT_FOUND; VALIDATION_ERROR for a timeframe that is not a multiple of the
 *   dataset's
 */
export async function findDataset(
  caller: Caller,
  wanted: DatasetName,
  settings: Json,
  deps: SimulationDeps,
): Promise<SimulatedDataset> {
  const { market } = deps.backtests;
  if (wanted.name === null) return marketDataset(wanted, barsFor(market, settings));
  const { name, hash } = wanted;
  const namedHash = ({ contentHash }: StoredBars) => `sha256:${contentHash}`;
  const held = (await deps.bars.list()).find((entry) => entry.file === name || namedHash(entry) === name);
  if (held !== undefined && (hash === null || hash === namedHash(held))) {
    return { ...heldDataset(held, readRunMs(wanted, held.intervalMs), market), isSynthetic: false };
  }
  const model = presetDataset(name) ?? ((await deps.store.findDataset(caller.orgId, name)) as SyntheticModel | null);
  if (held !== undefined || model === null || model === undefined) throw notFound('dataset', name);
  const runMs = readRunMs(wanted, readTimeframe(model.timeframe));
  return {
    file: name,
    asset: model.asset,
    timeframe: formatInterval(runMs),
    bars: syntheticBars(model),
    isSynthetic: true,
  };
}

/** Bar length of the run in ms: the dataset's, or the longer one that the request asks for. */
function readRunMs({ name, timeframe }: DatasetName, intervalMs: number): number {
  const runMs = timeframe === null ? intervalMs : readTimeframe(timeframe);
  if (runMs % intervalMs === 0) return runMs;
  const message = `timeframe must be a multiple of ${formatInterval(intervalMs)}, the timeframe of ${name}, was ${formatInterval(runMs)}`;
  throw new ApiError('VALIDATION_ERROR', message, { field: 'timeframe' });
}

async function marketDataset({ asset, timeframe }: DatasetName, market: MarketData): Promise<SimulatedDataset> {
  const runMs = readTimeframe(timeframe);
  try {
    const { entry } = await market.resolveSource(asset as string, runMs);
    return { ...heldDataset(entry, runMs, market), isSynthetic: false };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'NOT_FOUND') throw error;
    throw new ApiError('RESOURCE_NOT_FOUND', error.message, error.details);
  }
}

/** One stored series, even if the asset has finer or coarser series too. */
function heldDataset(entry: StoredBars, runMs: number, market: MarketData) {
  const bars: RunBars = {
    resolveSource: async (_asset, wantedMs) => ({
      entry,
      aggregateToMs: wantedMs === entry.intervalMs ? null : wantedMs,
    }),
    load: (query) => market.load(query),
    coarse: (query, coarseMs) => market.coarse(query, coarseMs),
  };
  return { file: entry.file, asset: entry.asset, timeframe: formatInterval(runMs), bars };
}
