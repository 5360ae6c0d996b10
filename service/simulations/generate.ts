import { normaliseAsset } from '../../data/bars/index.js';
import { ApiError, notFound, refuseMissing } from '../api-error.js';
import { isPresent } from '../backtests/settings.js';
import type { Caller } from '../caller.js';
import { textWithin, wholeNumber, wholeNumberWithin } from '../signals/fields.js';
import { CANDIDATE_MODEL, type Candidate, candidatesFor } from './candidates.js';
import { remember } from './history.js';
import { presetModel } from './presets.js';
import type { SimulationDeps } from './services.js';
import {
  readModel,
  readTimeframe,
  SERIES_MODEL,
  type SyntheticModel,
  syntheticExtent,
  syntheticFile,
} from './synthetic-dataset.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Fields that only a dataset request has. `description` is not among them: presets carry one too.
 */
const datasetFields = [
  ...['id', 'asset_name', 'duration_days', 'n_agents', 'initial_price', 'market_condition', 'volatility'],
];
const promptFields = ['prompt', 'intent'];

const SEED = 42;
const PROMPT_CHARACTERS_MAX = 2_000;
const [CANDIDATES_MIN, CANDIDATES, CANDIDATES_MAX] = [5, 7, 10];

const standard: Omit<SyntheticModel, 'asset'> = {
  timeframe: '1h',
  duration_days: 30,
  n_agents: 100,
  initial_price: 100,
  market_condition: 'neutral',
  volatility: 0.6,
  seed: SEED,
};

/**
 * Generates what the body asks for: a synthetic dataset from a preset or parameters, or candidate
 * strategies from a description in words.
 * @throws MISSING_FIELD for neither; VALIDATION_ERROR; RESOURCE_NOT_FOUND for the preset
 */
export function generateSimulation(caller: Caller, request: Json, deps: SimulationDeps) {
  const dataset = datasetFields.find((field) => isPresent(request, field));
  const prompt = promptFields.find((field) => isPresent(request, field));
  if (dataset !== undefined && prompt !== undefined) {
    const message = `give either ${prompt}, for strategies, or ${dataset}, for a synthetic dataset, not both`;
    throw new ApiError('VALIDATION_ERROR', message, { fields: [prompt, dataset] });
  }
  if (dataset !== undefined) return generateDataset(caller, request, deps);
  const text = request.prompt ?? request.intent ?? request.description;
  if (text === undefined || text === null)
    refuseMissing(['prompt (for strategies) or asset_name (for a synthetic dataset)']);
  return generateCandidates(caller, request, textWithin(prompt ?? 'description', text, PROMPT_CHARACTERS_MAX), deps);
}

async function generateCandidates(caller: Caller, request: Json, prompt: string, deps: SimulationDeps) {
  const { asset = 'BTC', timeframe = '1h' } = request;
  normaliseAsset(asset); // throws for an unknown asset
  readTimeframe(timeframe);
  const count = Math.min(Math.max(wholeNumber('n', request.n, CANDIDATES), CANDIDATES_MIN), CANDIDATES_MAX);
  const seed = wholeNumberWithin('seed', request.seed, SEED, 0, Number.MAX_SAFE_INTEGER);
  const spelled = { asset: asset as string, timeframe: timeframe as string };
  const { keywords, candidates } = candidatesFor({ prompt, ...spelled, count, seed });
  const [first]: readonly Candidate[] = candidates;
  const line = { ...spelled, strategy_name: first?.name ?? null, dataset_file: null };
  await rememberGenerated(caller, line, deps);
  return { seed, keywords, candidates, strategy_config: first, model_version: CANDIDATE_MODEL };
}

async function generateDataset(caller: Caller, request: Json, deps: SimulationDeps) {
  const hasPreset = isPresent(request, 'id');
  const preset = hasPreset ? presetModel(request.id) : undefined;
  if (hasPreset && preset === undefined) throw notFound('preset', String(request.id));
  const asset_name = request.asset_name ?? request.asset ?? preset?.asset;
  if (asset_name === undefined || asset_name === null) refuseMissing(['asset_name']);
  const model = readModel({ ...request, asset_name }, preset ?? standard);
  const file = syntheticFile(model);
  await deps.store.keepDataset(caller.orgId, file, model, deps.backtests.nowMs());
  const { asset, timeframe, seed } = model;
  await rememberGenerated(caller, { asset, timeframe, strategy_name: null, dataset_file: file }, deps);
  return {
    filename: file,
    dataset_file: file,
    asset_name: String(asset_name),
    asset,
    timeframe,
    ...syntheticExtent(model),
    seed,
    is_synthetic: true,
    model_version: SERIES_MODEL,
  };
}

const rememberGenerated = (
  caller: Caller,
  line: Pick<Parameters<typeof remember>[1], 'asset' | 'timeframe' | 'strategy_name' | 'dataset_file'>,
  deps: SimulationDeps,
) => remember(caller, { ...line, kind: 'generate', trade_count: null, metrics: null, error: null }, deps);
