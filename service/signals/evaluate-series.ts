import { setImmediate } from 'node:timers/promises';
import type { Window } from '../../engine/backtest/index.js';
import { isRecord } from '../../engine/errors.js';
import { type ParamValues, resolveParams, withFrame } from '../../engine/indicators/index.js';
import {
  apiTimeframes,
  type BarSeries,
  barAt,
  bitIndices,
  firstBarFrom,
  isoTime,
  parseInterval,
  tryParseInterval,
} from '../../engine/series/index.js';
import { columnsBeside, requireSignal, type Signal, signalMask } from '../../engine/signals/index.js';
import { signalHistoryMs } from '../../engine/strategy/index.js';
import { clip } from '../../engine/text.js';
import { type LoadBars, mustBeBefore, parseTime, within } from '../../research/index.js';
import { ApiError, asApiError, requireFields } from '../api-error.js';
import { JsonText } from '../json-text.js';
import { Pace } from '../pace.js';
import { invalidField, textWithin } from './records.js';

export const SERIES_SIGNALS_MAX = 50;
/** Most bars of one answer, chart and all signals together. */
export const SERIES_BARS_MAX = 200_000;
const SYMBOL_CHARACTERS_MAX = 40;
const CHART_TIMEFRAME_DEFAULT = '1h';

interface EvaluateSeriesRequest {
  readonly symbol?: string | null | undefined;
  /** Default 1h. */
  readonly chart_timeframe?: string | null | undefined;
  readonly start_date?: string | null | undefined;
  readonly end_date?: string | null | undefined;
  /** Objects `{name, timeframe?, params?}`; the default timeframe is the chart's. */
  readonly signals?: unknown;
}

/** JSON of a list of bars `{timestamp, open, high, low, close, volume}`. */
type ChartBars = JsonText;

interface SignalSeries {
  readonly signal_name: string;
  readonly timeframe: string;
  /** Number of bars in `market_data`; bars before the window, read for warm-up, are not counted. */
  readonly bars_fetched: number;
  /** Indices into this signal's own `market_data`, from 0, of the bars where it is true. */
  readonly trigger_indices: readonly number[];
  readonly trigger_timestamps: readonly string[];
  readonly market_data: ChartBars;
  /** Why this signal has no answer; the other signals still have theirs. */
  readonly error?: string;
}

interface SeriesEvaluation {
  readonly symbol: string;
  readonly chart_timeframe: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly chart_data: ChartBars;
  readonly signal_results: readonly SignalSeries[];
}

interface AskedSignal {
  readonly signal: Signal;
  readonly params: ParamValues;
  readonly intervalMs: number;
}

/**
 * The bars of a window on which signals are true, each signal on its own timeframe. Signals also
 * read bars before the window, if there are any, so that they are warm when it starts.
 * @throws MISSING_FIELD, VALIDATION_ERROR for errors of the whole request; a bad signal reports its
 *   own error
 */
export async function evaluateMultipleSeries(
  request: EvaluateSeriesRequest,
  loadBars: LoadBars,
): Promise<SeriesEvaluation> {
  requireFields(request, ['symbol', 'start_date', 'end_date']);
  const symbol = textWithin('symbol', request.symbol, SYMBOL_CHARACTERS_MAX);
  const chart_timeframe = request.chart_timeframe ?? CHART_TIMEFRAME_DEFAULT;
  const chartMs = readTimeframe('chart_timeframe', chart_timeframe);
  const window = readWindow(request);
  const asked = readSignals(request.signals, chart_timeframe);
  const chart = await loadBars(symbol, chartMs, window);
  let room = SERIES_BARS_MAX - takeRoom(chart.barCount, SERIES_BARS_MAX);
  const chart_data = await chartBars(chart);
  const load = loadedOnce(symbol, window, asked, loadBars);
  const signal_results: SignalSeries[] = [];
  for (const one of asked) {
    await setImmediate(); // lets other calls run between two signals
    const result = await answer(one, load, room);
    room -= result.bars_fetched;
    signal_results.push(result);
  }
  const [start_date, end_date] = [isoTime(window.startMs), isoTime(window.endMs)];
  return { symbol, chart_timeframe, start_date, end_date, chart_data, signal_results };
}

function readTimeframe(field: string, value: unknown): number {
  const intervalMs = typeof value === 'string' ? tryParseInterval(value) : null;
  if (intervalMs === null || !apiTimeframes.some((name) => parseInterval(name) === intervalMs)) {
    throw invalidField(field, `one of ${apiTimeframes.join(', ')}`, value);
  }
  return intervalMs;
}

function readWindow({ start_date, end_date }: EvaluateSeriesRequest): Window {
  const startMs = readTime('start_date', start_date, false);
  const endMs = readTime('end_date', end_date, true);
  if (startMs >= endMs) {
    const message = mustBeBefore('start_date', String(start_date), 'end_date', String(end_date));
    throw new ApiError('VALIDATION_ERROR', message, { field: 'start_date' });
  }
  return { startMs, endMs };
}

function readTime(field: string, value: unknown, isEnd: boolean): number {
  if (typeof value !== 'string') throw invalidField(field, 'a date or an ISO 8601 time', value);
  return parseTime(value, field, isEnd);
}

/**
 * One entry of the request: its name in the answer, and the signal to compute or the error that
 * prevents it.
 */
interface SeriesRequest {
  readonly name: string;
  readonly timeframe: string;
  readonly asked: AskedSignal | { readonly error: string };
}

