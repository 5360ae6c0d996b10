import {
  type AtrSource,
  atrSource,
  type ExecutionConfig,
  effectiveAtr,
  type Simulation,
  simulate,
} from '../execution/index.js';
import { computeMetrics, type Metrics } from '../metrics/index.js';
import { type BarSeries, createMask, getBit, type Mask, nextBit } from '../series/index.js';
import type { SweepDefinition } from './definition.js';
import { MaskCache, type RuleMaskSource } from './mask-cache.js';
import type { SweepRun } from './run.js';

export interface RunOutcome {
  /** `skipped`: the pre-filter proved that it cannot trade. */
  readonly status: 'ok' | 'no_trades' | 'skipped';
  readonly metrics: Metrics;
}

export interface RunTrace {
  readonly config: ExecutionConfig;
  readonly simulation: Simulation;
  readonly metrics: Metrics;
}

/**
 * Runs configurations of a sweep over one series: what a single backtest computes, bit by bit, with masks and columns shared
 * between the runs, and nothing kept of a run but its metrics.
 */
export class SweepKernel {
  readonly #masks: RuleMaskSource;
  readonly #equity: Float64Array;
  readonly #nowhere: Mask;
  /** Of a run without trades, by initial balance. */
  readonly #idleMetrics = new Map<number, Metrics>();

  /**
   * @param first index of the first tradable bar; the ones before it are history
   * @param masks of these bars, or the bytes to keep of masks and columns together
   */
  constructor(
    private readonly definition: SweepDefinition,
    private readonly bars: BarSeries,
    private readonly first: number,
    masks: RuleMaskSource | number,
  ) {
    this.#masks = typeof masks === 'number' ? new MaskCache(bars, masks) : masks;
    this.#equity = new Float64Array(bars.barCount - first);
    this.#nowhere = createMask(bars.barCount);
  }

  /**
   * The whole of one run, to look at closely.
   * @param costFactor on fees and slippage
   */
  trace({ entry, exit, variant }: SweepRun, costFactor = 1): RunTrace {
    const { bars, first } = this;
    const planned = this.definition.variants.config(variant, bars.intervalMs);
    const { fee_pct, slippage_pct } = planned;
    const config = { ...planned, fee_pct: fee_pct * costFactor, slippage_pct: slippage_pct * costFactor };
    const simulation = simulate({
      bars,
      first,
      entry: this.#masks.conjunction(entry) ?? this.#nowhere,
      exit: (exit.length === 0 ? null : this.#masks.conjunction(exit)) ?? this.#nowhere,
      config,
    });
    return { config, simulation, metrics: computeMetrics({ ...simulation, bars, first, config }) };
  }

  /** @throws EngineError when the configuration of the run is not valid */
  run({ entry, exit, variant }: SweepRun): RunOutcome {
    const { bars, first } = this;
    const { variants, preFilter } = this.definition;
    const config = variants.config(variant, bars.intervalMs);
    const entryMask = this.#masks.conjunction(entry);
    const skips = preFilter.enabled && preFilter.confidence_threshold < 1;
    if (skips && (entryMask === null || !allowsEntries(config))) return this.#skip(config);
    const exitMask = exit.length === 0 ? null : this.#masks.conjunction(exit);
    if (skips && !this.#canTrade(entryMask!, exitMask, config)) return this.#skip(config);
    const run = simulate({
      bars,
      first,
      entry: entryMask ?? this.#nowhere,
      exit: exitMask ?? this.#nowhere,
      config,
      equity: this.#equity,
    });
    const metrics = computeMetrics({ ...run, bars, first, config });
    return { status: run.trades.length === 0 ? 'no_trades' : 'ok', metrics };
  }

  /** Some decision bar wants an entry that no exit rule forbids, with a stop that can be set; the bar after it must exist. */
  #canTrade(entry: Mask, exit: Mask | null, config: ExecutionConfig): boolean {
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

  #skip(config: ExecutionConfig): RunOutcome {
    return { status: 'skipped', metrics: this.#idle(config) };
  }

  #idle(config: ExecutionConfig): Metrics {
    const { initial_balance: balance } = config;
    let metrics = this.#idleMetrics.get(balance);
    if (metrics === undefined) {
      const { bars, first } = this;
      const equity = new Float64Array(bars.barCount - first).fill(balance);
      metrics = computeMetrics({ bars, first, equity, trades: [], exposedBars: 0, config });
      this.#idleMetrics.set(balance, metrics);
    }
    return metrics;
  }
}

const allowsEntries = ({ max_open_positions, max_trades_per_day }: ExecutionConfig): boolean =>
  max_open_positions > 0 && max_trades_per_day > 0;
