import { EngineError, isRecord } from '../../engine/errors.js';
import { computeIndicator, type IndicatorName } from '../../engine/indicators/index.js';
import { nearestName } from '../../engine/nearest.js';
import { indicatorNames } from '../../engine/signals/index.js';
import { clip } from '../../engine/text.js';
import { ApiError, notFound, requireFields, wrongValue } from '../api-error.js';
import { evaluateSuppliedBars } from '../signals/index.js';

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
export const COMPUTE_BARS_MAX = 20_000;
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
