import {
  type BacktestWork,
  cutWindow,
  detailRun,
  diagnose,
  planWork,
  type RunOutcome,
  runWork,
  sidedWarnings,
  sizeLimits,
  sizeWarnings,
  undefinedWarnings,
  type Window,
} from '../../engine/backtest/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError } from '../../engine/errors.js';
import { type ExecutionConfig, type ResolvedConfig, resolveConfig } from '../../engine/execution/index.js';
import {
  type BarSeries,
  ColumnMemory,
  closeOfLast,
  FUNDING_COLUMN,
  firstBarFrom,
  historyFrom,
  parseInterval,
  sliceBars,
} from '../../engine/series/index.js';
import {
  assetsRead,
  columnsRead,
  KeptRules,
  neededHistoryMs,
  parseStrategy,
  planStrategy,
  type StrategyPlan,
} from '../../engine/strategy/index.js';
import { decodeBars } from './arrow.js';
import { describeCatalogue } from './catalogue.js';
import type { Calls, DetailsAnswer, RunAnswer, RunRequest, SeriesName, WholeRun } from './protocol.js';
import { seriesKey } from './protocol.js';

/** Columns that rules were computed from, kept for the next value of a slider. */
const COLUMN_BYTES_MAX = 64 * 1024 * 1024;

/** The rules of the latest window, with what they were computed from. */
interface KeptWindow {
  readonly key: string;
  readonly rules: KeptRules;
}

/** A run as the engine reads it, and what is known of it before. */
interface Prepared {
  readonly work: BacktestWork;
  readonly plan: StrategyPlan;
  readonly resolved: ResolvedConfig;
  /** Index in the series of the first bar of the work. */
  readonly from: number;
  readonly keptKey: string;
}

/**
 * Answers the page in its thread. It holds series in one memory that the kernels reach, and runs
 * strategies over windows of them by the same code as the service, with equal results in every bit.
 */
export class Runner {
  readonly #memory = ColumnMemory.create(0);
  readonly #series = new Map<string, BarSeries>();
  #kept: KeptWindow | null = null;

  readonly calls: { readonly [Kind in keyof Calls]: (asked: Calls[Kind]['asked']) => Calls[Kind]['answer'] } = {
    catalogue: describeCatalogue,
    load: ({ asset, interval, ipc }) => {
      this.calls.forget({ asset, interval });
      const bars = decodeBars(ipc, parseInterval(interval), (columnCount, length) =>
        Array.from({ length: columnCount }, () => this.#memory.allocate(length)),
      );
      this.#series.set(seriesKey({ asset, interval }), bars);
      return bars;
    },
    needs: (request) => {
      const { named, detail } = this.#read(request);
      const { series } = request;
      const assets = named.map((asset) => ({ ...series, asset }));
      return detail === null ? assets : [...assets, { ...series, interval: detail }];
    },
    forget: (name) => {
      const held = this.#series.get(seriesKey(name));
      if (held === undefined) return null;
      this.#series.delete(seriesKey(name));
      this.#forgetRules();
      const { time, open, high, low, close, volume, columns } = held;
      for (const column of [time, open, high, low, close, volume, ...Object.values(columns)]) this.#memory.free(column);
      return null;
    },
    run: (request) => this.#run(request),
    details: (request) => this.#details(request),
    whole: (request): WholeRun => {
      const { work, outcome } = this.#outcome(request);
      return { ...outcome, ...detailRun(work, outcome) };
    },
  };

  #run(request: RunRequest): RunAnswer {
    const startedMs = performance.now();
    const { work, plan, resolved, from, outcome } = this.#outcome(request);
    const { bars, first, config } = work;
    const { simulation, metrics } = outcome;
    return {
      bars: { from, first: from + first, end: from + bars.barCount },
      equity: simulation.equity.slice(),
      holding: holdingCurve(bars, first, config),
      metrics,
      trades: simulation.trades,
      verdict: simulation.trades.length > 0 ? null : diagnosis(work, plan, outcome).verdict,
      config,
      denied: plan.denied,
      warnings: [...plan.warnings, ...resolved.warnings],
      elapsedMs: performance.now() - startedMs,
    };
  }

