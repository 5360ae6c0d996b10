import {
  type AtrSource,
  atrSource,
  type ExecutionConfig,
  effectiveAtr,
  type Simulation,
  type SimulationInput,
  simulate,
} from '../execution/index.js';
import {
  computeMetrics,
  dailyReturns,
  type Metrics,
  metricNames,
  writeMeasured,
  writeMetrics,
} from '../metrics/index.js';
import { ColumnPool } from '../series/column-pool.js';
import { type BarSeries, createMask, getBit, type Mask, nextBit } from '../series/index.js';
import { returnPeriods, sumByPeriod } from '../statistics/trial-returns.js';
import type { SideRules } from './choice-space.js';
import { type FurtherSeries, noFurther, type SweepDefinition } from './definition.js';
import { FusedRuns, type RunMasks } from './fused-runs.js';
import { LatestMask, MaskCache, type RuleMaskSource } from './mask-cache.js';
import type { SweepRun } from './run.js';

/** `skipped`: the pre-filter proved that the run cannot trade, or the sieve ruled it out. */
type RunStatus = 'ok' | 'no_trades' | 'skipped';

interface RunTrace {
  readonly config: ExecutionConfig;
  /** Its masks hold until the next run. */
  readonly input: SimulationInput;
  readonly simulation: Simulation;
  readonly metrics: Metrics;
}

/**
 * Runs configurations of a sweep over one series. The metrics equal a single backtest's in every
 * bit, but runs share masks and columns and keep nothing but their metrics.
 */
export class SweepKernel {
  /** Null when the masks are shared with other kernels. */
  readonly #ownMasks: MaskCache | null;
  readonly #long: MaskedSide;
  readonly #short: MaskedSide;
  /** Room for the equity of the current run, beside the bars. */
  #equity: Float64Array | null = null;
  readonly #nowhere: Mask;
  /** Daily returns of the latest run that was measured. */
  #daily: (() => Float64Array) | null = null;
  /**
   * Free room for the returns of runs. They share blocks, since an array of its own for each would
   * cost more than its sums.
   */
  #periods = new Float32Array(0);
  /** Undefined before the first run, null when fused runs cannot be used. */
  #fused: FusedRuns | null | undefined;
  /** Metrics of a run without trades, by initial balance. */
  readonly #idleMetrics = new Map<number, Float64Array>();

  /**
   * @param first index of the first tradable bar; the ones before it are history
   * @param masks of these bars, or the bytes that a new cache may use for masks and columns, now or
   *   at any time
   * @param further the further series that runs may read
   */
  constructor(
    private readonly definition: SweepDefinition,
    private readonly bars: BarSeries,
    private readonly first: number,
    masks: RuleMaskSource | number | (() => number),
    private readonly further: FurtherSeries = noFurther,
  ) {
    this.#ownMasks = typeof masks === 'object' ? null : new MaskCache(bars, masks, further.others);
    const source = this.#ownMasks ?? (masks as RuleMaskSource);
    this.#long = new MaskedSide(source);
    this.#short = new MaskedSide(source);
    this.#nowhere = createMask(bars.barCount);
  }