function readSignals(given: unknown, chartTimeframe: string): SeriesRequest[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw invalidField('signals', 'an array of {name, timeframe, params}', given);
  if (given.length > SERIES_SIGNALS_MAX) {
    throw invalidField('signals', `at most ${SERIES_SIGNALS_MAX} signals`, `${given.length} signals`);
  }
  return given.map((entry) => readSignal(entry, chartTimeframe));
}

function readSignal(entry: unknown, chartTimeframe: string): SeriesRequest {
  const { name, timeframe = null, params } = isRecord(entry) ? entry : {};
  const shownTimeframe = typeof timeframe === 'string' ? clip(timeframe, 20) : chartTimeframe;
  const shown = { name: typeof name === 'string' ? clip(name, 80) : '', timeframe: shownTimeframe };
  try {
    if (!isRecord(entry)) throw invalidField('a signal', 'an object {name, timeframe, params}', entry);
    requireFields(entry, ['name']);
    const signal = requireSignal(name);
    const intervalMs = readTimeframe('timeframe', timeframe ?? chartTimeframe);
    return { ...shown, asked: { signal, params: resolveParams(signal, params), intervalMs } };
  } catch (error) {
    return { ...shown, asked: { error: correctableMessage(error) } };
  }
}

/**
 * The message of an error that the caller can correct; any other error is a bug and is thrown
 * again.
 */
function correctableMessage(error: unknown): string {
  const known = asApiError(error);
  if (known === null) throw error;
  return known.message;
}

/** Bars of one timeframe. */
interface LoadedBars {
  readonly bars: BarSeries;
  /**
   * Index in `bars` of the first bar of the window; the bars before it are history for the signals.
   */
  readonly first: number;
  readonly shown: BarSeries;
  /** The bars of the window as answers show them, the same for every signal. */
  readonly chart: () => Promise<ChartBars>;
}

/** Loads the bars of each timeframe once, with the longest history that any signal on it needs. */
function loadedOnce(symbol: string, window: Window, requests: readonly SeriesRequest[], loadBars: LoadBars) {
  const history = new Map<number, number>();
  const columns = new Set<string>();
  for (const { asked } of requests) {
    if ('error' in asked) continue;
    const { signal, params, intervalMs } = asked;
    const wanted = signalHistoryMs(signal, params, intervalMs);
    history.set(intervalMs, Math.max(wanted, history.get(intervalMs) ?? 0));
    for (const column of columnsBeside(signal, params)) columns.add(column);
  }
  async function load(intervalMs: number): Promise<LoadedBars> {
    // biome-ignore lint/style/noNonNullAssertion: computed for each interval of the request
    const startMs = window.startMs - history.get(intervalMs)!;
    const bars = await loadBars(symbol, intervalMs, { startMs, endMs: window.endMs }, [...columns]);
    const first = firstBarFrom(bars, window.startMs);
    const shown = within(bars, window, symbol);
    let chart: Promise<ChartBars> | null = null;
    return { bars, first, shown, chart: () => (chart ??= chartBars(shown)) };
  }
  const loaded = new Map<number, Promise<LoadedBars>>();
  return (intervalMs: number): Promise<LoadedBars> => {
    const bars = loaded.get(intervalMs) ?? load(intervalMs);
    loaded.set(intervalMs, bars);
    return bars;
  };
}

async function answer(
  { name, timeframe, asked }: SeriesRequest,
  load: (intervalMs: number) => Promise<LoadedBars>,
  room: number,
): Promise<SignalSeries> {
  const failed = (message: string): SignalSeries => ({
    signal_name: name,
    timeframe,
    bars_fetched: 0,
    trigger_indices: [],
    trigger_timestamps: [],
    market_data: new JsonText(Buffer.from('[]')),
    error: message,
  });
  if ('error' in asked) return failed(asked.error);
  try {
    return { signal_name: name, timeframe, ...(await trueBars(asked, await load(asked.intervalMs), room)) };
  } catch (failure) {
    return failed(correctableMessage(failure));
  }
}

async function trueBars({ signal, params }: AskedSignal, { bars, first, shown, chart }: LoadedBars, room: number) {
  const column = columnsBeside(signal, params).find((name) => !Object.hasOwn(bars.columns, name));
  if (column !== undefined) {
    throw new ApiError('VALIDATION_ERROR', `the data has no column ${column}, which ${signal.name} requires`);
  }
  takeRoom(shown.barCount, room);
  const indices = withFrame(bars, (frame) => bitIndices(signalMask(signal, params, frame)))
    .filter((bar) => bar >= first)
    .map((bar) => bar - first);
  return {
    bars_fetched: shown.barCount,
    trigger_indices: indices,
    trigger_timestamps: await isoTimes(indices, shown),
    market_data: await chart(),
  };
}

async function isoTimes(indices: readonly number[], { time }: BarSeries): Promise<string[]> {
  const [times, pace]: [string[], Pace] = [[], new Pace()];
  for (const bar of indices) {
    // biome-ignore lint/style/noNonNullAssertion: an index of a bar that is shown
    times.push(isoTime(time[bar]!));
    if (pace.isDue) await pace.rest();
  }
  return times;
}

/** Refuses bars that do not fit into the rest of the answer. */
function takeRoom(bars: number, room: number): number {
  if (bars <= room) return bars;
  throw new ApiError(
    'VALIDATION_ERROR',
    `the answer may have at most ${SERIES_BARS_MAX} bars and has room for ${room} more, the window has ${bars}: shorten it`,
    { bars, room },
  );
}

const chartBars = (bars: BarSeries): Promise<ChartBars> =>
  JsonText.listOf(bars.barCount, (i) => {
    const { time, ...bar } = barAt(bars, i);
    return JSON.stringify({ timestamp: isoTime(time), ...bar });
  });