  #details(request: RunRequest): DetailsAnswer {
    const { work, plan, resolved, outcome } = this.#outcome(request);
    const { bars, config } = work;
    const details = detailRun(work, outcome);
    const diagnostics = diagnosis(work, plan, outcome);
    const limits = sizeLimits(outcome.simulation, bars, config);
    const warnings = [
      ...plan.warnings,
      ...resolved.warnings,
      ...sidedWarnings(outcome.simulation, bars, config, outcome.masks.short !== undefined),
      ...undefinedWarnings(diagnostics),
      ...sizeWarnings(limits, outcome.simulation.trades.length, config),
      ...details.quality.map(({ message }) => message),
    ];
    return { ...details, diagnostics, warnings };
  }

  #outcome(request: RunRequest): Prepared & { readonly outcome: RunOutcome } {
    const prepared = this.#prepare(request);
    const { work, keptKey } = prepared;
    if (this.#kept?.key !== keptKey) {
      this.#forgetRules();
      const rules = new KeptRules(work.bars, work.first, work.others ?? {}, COLUMN_BYTES_MAX);
      this.#kept = { key: keptKey, rules };
    }
    const { rules } = this.#kept;
    return { ...prepared, outcome: runWork(work, (plan) => rules.evaluate(plan)) };
  }

  #read({ series, strategy, settings }: RunRequest) {
    const definition = parseStrategy(strategy, 'relaxed', { takesSides: true });
    const intervalMs = parseInterval(series.interval);
    const resolved = resolveConfig({
      request: settings,
      strategyRewardFactor: definition.rewardFactor,
      saved: definition.executionConfig,
      interval: intervalMs,
      takesPositionFields: true,
      venue: 'warn',
    });
    const named = assetsRead(definition, intervalMs).map(({ asset }) => asset);
    return { definition, intervalMs, resolved, named, detail: resolved.config.detail_interval ?? null };
  }

  #prepare(request: RunRequest): Prepared {
    const { definition, intervalMs, resolved, named, detail } = this.#read(request);
    const { series, window } = request;
    const held = this.#held(series);
    const { config } = resolved;
    const columnsOf = (asset: string) => Object.keys(this.#held({ ...series, asset }).columns);
    const plan = planStrategy(
      { ...definition, asset: series.asset },
      intervalMs,
      Object.keys(held.columns),
      [],
      Object.fromEntries(named.map((asset) => [asset, columnsOf(asset)])),
    );
    const historyMs = neededHistoryMs(plan, config);
    const columns = [...columnsRead(definition), ...(config.funding ? [FUNDING_COLUMN] : [])];
    const { startMs, endMs } = window ?? ALL_BARS;
    const from = Number.isFinite(startMs) ? historyFrom(held, startMs, historyMs) : 0;
    const read = withColumns(sliceBars(held, from, held.barCount), columns);
    const { bars, first } = cutWindow(read, { startMs, endMs }, series.asset);
    const span = { startMs: bars.time[first] ?? Number.NaN, endMs: closeOfLast(bars) };
    const others: Record<string, BarSeries> = {};
    for (const asset of named) {
      const other = this.#held({ ...series, asset });
      if (other === held) others[asset] = bars;
      else {
        // A run without history reads all that is held of other assets, as in the service.
        const fromBar = first === 0 ? 0 : historyFrom(other, span.startMs, historyMs);
        others[asset] = withColumns(closedBy(other, fromBar, span.endMs), columnsRead(definition, asset));
      }
    }
    const finer = detail === null ? undefined : this.#held({ ...series, interval: detail });
    const fine = finer && closedBy(finer, firstBarFrom(finer, span.startMs), span.endMs);
    const work = { strategy: definition, bars, first, config, others, detail: fine };
    const keptKey = canonicalJson([seriesKey(series), from, bars.barCount, first, columns, Object.keys(others)]);
    return { work, plan: planWork(work), resolved, from, keptKey };
  }

  #held(name: SeriesName): BarSeries {
    const held = this.#series.get(seriesKey(name));
    if (held !== undefined) return held;
    throw new EngineError('NOT_FOUND', `the page holds no ${name.interval} bars of ${name.asset}`, { ...name });
  }

  #forgetRules(): void {
    this.#kept?.rules.release();
    this.#kept = null;
  }
}

const ALL_BARS: Window = { startMs: -Infinity, endMs: Infinity };

/** The bars from `from` on that have closed by a time. */
const closedBy = (bars: BarSeries, from: number, endMs: number): BarSeries =>
  sliceBars(bars, from, firstBarFrom(bars, endMs - bars.intervalMs + 1));

function withColumns(bars: BarSeries, names: readonly string[]): BarSeries {
  const columns = Object.fromEntries(Object.entries(bars.columns).filter(([name]) => names.includes(name)));
  return { ...bars, columns, carried: bars.carried.filter((name) => names.includes(name)) };
}

function diagnosis({ bars, first, config }: BacktestWork, plan: StrategyPlan, outcome: RunOutcome) {
  const { masks, ruleGaps, simulation } = outcome;
  const limits = sizeLimits(simulation, bars, config);
  return diagnose({ plan, masks, ruleGaps, simulation, first, barCount: bars.barCount, limits, config });
}

function holdingCurve({ open, close, barCount }: BarSeries, first: number, config: ExecutionConfig): Float64Array {
  const units = config.initial_balance / (open[first] ?? Number.NaN);
  return close.slice(first, barCount).map((price) => units * price);
}
