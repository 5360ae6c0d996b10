import { createHash } from 'node:crypto';
import { findGaps, type Gap } from '../data/bars/index.js';
import {
  type Audit,
  auditStrategy,
  type BarSeries,
  canonicalJson,
  computeExtendedMetrics,
  computeMetrics,
  type ExecutionConfig,
  type ExtendedMetrics,
  evaluateWithGaps,
  planStrategy,
  type QualityFinding,
  qualityOf,
  type RuleGaps,
  type RuleMasks,
  type Simulation,
  SplitMix64,
  type StrategyDefinition,
  simulate,
  tradeExcursions,
  withAliases,
  withinReach,
} from '../engine/index.js';

/**
 * The input of one backtest: plain data, with bars in shared memory, so that any thread can compute
 * it.
 */
export interface BacktestWork {
  readonly strategy: StrategyDefinition;
  readonly bars: BarSeries;
  /** Index of the first tradable bar. */
  readonly first: number;
  readonly config: ExecutionConfig;
  /** When the bars were stored, epoch ms, if that is known. */
  readonly heldAtMs?: number | undefined;
  /** The bars are those of a perpetual, whose holders pay funding. */
  readonly isPerpetual?: boolean;
}

export type AliasedMetrics = ReturnType<typeof withAliases>;

export interface ComputedBacktest {
  readonly masks: RuleMasks;
  readonly ruleGaps: readonly RuleGaps[];
  readonly simulation: Simulation;
  /** Under both spellings of each name. */
  readonly metrics: AliasedMetrics;
  readonly extendedMetrics: ExtendedMetrics;
  /**
   * Per trade: maximum adverse and favourable excursion while the position was open, as fractions
   * of the entry price, 0 or more.
   */
  readonly mae: ArrayLike<number>;
  readonly mfe: ArrayLike<number>;
  /** The same over full bars, see `tradeExcursions`. */
  readonly maeFullBars: ArrayLike<number>;
  readonly mfeFullBars: ArrayLike<number>;
  /** Gaps between all bars, history included. */
  readonly gaps: readonly Gap[];
  /** What to know about bars and fills before believing the figures. */
  readonly quality: readonly QualityFinding[];
  /** SHA-256 over equity, trades, denials and metrics, bit for bit. */
  readonly resultHash: string;
}

export interface AuditOptions {
  readonly cutCount: number;
  /** The same seed cuts at the same bars. */
  readonly seed: number;
}

/** Computes backtests, in this thread or in a pool. */
export interface BacktestEngine {
  compute(work: BacktestWork, signal?: AbortSignal): Promise<ComputedBacktest>;
  audit(work: BacktestWork, options: AuditOptions, signal?: AbortSignal): Promise<Audit>;
}

const planOf = ({ strategy, bars }: BacktestWork) => planStrategy(strategy, bars.intervalMs, Object.keys(bars.columns));

/** All of the costly work of a backtest; it needs no names and no dates. */
export const computeBacktest = (work: BacktestWork): ComputedBacktest =>
  withinReach(work.bars, (bars) => computeWithinReach({ ...work, bars }));

function computeWithinReach(work: BacktestWork): ComputedBacktest {
  const { bars, first, config } = work;
  const { masks, gaps: ruleGaps } = evaluateWithGaps(planOf(work), bars, first);
  const simulation = simulate({ bars, first, entry: masks.entry, exit: masks.exit, config });
  const measured = { ...simulation, bars, first, config };
  const metrics = withAliases(computeMetrics(measured));
  return {
    masks,
    ruleGaps,
    simulation,
    metrics,
    extendedMetrics: computeExtendedMetrics(measured),
    ...tradeExcursions(bars, simulation.trades),
    gaps: findGaps(bars),
    quality: qualityOf({
      bars,
      trades: simulation.trades,
      config,
      heldAtMs: work.heldAtMs ?? null,
      isPerpetual: work.isPerpetual,
    }),
    resultHash: hashResult(simulation, metrics),
  };
}

export function auditWork(work: BacktestWork, { cutCount, seed }: AuditOptions): Audit {
  const { first, config } = work;
  const generator = new SplitMix64(seed);
  const random = () => generator.uniform();
  return withinReach(work.bars, (bars) => auditStrategy({ plan: planOf(work), bars, first, config, cutCount, random }));
}

/** For the command line, where no other work waits for the thread. */
export const inThisThread: BacktestEngine = {
  compute: async (work) => computeBacktest(work),
  audit: async (work, options) => auditWork(work, options),
};

function hashResult({ trades, denials, equity, exposedBars }: Simulation, metrics: AliasedMetrics): string {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of [equity, denials.bars, denials.reasons]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.update(canonicalJson([trades, exposedBars, metrics])).digest('hex');
}
