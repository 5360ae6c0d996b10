import { createHash } from 'node:crypto';
import { contentHash, normaliseAsset } from '../../data/bars/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import {
  apiTimeframes,
  DAY_MS,
  firstBarFrom,
  formatInterval,
  isoTime,
  sharedColumns,
  sliceBars,
  tryParseInterval,
} from '../../engine/series/index.js';
import { apiTimeframeMs } from '../../engine/strategy/index.js';
import { type MarketCondition, marketConditions, synthesizeBars } from '../../engine/synthetic/index.js';
import type { RunBars } from '../../research/index.js';
import { ApiError } from '../api-error.js';
import { invalidField, wholeNumberWithin } from '../signals/records.js';

/**
 * Changes whenever the formula of `synthesizeBars` changes. It is part of every dataset's name, so
 * bars under one name never change.
 */
export const SERIES_MODEL = 'regime-garch-1';

/** What a synthetic dataset is made from, as clients send it. Every field enters its name. */
export interface SyntheticModel {
  readonly asset: string;
  readonly timeframe: string;
  readonly duration_days: number;
  readonly n_agents: number;
  readonly initial_price: number;
  readonly market_condition: MarketCondition;
  readonly volatility: number;
  readonly seed: number;
}

const START_MS = Date.UTC(2024, 0, 1);
const DAYS_MAX = 3_650;
/** Making this many bars takes about 20 ms, while other calls wait. */
const BARS_MAX = 50_000;
const AGENTS_MAX = 1_000_000;
const PRICE_MIN = 1e-6;
const PRICE_MAX = 1e9;
const VOLATILITY_MIN = 0.01;
const VOLATILITY_MAX = 3;

/**
 * The model that a request describes; `otherwise` gives what it leaves out.
 * @throws VALIDATION_ERROR naming field, bound and value
 */
export function readModel(
  request: Readonly<Record<string, unknown>>,
  otherwise: Omit<SyntheticModel, 'asset'>,
): SyntheticModel {
  const condition = request.market_condition ?? otherwise.market_condition;
  const market_condition = marketConditions.find((known) => known === condition);
  if (market_condition === undefined) {
    throw invalidField('market_condition', `one of ${marketConditions.join(', ')}`, condition);
  }
  const whole = (field: 'duration_days' | 'n_agents' | 'seed', min: number, max: number) =>
    wholeNumberWithin(field, request[field], otherwise[field], min, max);
  const within = (field: 'initial_price' | 'volatility', min: number, max: number): number => {
    const value = request[field] ?? otherwise[field];
    if (typeof value === 'number' && value >= min && value <= max) return value;
    throw invalidField(field, `a number ${min}..${max}`, value);
  };
  const model: SyntheticModel = {
    asset: normaliseAsset(request.asset_name),
    timeframe: formatInterval(readTimeframe(request.timeframe ?? otherwise.timeframe)),
    duration_days: whole('duration_days', 1, DAYS_MAX),
    n_agents: whole('n_agents', 1, AGENTS_MAX),
    initial_price: within('initial_price', PRICE_MIN, PRICE_MAX),
    market_condition,
    volatility: within('volatility', VOLATILITY_MIN, VOLATILITY_MAX),
    seed: whole('seed', 0, Number.MAX_SAFE_INTEGER),
  };
  const { barCount } = modelSpan(model);
  if (barCount <= BARS_MAX) return model;
  const message = `duration_days must give at most ${BARS_MAX} bars of ${model.timeframe}, ${model.duration_days} days have ${barCount}`;
  throw new ApiError('VALIDATION_ERROR', message, { field: 'duration_days' });
}

/** Length in ms of one of the API's timeframes. @throws VALIDATION_ERROR */
export function readTimeframe(value: unknown): number {
  const ms = typeof value === 'string' ? tryParseInterval(value) : null;
  if (ms !== null && apiTimeframeMs.has(ms)) return ms;
  throw invalidField('timeframe', `one of ${apiTimeframes.join(', ')}`, value);
}

function modelSpan({ timeframe, duration_days }: SyntheticModel) {
  const intervalMs = readTimeframe(timeframe);
  return { intervalMs, barCount: (duration_days * DAY_MS) / intervalMs };
}

/** `synthetic-BTC-1h-` and a hash of the model: equal models have equal names everywhere. */
export function syntheticFile(model: SyntheticModel): string {
  const hash = createHash('sha256').update(canonicalJson({ ...model, model_version: SERIES_MODEL }));
  return `synthetic-${model.asset}-${model.timeframe}-${hash.digest('hex').slice(0, 12)}`;
}

/** Number of rows, first and last day of the series. */
export function syntheticExtent(model: SyntheticModel) {
  const { barCount } = modelSpan(model);
  const day = (ms: number) => isoTime(ms).slice(0, 10);
  return {
    rows: barCount,
    start_date: day(START_MS),
    end_date: day(START_MS + model.duration_days * DAY_MS - 1),
  };
}

/** Makes the bars of a model. */
export function syntheticBars(model: SyntheticModel): RunBars {
  const { intervalMs, barCount } = modelSpan(model);
  const market = {
    intervalMs,
    barCount,
    startMs: START_MS,
    initialPrice: model.initial_price,
    volatility: model.volatility,
    condition: model.market_condition,
    traderCount: model.n_agents,
    seed: model.seed,
  };
  const bars = synthesizeBars(market, sharedColumns);
  const entry = {
    asset: model.asset,
    interval: model.timeframe,
    intervalMs,
    firstMs: START_MS,
    lastMs: START_MS + (barCount - 1) * intervalMs,
    contentHash: contentHash(bars),
    isSample: false,
  };
  return {
    resolveSource: async (_asset, wantedMs) => ({ entry, aggregateToMs: wantedMs === intervalMs ? null : wantedMs }),
    load: async ({ fromMs = -Infinity, toMs = Infinity }) => ({
      bars: sliceBars(bars, firstBarFrom(bars, fromMs), firstBarFrom(bars, toMs)),
    }),
  };
}
