// biome-ignore-all lint/style/noNonNullAssertion: every index lies within the columns allocated for the rows
import { contentHash } from '../data/bars/index.js';
import { sha256 } from '../data/hashes/index.js';
import {
  allocateBars,
  assetsRead,
  type BarSeries,
  canonicalJson,
  computeMetrics,
  createMask,
  type DeniedSignal,
  EngineError,
  type ExecutionConfig,
  evaluateRules,
  FUNDING_COLUMN,
  type Mask,
  type Metrics,
  maskOf,
  parseInterval,
  parseStrategy,
  planStrategy,
  quote,
  refuseUnknownKeys,
  resolveConfig,
  type Simulation as SimulationResult,
  type StrategyDefinition,
  simulate,
  unknownKeys,
  validateBars,
  wrongField,
} from '../engine/index.js';
import { type RenderedTrade, renderDenials, renderTrade } from './backtest/render.js';
import { sidedWarnings } from './backtest/sided-warnings.js';

/**
 * Answer to one request of `barline simulate`. Bar indices are counted from the first bar of the
 * request.
 */
interface SimulationAnswer {
  readonly trades: readonly RenderedTrade[];
  readonly metrics: Metrics;
  readonly denied_entries: readonly [bar: number, reason: string][];
  readonly denied_signals: readonly DeniedSignal[];
  /** Account value at the close of each tradable bar. */
  readonly equity: readonly number[];
  /** Entry orders that expired; where entries are orders. */
  readonly order_expired?: number;
  /** What finer bars decided; where a detail interval is set. */
  readonly detail?: { readonly resolved: number; readonly changed: number; readonly unresolved: number };
  readonly warnings: readonly string[];
}

const BARS_MAX = 5_000_000;

/**
 * Runs requests `{id, interval, first?, bars, masks | strategy, columns?, detail?, config?}`. It
 * checks all of them before the first run, so that a bad request does not leave a partial answer.
 *
 * @param onDone called after each run
 * @throws EngineError with a message that begins with the place of the invalid request
 */
export function simulateRequests(json: unknown, onDone: () => void = () => {}): Map<string, SimulationAnswer> {
  const runs = readRequests(json);
  const answers = new Map<string, SimulationAnswer>();
  for (const [id, run] of runs) {
    answers.set(id, answer(id, run));
    onDone();
  }
  return answers;
}

/** A checked request. */
export type Simulation = ReturnType<typeof readRequest>;

/** @throws as `simulateRequests` */
export function readRequests(json: unknown): Map<string, Simulation> {
  if (!Array.isArray(json)) throw wrongField('requests', 'an array', json);
  const runs = new Map<string, Simulation>();
  for (const [i, request] of json.entries()) {
    const { id, run } = located(`requests[${i}]`, () => {
      const record = asRecord(request, 'request');
      const id = readId(record);
      if (runs.has(id)) throw invalid('id', `must be unique, ${quote(id)} was given twice`);
      return { id, run: located(`id ${quote(id)}`, () => readRequest(record)) };
    });
    runs.set(id, run);
  }
  return runs;
}

function answer(id: string, run: Simulation): SimulationAnswer {
  const { bars, first, entry, exit, shortEntry, shortExit, config, strategy, detail } = run;
  const short = shortEntry === null ? {} : { shortEntry, shortExit: shortExit ?? createMask(bars.barCount) };
  const simulation = simulate({ bars, first, entry, exit, ...short, ...(detail !== null && { detail }), config });
  const masks = shortEntry === null || shortExit === null ? [entry, exit] : [entry, exit, shortEntry, shortExit];
  const rules = masks.map((mask) => Buffer.from(mask.buffer).toString('base64'));
  const runId = sha256(canonicalJson([id, contentHash(bars), first, rules, config]));
  const labels = { runId, strategy: strategy?.name ?? id, asset: strategy?.asset ?? 'unnamed', originBar: 0 };
  return {
    trades: simulation.trades.map((trade, i) => renderTrade(trade, i, bars, labels)),
    metrics: computeMetrics({ ...simulation, bars, first, config }),
    denied_entries: renderDenials(simulation.denials, 0),
    denied_signals: run.denied,
    equity: Array.from(simulation.equity),
    ...sidedAnswer(simulation.sided, config),
    warnings: [...run.warnings, ...sidedWarnings(simulation, bars, config)],
  };
}

/** Counts that only some settings ask for. */
function sidedAnswer(sided: SimulationResult['sided'], { entry_order, detail_interval }: ExecutionConfig) {
  if (sided === undefined) return {};
  return {
    ...(entry_order !== undefined && { order_expired: sided.orders.expired }),
    ...(detail_interval !== undefined && { detail: sided.detail }),
  };
}

