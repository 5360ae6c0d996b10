import { contentHash } from '../data/bars/index.js';
import { sha256 } from '../data/hashes/index.js';
import { sidedWarnings } from '../engine/backtest/index.js';
import { canonicalJson } from '../engine/canonical-json.js';
import { EngineError, quote, wrongField } from '../engine/errors.js';
import {
  type ExecutionConfig,
  resolveConfig,
  type Simulation as SimulationResult,
  simulate,
} from '../engine/execution/index.js';
import { computeMetrics, type Metrics } from '../engine/metrics/index.js';
import { type BarSeries, createMask, parseInterval } from '../engine/series/index.js';
import {
  assetsRead,
  type DeniedSignal,
  evaluateRules,
  parseStrategy,
  planStrategy,
  type StrategyDefinition,
} from '../engine/strategy/index.js';
import { refuseUnknownKeys, unknownKeys } from '../engine/unknown-keys.js';
import { type RenderedTrade, renderDenials, renderTrade } from './backtest/render.js';
import {
  asRecord,
  invalid,
  located,
  readBars,
  readId,
  readMasks,
  required,
  type SideMasks,
  withFunding,
} from './simulate-inputs.js';
import { type PortfolioAnswer, readPortfolioRequest } from './simulate-portfolios.js';

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

/**
 * Runs requests `{id, interval, first?, bars, masks | strategy, columns?, detail?, config?}`,
 * `{id, portfolio}` and `{id, allocation}`. It checks all of them before the first run, so that a bad
 * request does not leave a partial answer.
 *
 * @param onDone called after each run
 * @throws EngineError with a message that begins with the place of the invalid request
 */
export function simulateRequests(
  json: unknown,
  onDone: () => void = () => {},
): Map<string, SimulationAnswer | PortfolioAnswer> {
  const runs = readEach(json, (request, id) => readPortfolioRequest(request, id) ?? singleRun(request, id));
  const answers = new Map<string, SimulationAnswer | PortfolioAnswer>();
  for (const [id, run] of runs) {
    answers.set(id, run());
    onDone();
  }
  return answers;
}

function singleRun(request: Record<string, unknown>, id: string): () => SimulationAnswer {
  const run = readRequest(request);
  return () => answer(id, run);
}

/** A checked request of one asset. */
export type Simulation = ReturnType<typeof readRequest>;

/** The requests of one asset. @throws as `simulateRequests` */
export const readRequests = (json: unknown): Map<string, Simulation> => readEach(json, readRequest);

function readEach<T>(json: unknown, read: (request: Record<string, unknown>, id: string) => T): Map<string, T> {
  if (!Array.isArray(json)) throw wrongField('requests', 'an array', json);
  const runs = new Map<string, T>();
  for (const [i, request] of json.entries()) {
    const { id, run } = located(`requests[${i}]`, () => {
      const record = asRecord(request, 'request');
      const id = readId(record);
      if (runs.has(id)) throw invalid('id', `must be unique, ${quote(id)} was given twice`);
      return { id, run: located(`id ${quote(id)}`, () => read(record, id)) };
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
    warnings: [...run.warnings, ...sidedWarnings(simulation, bars, config, shortEntry !== null)],
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
  const strategy = hasStrategy ? parseStrategy(request.strategy, 'relaxed', { takesSides: true }) : null;
  const resolved = resolveConfig({
    request: request.config,
    strategyRewardFactor: strategy?.rewardFactor,
    saved: strategy?.executionConfig,
    interval: intervalMs,
    takesPositionFields: true,
    venue: 'warn',
  });
  const bars = withFunding(readBars(required(request, 'bars'), intervalMs), request.columns);
  const first = request.first ?? 0;
  if (!(Number.isInteger(first) && Number(first) >= 0 && Number(first) <= bars.barCount)) {
    throw invalid('first', `must be a whole number 0..${bars.barCount}, was ${quote(first)}`);
  }
  const rules = strategy === null ? rulesOfMasks(request.masks, bars.barCount) : planRules(strategy, bars);
  const detail = readDetail(request.detail, resolved.config.detail_interval ?? null);
  const warnings = [...rules.warnings, ...resolved.warnings];
  return { bars, first: Number(first), ...rules, config: resolved.config, detail, warnings };
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

interface Rules extends SideMasks {
  readonly denied: readonly DeniedSignal[];
  readonly warnings: readonly string[];
  readonly strategy: StrategyDefinition | null;
}

const rulesOfMasks = (masks: unknown, barCount: number): Rules => ({
  ...readMasks(masks, barCount),
  ...{ denied: [], warnings: [], strategy: null },
});

function planRules(strategy: StrategyDefinition, bars: BarSeries): Rules {
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
