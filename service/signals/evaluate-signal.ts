import { EngineError, isRecord } from '../../engine/errors.js';
import { type ParamValues, resolveParams } from '../../engine/indicators/index.js';
import { priceColumns } from '../../engine/series/index.js';
import {
  type BarObject,
  columnsBeside,
  evaluateBars,
  observedColumn,
  type Signal,
} from '../../engine/signals/index.js';
import { ApiError, requireFields } from '../api-error.js';
import { invalidField, signalNamed } from './records.js';

/**
 * Most bars of a request: two years of hourly bars, and at 200 bytes each as many as a REST body
 * holds.
 */
const MARKET_DATA_BARS_MAX = 20_000;

interface EvaluateSignalRequest {
  readonly signal_name?: string | null | undefined;
  /** Same as `signal_name`, which takes precedence. */
  readonly name?: string | null | undefined;
  /** Bars, oldest first: objects with the columns that the signal requires. */
  readonly market_data?: unknown;
  readonly parameters?: unknown;
  /** Same as `parameters`, which takes precedence. */
  readonly params?: unknown;
}

type SignalEvaluation =
  | { readonly success: true; readonly signal_name: string; readonly result: boolean }
  /** Too few bars for an answer. */
  | { readonly success: false; readonly signal_name: string; readonly result: null; readonly error: string };

/**
 * Evaluates a signal on the last of the bars that the caller supplies.
 * @throws RESOURCE_NOT_FOUND for an unknown signal; MISSING_FIELD without name or bars;
 *   VALIDATION_ERROR for a parameter out of range, a missing required column and a cell that is not
 *   a number
 */
export function evaluateSuppliedBars(request: EvaluateSignalRequest): SignalEvaluation {
  const signal_name = request.signal_name ?? request.name;
  requireFields({ signal_name }, ['signal_name']);
  const signal = signalNamed(signal_name);
  const bars = readMarketData(request.market_data);
  const params = resolveParams(signal, request.parameters ?? request.params);
  requireColumns(signal, params, bars);
  const missing = tooFewBars(signal, params, bars);
  if (missing !== null) return { success: false, signal_name: signal.name, result: null, error: missing };
  return { success: true, signal_name: signal.name, result: valueAtLast(signal, params, bars) };
}

function readMarketData(given: unknown): readonly BarObject[] {
  const bars = Array.isArray(given) && given.length === 0 ? null : given;
  requireFields({ market_data: bars }, ['market_data']);
  if (!Array.isArray(bars)) throw invalidField('market_data', 'an array of bars', bars);
  if (bars.length > MARKET_DATA_BARS_MAX) {
    throw invalidField('market_data', `at most ${MARKET_DATA_BARS_MAX} bars`, `${bars.length} bars`);
  }
  for (const [i, bar] of bars.entries()) if (!isRecord(bar)) throw invalidField(`market_data[${i}]`, 'an object', bar);
  return bars;
}

/** Refuses bars that all lack a column that the signal reads, however few they are. */
function requireColumns(signal: Signal, params: ParamValues, bars: readonly BarObject[]): void {
  const sent = new Set(bars.flatMap((bar) => Object.keys(bar).map((name) => name.toLowerCase())));
  for (const name of signal.sources?.(params) ?? signal.requires) {
    if (priceColumns.some((column) => column === name.toLowerCase()) && !sent.has(name.toLowerCase())) {
      throw absent(signal, name);
    }
  }
  for (const name of columnsBeside(signal, params)) {
    if (!bars.some((bar) => Object.hasOwn(bar, name))) throw absent(signal, name);
  }
}

/** Why the signal could not be true on any bars of this number; null if there are enough. */
function tooFewBars(signal: Signal, params: ParamValues, bars: readonly BarObject[]): string | null {
  const minimum = signal.minBars(params);
  const column = observedColumn(signal, params);
  if (column === undefined) {
    return bars.length >= minimum
      ? null
      : `${signal.name} needs at least ${minimum} bars with these parameters, market_data has ${bars.length}`;
  }
  const observed = bars.filter((bar) => Number.isFinite(bar[column])).length;
  return observed >= minimum
    ? null
    : `${signal.name} needs at least ${minimum} observations of ${column} with these parameters, market_data has ${observed}`;
}

const absent = (signal: Signal, column: string) =>
  new ApiError('VALIDATION_ERROR', `market_data has no column ${column}, which ${signal.name} requires`, {
    field: 'market_data',
    column,
  });

function valueAtLast(signal: Signal, params: ParamValues, bars: readonly BarObject[]): boolean {
  try {
    return evaluateBars(signal, params, bars);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // A bar without a column is a bad value, not a missing field of the request.
    const message = error.message.replace(/^bars\[/, 'market_data[');
    throw new ApiError('VALIDATION_ERROR', message, { ...error.details, signal: signal.name });
  }
}