const REQUEST_KEYS = ['id', 'interval', 'first', 'bars', 'masks', 'strategy', 'columns', 'detail', 'config'];

function readRequest(request: Record<string, unknown>) {
  refuseUnknownKeys(unknownKeys('request', request, REQUEST_KEYS));
  const intervalMs = parseInterval(required(request, 'interval'));
  const bars = withFunding(readBars(required(request, 'bars'), intervalMs), request.columns);
  const first = request.first ?? 0;
  if (!(Number.isInteger(first) && Number(first) >= 0 && Number(first) <= bars.barCount)) {
    throw invalid('first', `must be a whole number 0..${bars.barCount}, was ${quote(first)}`);
  }
  const hasMasks = request.masks !== undefined && request.masks !== null;
  const hasStrategy = request.strategy !== undefined && request.strategy !== null;
  if (hasMasks === hasStrategy) {
    throw new EngineError(
      'MISSING_FIELD',
      `exactly one of masks and strategy is required, was ${hasMasks ? 'both' : 'neither'}`,
      {
        field: 'masks',
      },
    );
  }
  const rules = hasMasks ? readMasks(request.masks, bars.barCount) : planRules(request.strategy, bars);
  const { strategy } = rules;
  const resolved = resolveConfig({
    request: request.config,
    strategyRewardFactor: strategy?.rewardFactor,
    saved: strategy?.executionConfig,
    interval: intervalMs,
    takesPositionFields: true,
  });
  const detail = readDetail(request.detail, resolved.config.detail_interval ?? null);
  const warnings = [...rules.warnings, ...resolved.warnings];
  return { bars, first: Number(first), ...rules, config: resolved.config, detail, warnings };
}

/** Adds the column of settled funding, one rate a bar, 0 where none was settled. */
function withFunding(bars: BarSeries, columns: unknown): BarSeries {
  if (columns === undefined || columns === null) return bars;
  const record = asRecord(columns, 'columns');
  refuseUnknownKeys(unknownKeys('columns', record, [FUNDING_COLUMN]));
  const field = `columns.${FUNDING_COLUMN}`;
  const rates = required(record, FUNDING_COLUMN, field);
  if (!Array.isArray(rates) || rates.length !== bars.barCount) {
    throw wrongField(field, `an array of ${bars.barCount} rates, one a bar`, rates);
  }
  for (const [i, rate] of rates.entries()) {
    if (typeof rate !== 'number' || !Number.isFinite(rate)) throw wrongField(`${field}[${i}]`, 'a number', rate);
  }
  return { ...bars, columns: { ...bars.columns, [FUNDING_COLUMN]: Float64Array.from(rates) } };
}

/** Reads `{interval, bars}`, the finer bars that `detail_interval` asks for; some may be missing. */
function readDetail(detail: unknown, interval: string | null): BarSeries | null {
  if (detail === undefined || detail === null) {
    if (interval === null) return null;
    throw new EngineError('MISSING_FIELD', `detail is required with detail_interval ${interval}`, { field: 'detail' });
  }
  const record = asRecord(detail, 'detail');
  refuseUnknownKeys(unknownKeys('detail', record, ['interval', 'bars']));
  const intervalMs = parseInterval(required(record, 'interval', 'detail.interval'), 'detail.interval');
  if (interval === null || parseInterval(interval) !== intervalMs) {
    throw wrongField('detail.interval', `detail_interval, ${interval ?? 'which is null'}`, record.interval);
  }
  return readBars(required(record, 'bars', 'detail.bars'), intervalMs, 'detail.bars');
}

interface Rules {
  readonly entry: Mask;
  readonly exit: Mask;
  /** Null for a run that is long only. */
  readonly shortEntry: Mask | null;
  readonly shortExit: Mask | null;
  readonly denied: readonly DeniedSignal[];
  readonly warnings: readonly string[];
  readonly strategy: StrategyDefinition | null;
}

/**
 * The masks of `{entry?, exit?, short_entry?, short_exit?}`, lists of bar numbers. An entry is
 * needed on at least one side.
 */