  /**
   * Runs one configuration and returns everything about it.
   * @param costFactor multiplies fees and slippage
   * @param slippageMin replaces a lower slippage
   */
  trace({ entry, exit, short, variant }: SweepRun, costFactor = 1, slippageMin = 0): RunTrace {
    const { bars, first } = this;
    const planned = this.definition.variants.config(variant, bars.intervalMs);
    const { fee_pct, slippage_pct, maker_fee_pct: maker } = planned;
    const slippage = Math.max(slippage_pct * costFactor, slippageMin);
    const config = {
      ...{ ...planned, fee_pct: fee_pct * costFactor, slippage_pct: slippage },
      // A rebate is no cost: it does not grow with them.
      ...(typeof maker === 'number' ? { maker_fee_pct: maker > 0 ? maker * costFactor : maker } : {}),
    };
    const input = { bars, first, ...this.#masksOf(entry, exit, short), detail: this.#detailOf(config), config };
    const simulation = simulate(input);
    return { config, input, simulation, metrics: computeMetrics({ ...simulation, bars, first, config }) };
  }

  /**
   * Returns of the account by UTC day.
   * @param slippageMin replaces a lower slippage
   */
  dailyReturns({ entry, exit, short, variant }: SweepRun, slippageMin = 0): Float64Array {
    const { bars, first } = this;
    const planned = this.definition.variants.config(variant, bars.intervalMs);
    const config = planned.slippage_pct >= slippageMin ? planned : { ...planned, slippage_pct: slippageMin };
    const masks = this.#masksOf(entry, exit, short);
    const run = simulate({ bars, first, ...masks, detail: this.#detailOf(config), config, equity: this.#room() });
    return dailyReturns(bars, first, run.equity, run.movedRanges, config.initial_balance);
  }

  /**
   * Returns of the run that `run` measured last, summed by period: the periods of the tradable
   * days, see `returnPeriods`. Call it only after a run with the status `ok`.
   */
  periodReturns(): Float32Array {
    // biome-ignore lint/style/noNonNullAssertion: the run before has set it
    const daily = this.#daily!();
    const periods = returnPeriods(daily.length);
    const { count } = periods;
    if (this.#periods.length < count) this.#periods = new Float32Array(RUNS_OF_BLOCK * count);
    const sums = this.#periods.subarray(0, count);
    this.#periods = this.#periods.subarray(count);
    sumByPeriod(daily, periods, sums);
    return sums;
  }

  /**
   * @param values receives the metrics in the order of `metricNames`; NaN for an undefined one
   * @throws EngineError when the configuration of the run is not valid
   */
  run({ entry, exit, short, variant }: SweepRun, values: Float64Array): RunStatus {
    const { bars } = this;
    const { variants, preFilter } = this.definition;
    const config = variants.config(variant, bars.intervalMs);
    const skips = preFilter.enabled && preFilter.confidence_threshold < 1;
    if (skips && !(allowsEntries(config) && this.#canTrade(entry, exit, short, config))) {
      return this.#skip(config, values);
    }
    return this.#measure(this.#masksOf(entry, exit, short), config, values);
  }

  /** Gives the room beside the bars back to the pool; a later run takes it again. */
  release(): void {
    if (this.#equity !== null) ColumnPool.beside(this.bars.close).give([this.#equity]);
    this.#equity = null;
    this.#fused?.release();
    this.#fused = undefined;
    this.#ownMasks?.release();
  }

  #measure(masks: RunMasks, config: ExecutionConfig, values: Float64Array): 'ok' | 'no_trades' {
    const { bars, first } = this;
    if (this.#fused === undefined) this.#fused = FusedRuns.over(bars, first);
    const fused = this.#fused;
    const detail = this.#detailOf(config);
    const measures = fused?.run(masks, config, detail) ?? null;
    if (fused !== null && measures !== null) {
      this.#daily = () => fused.dayReturns;
      writeMeasured({ bars, first, config }, measures, values);
      return measures.trades.count === 0 ? 'no_trades' : 'ok';
    }
    const run = simulate({ bars, first, ...masks, detail, config, equity: this.#room() });
    this.#daily = () => dailyReturns(bars, first, run.equity, run.movedRanges, config.initial_balance);
    writeMetrics({ ...run, bars, first, config }, values);
    return run.trades.length === 0 ? 'no_trades' : 'ok';
  }

  /** The finer bars of a run; undefined where its settings name none. */
  #detailOf({ detail_interval: interval }: ExecutionConfig): BarSeries | undefined {
    return typeof interval === 'string' ? this.further.details[interval] : undefined;
  }

  #room(): Float64Array {
    const { bars, first } = this;
    this.#equity ??= ColumnPool.beside(bars.close).take(bars.barCount - first);
    return this.#equity;
  }

  #masksOf(entry: SweepRun['entry'], exit: SweepRun['exit'], short: SideRules | undefined): RunMasks {
    const nowhere = this.#nowhere;
    const long = { entry: this.#long.entry(entry) ?? nowhere, exit: this.#long.exit(exit) ?? nowhere };
    if (short === undefined) return long;
    const shortEntry = this.#short.entry(short.entry) ?? nowhere;
    const shortExit = this.#short.exit(short.exit) ?? nowhere;
    return { entry: long.entry, exit: long.exit, shortEntry, shortExit }; // a spread costs a microsecond
  }

  #canTrade(
    entry: SweepRun['entry'],
    exit: SweepRun['exit'],
    short: SideRules | undefined,
    config: ExecutionConfig,
  ): boolean {
    const entryMask = this.#long.entry(entry);
    if (entryMask !== null && this.#canEnter(entryMask, this.#long.exit(exit), config)) return true;
    const shortMask = short === undefined ? null : this.#short.entry(short.entry);
    return shortMask !== null && this.#canEnter(shortMask, this.#short.exit(short?.exit ?? []), config);
  }

  /**
   * True when some decision bar has an entry signal of a side, no exit signal of it, a stop that can
   * be set, and a bar after it.
   */
  #canEnter(entry: Mask, exit: Mask | null, config: ExecutionConfig): boolean {
    const { bars, first } = this;
    const isDynamic = config.stop_loss_calculation === 'dynamic_atr';
    let atr: AtrSource | null = null;
    for (let bar = nextBit(entry, first); bar !== -1 && bar < bars.barCount - 1; bar = nextBit(entry, bar + 1)) {
      if (exit !== null && getBit(exit, bar)) continue;
      if (!isDynamic) return true;
      atr ??= atrSource(bars, config);
      if (effectiveAtr(atr, bar, config) > 0) return true;
    }
    return false;
  }

  #skip(config: ExecutionConfig, values: Float64Array): 'skipped' {
    const { initial_balance: balance } = config;
    let idle = this.#idleMetrics.get(balance);
    if (idle === undefined) {
      const { bars, first } = this;
      idle = new Float64Array(metricNames.length);
      const equity = new Float64Array(bars.barCount - first).fill(balance);
      writeMetrics({ bars, first, equity, trades: [], exposedBars: 0, config }, idle);
      this.#idleMetrics.set(balance, idle);
    }
    values.set(idle);
    return 'skipped';
  }
}

/** The masks of one side of the latest run, which neighbouring runs mostly share. */
class MaskedSide {
  readonly #entry: LatestMask;
  readonly #exit: LatestMask;

  constructor(source: RuleMaskSource) {
    this.#entry = new LatestMask(source);
    this.#exit = new LatestMask(source);
  }

  /** Null where the rules never hold, or there are none. */
  entry(entry: SweepRun['entry']): Mask | null {
    return entry.length === 0 ? null : this.#entry.of(entry);
  }

  exit(exit: SweepRun['exit']): Mask | null {
    return exit.length === 0 ? null : this.#exit.of(exit);
  }
}

/** Runs whose returns share a block: some 256 KB. */
const RUNS_OF_BLOCK = 256;

const allowsEntries = ({ max_open_positions, max_trades_per_day }: ExecutionConfig): boolean =>
  max_open_positions > 0 && max_trades_per_day > 0;
