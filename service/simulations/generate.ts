import { normaliseAsset } from '../../data/bars/index.js';
import type { Signal, SignalCategory, SignalType } from '../../engine/signals/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { ApiError, notFound, refuseMissing } from '../api-error.js';
import { isPresent } from '../backtests/settings.js';
import type { Caller } from '../caller.js';
import { signalsByName, textWithin, wholeNumber, wholeNumberWithin } from '../signals/records.js';
import { presetModel } from './presets.js';
import { remember, type SimulationDeps } from './store.js';
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

/** Changes whenever the method below changes. */
const CANDIDATE_MODEL = 'keywords-1';

/** Keywords of a prompt and the signal categories that they stand for. */
const keywordCategories: Readonly<Record<string, readonly SignalCategory[]>> = {
  momentum: ['momentum'],
  'mean reversion': ['momentum', 'volatility'],
  breakout: ['volatility'],
  trend: ['trend'],
  oversold: ['momentum'],
  overbought: ['momentum'],
  volume: ['volume'],
};
const DEFAULT_KEYWORD = 'momentum';

interface Rule {
  readonly name: string;
  readonly signal_type: SignalType;
  readonly timeframe: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Candidate {
  readonly name: string;
  readonly asset: string;
  readonly timeframe: string;
  readonly entry: readonly Rule[];
  readonly exit: readonly Rule[];
}

interface CandidateRequest {
  readonly prompt: string;
  readonly asset: string;
  readonly timeframe: string;
  readonly count: number;
  readonly seed: number;
}

/** Draws for one candidate before a repetition is accepted. */
const DRAWS_MAX = 50;

/**
 * Suggests strategies for a prompt without a language model. Known keywords in it choose signal
 * categories. From these, a seeded generator draws one TRIGGER and one FILTER for the entry and,
 * half of the time, another TRIGGER for the exit, all with default parameters. Positions are long,
 * so no bearish signal is drawn for an entry and no bullish one for an exit. The same prompt and
 * seed give the same candidates.
 */
export function candidatesFor({ prompt, asset, timeframe, count, seed }: CandidateRequest) {
  const said = prompt.toLowerCase().replace(/[\s_-]+/g, ' ');
  const found = Object.keys(keywordCategories).filter((keyword) => said.includes(keyword));
  const keywords = found.length > 0 ? found : [DEFAULT_KEYWORD];
  const categories = new Set(keywords.flatMap((keyword) => keywordCategories[keyword] ?? []));
  const known = signalsByName.filter((signal) => categories.has(signal.category) && hasDefaults(signal));
  const entryTriggers = known.filter(({ type, bias }) => type === 'TRIGGER' && bias !== 'bearish');
  const entryFilters = known.filter(({ type, bias }) => type === 'FILTER' && bias !== 'bearish');
  const exitTriggers = known.filter(
    ({ type, bias }) => type === 'TRIGGER' && (bias === 'bearish' || bias === 'neutral'),
  );
  const random = new SplitMix64(seed);
  const toRule = ({ name, type, params }: Signal): Rule => ({
    name,
    signal_type: type,
    timeframe,
    params: Object.fromEntries(Object.entries(params).map(([param, spec]) => [param, spec.default])),
  });
  // biome-ignore lint/style/noNonNullAssertion: drawn below the length of a pool that is not empty
  const drawFrom = (pool: readonly Signal[]): Signal => pool[random.below(pool.length)]!;
  const draw = () => {
    const trigger = drawFrom(entryTriggers);
    const filter = drawFrom(entryFilters);
    const others = exitTriggers.filter(({ name }) => name !== trigger.name);
    const exit = random.below(2) === 1 ? [drawFrom(others)] : [];
    return { entry: [trigger, filter], exit };
  };
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  for (let i = 0; i < count; i++) {
    let drawn = draw();
    const drawnName = () => [...drawn.entry, ...drawn.exit].map(({ name }) => name).join('__');
    for (let again = 1; again < DRAWS_MAX && seen.has(drawnName()); again++) drawn = draw();
    seen.add(drawnName());
    candidates.push({
      name: `${normaliseAsset(asset).toLowerCase()}_${drawn.entry.map(({ name }) => name).join('_')}_${i + 1}`,
      asset,
      timeframe,
      entry: drawn.entry.map(toRule),
      exit: drawn.exit.map(toRule),
    });
  }
  return { keywords, candidates };
}

const hasDefaults = ({ params }: Signal): boolean => Object.values(params).every((spec) => spec.default !== undefined);