export function readMasks(masks: unknown, barCount: number): Rules {
  const record = asRecord(masks, 'masks');
  refuseUnknownKeys(unknownKeys('masks', record, ['entry', 'exit', 'short_entry', 'short_exit']));
  const hasShort = [record.short_entry, record.short_exit].some((mask) => mask !== undefined && mask !== null);
  const read = (name: string): Mask => readMask(`masks.${name}`, record[name] ?? [], barCount);
  if (!hasShort) required(record, 'entry', 'masks.entry');
  return {
    entry: read('entry'),
    exit: read('exit'),
    shortEntry: hasShort ? read('short_entry') : null,
    shortExit: hasShort ? read('short_exit') : null,
    denied: [],
    warnings: [],
    strategy: null,
  };
}

function readMask(field: string, value: unknown, barCount: number): Mask {
  if (!Array.isArray(value)) throw wrongField(field, 'an array of bar numbers', value);
  for (const bar of value) {
    if (Number.isInteger(bar) && bar >= 0 && bar < barCount) continue;
    const bound = barCount === 0 ? 'be empty without bars' : `hold bar numbers 0..${barCount - 1}`;
    throw invalid(field, `must ${bound}, holds ${quote(bar)}`);
  }
  return maskOf(barCount, value);
}

function planRules(json: unknown, bars: BarSeries): Rules {
  const strategy = parseStrategy(json, 'relaxed', { takesSides: true });
  const [other] = assetsRead(strategy, bars.intervalMs);
  if (other !== undefined) {
    const { asset, place } = other;
    throw invalid(place, `must be left out: a request has the bars of one asset only, was ${quote(asset)}`);
  }
  const plan = planStrategy(strategy, bars.intervalMs);
  const { short, ...long } = evaluateRules(plan, bars);
  return {
    ...long,
    shortEntry: short?.entry ?? null,
    shortExit: short?.exit ?? null,
    denied: plan.denied,
    warnings: plan.warnings,
    strategy,
  };
}

/** Reads rows `[epoch seconds, open, high, low, close, volume]`. */
function readBars(rows: unknown, intervalMs: number, field = 'bars'): BarSeries {
  if (!Array.isArray(rows)) throw wrongField(field, 'an array of bars', rows);
  if (rows.length > BARS_MAX) throw invalid(field, `must have at most ${BARS_MAX} bars, had ${rows.length}`);
  const bars = allocateBars(rows.length, intervalMs);
  const { time, open, high, low, close, volume } = bars;
  const columns = [time, open, high, low, close, volume];
  for (const [i, row] of rows.entries()) {
    if (!Array.isArray(row) || row.length !== 6) {
      throw invalid(`${field}[${i}]`, `must be [epoch seconds, open, high, low, close, volume], was ${quote(row)}`);
    }
    for (const [k, value] of row.entries()) {
      if (typeof value !== 'number') throw invalid(`${field}[${i}][${k}]`, `must be a number, was ${quote(value)}`);
      columns[k]![i] = k === 0 ? Math.round(value * 1000) : value;
    }
  }
  validateBars(bars, (i) => `${field}[${i}]`);
  checkTimes(bars, field);
  return bars;
}

const YEAR_1900_MS = Date.UTC(1900, 0, 1);
const YEAR_10000_MS = Date.UTC(10_000, 0, 1);

/** Catches milliseconds sent as seconds, and bars of a finer interval than the request states. */
function checkTimes({ time, barCount, intervalMs }: BarSeries, field: string): void {
  for (let i = 0; i < barCount; i++) {
    if (!(time[i]! >= YEAR_1900_MS && time[i]! < YEAR_10000_MS)) {
      throw invalid(`${field}[${i}][0]`, `must be epoch seconds of the years 1900..9999, was ${time[i]! / 1000}`);
    }
    if (i > 0 && time[i]! - time[i - 1]! < intervalMs) {
      const spacing = (time[i]! - time[i - 1]!) / 1000;
      throw invalid(
        `${field}[${i}]`,
        `must open at least ${intervalMs / 1000} s after the bar before it, was ${spacing} s`,
      );
    }
  }
}

const invalid = (field: string, problem: string) => new EngineError('INVALID_FIELD', `${field} ${problem}`, { field });

function asRecord(value: unknown, field: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw wrongField(field, 'an object', value);
}

function required(record: Record<string, unknown>, key: string, field = key): unknown {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  if (value === undefined || value === null) throw new EngineError('MISSING_FIELD', `${field} is required`, { field });
  return value;
}

function readId(record: Record<string, unknown>): string {
  const id = required(record, 'id');
  if ((typeof id === 'string' && id !== '') || Number.isSafeInteger(id)) return String(id);
  throw invalid('id', `must be a text or a whole number, was ${quote(id)}`);
}

/** Runs a reader and prefixes its errors with the place. */
function located<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError) throw new EngineError(error.code, `${place}: ${error.message}`, error.details);
    throw error;
  }
}
