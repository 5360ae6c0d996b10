import { EngineError, isRecord } from '../../engine/errors.js';
import {
  computeIndicator,
  type IndicatorName,
  indicatorCatalogue,
  indicatorFamilies,
  indicatorFamily,
  lineNames,
  type ParamSpec,
} from '../../engine/indicators/index.js';
import { nearestName } from '../../engine/nearest.js';
import { indicatorNames, type Signal, type SignalCategory, type SignalType } from '../../engine/signals/index.js';
import { clip } from '../../engine/text.js';
import { ApiError, notFound, requireFields, wrongValue } from '../api-error.js';
import { evaluateSuppliedBars, isListed, paramRecord, signalRecord } from '../signals/index.js';

interface ComputeRequest {
  readonly name?: string | null | undefined;
  /** Columns of numbers by name, oldest first. */
  readonly data?: unknown;
  readonly params?: unknown;
}

interface EvaluateRequest {
  readonly name?: string | null | undefined;
  /** Bars, oldest first. */
  readonly ohlcv?: unknown;
  readonly params?: unknown;
}

/** Most values of a column, as many as an evaluation takes bars. */
const COMPUTE_BARS_MAX = 20_000;
const COMPUTE_COLUMNS_MAX = 20;

/** An indicator of the catalogue in any case. @throws RESOURCE_NOT_FOUND */
export function indicatorNamed(name: unknown): IndicatorName {
  if (typeof name !== 'string') throw wrongValue('name', 'a text', name);
  const found = indicatorNames.find((known) => known === name.toUpperCase());
  if (found !== undefined) return found;
  const near = nearestName(clip(name, 80).toUpperCase(), indicatorNames);
  const error = notFound('indicator', name);
  throw near === null ? error : new ApiError(error.code, `${error.message}; did you mean ${near}?`, { nearest: near });
}

/**
 * Computes an indicator of the catalogue over columns of the caller. Sizes are checked first.
 * @throws MISSING_FIELD, RESOURCE_NOT_FOUND, VALIDATION_ERROR
 */
export function computeSupplied(request: ComputeRequest) {
  requireFields(request, ['name', 'data']);
  const indicator = indicatorNamed(request.name);
  const columns = readColumns(request.data);
  try {
    const lines = computeIndicator({ name: indicator, columns, params: request.params });
    const result: Readonly<Record<string, readonly (number | null)[]>> = lines;
    return { indicator, result };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new ApiError(
      error.code === 'MISSING_FIELD' ? 'MISSING_FIELD' : 'VALIDATION_ERROR',
      error.message,
      error.details,
    );
  }
}

function readColumns(data: unknown): Readonly<Record<string, readonly unknown[]>> {
  if (!isRecord(data)) {
    throw wrongValue('data', 'an object of columns', data);
  }
  const columns = Object.entries(data);
  if (columns.length > COMPUTE_COLUMNS_MAX) {
    throw wrongValue('data', `at most ${COMPUTE_COLUMNS_MAX} columns`, `${columns.length} columns`);
  }
  for (const [name, cells] of columns) {
    const field = `data.${clip(name, 64)}`;
    if (!Array.isArray(cells) || cells.length === 0) throw wrongValue(field, 'a list of numbers', cells);
    if (cells.length > COMPUTE_BARS_MAX) {
      throw wrongValue(field, `at most ${COMPUTE_BARS_MAX} values`, `${cells.length} values`);
    }
  }
  if (columns.length === 0) throw wrongValue('data', 'at least one column', data);
  return Object.fromEntries(columns) as Readonly<Record<string, readonly unknown[]>>;
}

/**
 * Evaluates a signal at the last of the bars; false, with the reason, for too few bars.
 * @throws as `evaluateSuppliedBars`
 */
export function evaluateOhlcv({ name, ohlcv, params }: EvaluateRequest) {
  requireFields({ name, ohlcv }, ['name', 'ohlcv']);
  try {
    const answer = evaluateSuppliedBars({ name, market_data: ohlcv, params });
    const { signal_name: signal } = answer;
    return answer.success
      ? { signal, result: answer.result }
      : { signal, result: false, error: answer.error.replace('market_data', 'ohlcv') };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = error.message.replaceAll('market_data', 'ohlcv').replace(/^signal_name\b/, 'name');
    throw new ApiError(error.code, message, {
      ...error.details,
      ...(error.details.field === 'market_data' ? { field: 'ohlcv' } : {}),
    });
  }
}

/** Filters in any case; absent ones take everything. */
export interface CatalogueRequest {
  readonly category?: string | null | undefined;
  readonly signal_type?: string | null | undefined;
}

const categories: readonly SignalCategory[] = [
  ...(['momentum', 'trend', 'volume', 'volatility', 'patterns', 'onchain', 'user'] as const),
];
const types: readonly SignalType[] = ['TRIGGER', 'FILTER'];

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function oneOf<T extends string>(field: string, values: readonly T[], given: string | null | undefined): T | null {
  if (given === undefined || given === null) return null;
  const found = values.find((value) => value.toLowerCase() === given.toLowerCase());
  if (found === undefined) throw wrongValue(field, `one of ${values.join(', ')}`, given);
  return found;
}

/** @throws VALIDATION_ERROR for an unknown category or type */
export function filterSignals(signals: readonly Signal[], request: CatalogueRequest): readonly Signal[] {
  const category = oneOf('category', categories, request.category);
  const type = oneOf('signal_type', types, request.signal_type);
  return signals.filter((signal) => isListed(signal, category) && (type === null || signal.type === type));
}

export function toSignalRecord(signal: Signal) {
  const { name, category, type, metadata } = signalRecord(signal);
  const { description, requires } = metadata;
  const params: Readonly<Record<string, object>> = metadata.params;
  return { name, category: capital(category), signal_type: type, description, params, requires: [...requires] };
}

/** @throws VALIDATION_ERROR for an unknown category */
export function filterIndicators(
  names: readonly IndicatorName[],
  { category }: Pick<CatalogueRequest, 'category'>,
): readonly IndicatorName[] {
  const family = oneOf('category', indicatorFamilies, category);
  return names.filter((name) => family === null || indicatorFamily(name) === family);
}

const columnParam: ParamSpec & { readonly default?: unknown } = {
  type: 'str',
  note: 'name of the column of data that it reads; close by default',
};

export function indicatorRecord(name: IndicatorName) {
  const { title, formula, params, takesColumn } = indicatorCatalogue[name];
  const given: [string, ParamSpec][] = [
    ...Object.entries(params),
    ...(takesColumn ? ([['column', columnParam]] as [string, ParamSpec][]) : []),
  ];
  return {
    ...{ name, category: capital(indicatorFamily(name)), description: `${title}. ${formula}` },
    params: Object.fromEntries(given.map(([param, spec]) => [param, toParamRecord(spec, param)])),
    outputs: lineNames(name),
  };
}

const toParamRecord = (spec: ParamSpec, name: string): object =>
  name === 'column' ? { ...paramRecord(spec, []), default: 'close', optional: true } : paramRecord(spec, []);
