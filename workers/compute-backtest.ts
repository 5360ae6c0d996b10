import { createHash } from 'node:crypto';
import { findGaps, type Gap } from '../data/bars/index.js';
import { type Audit, auditStrategy } from '../engine/audit/index.js';
import { canonicalJson } from '../engine/canonical-json.js';
import { type ExecutionConfig, type Simulation, simulate } from '../engine/execution/index.js';
import {
  computeExtendedMetrics,
  computeMetrics,
  type ExtendedMetrics,
  measureSides,
  type SideMetrics,
  tradeExcursions,
  withAliases,
} from '../engine/metrics/index.js';
import { findQualityIssues, type QualityFinding } from '../engine/quality/index.js';
import type { BarSeries } from '../engine/series/index.js';
import { withinReach } from '../engine/simd/index.js';
import { SplitMix64 } from '../engine/statistics/index.js';
import {
  evaluateWithGaps,
  type OtherBars,
  planStrategy,
  type RuleGaps,
  type RuleMasks,
  type StrategyDefinition,
} from '../engine/strategy/index.js';

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
  /** Bars of the assets that rules name, by the name that the rules use. */
  readonly others?: OtherBars | undefined;
  /** Finer bars, for `detail_interval`. */
  readonly detail?: BarSeries | undefined;
  /** When the bars were stored, epoch ms, if that is known. */
  readonly heldAtMs?: number | undefined;
  /** The bars belong to a perpetual, whose holders pay funding. */
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
  /** Null where the run uses nothing of sides, margin, orders and guards. */
  readonly sideMetrics: SideMetrics | null;
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

const planWork = ({ strategy, bars, others = {} }: BacktestWork) => {
  const columns = Object.entries(others).map(([asset, series]) => [asset, Object.keys(series.columns)] as const);
  return planStrategy(strategy, bars.intervalMs, Object.keys(bars.columns), [], Object.fromEntries(columns));
};

/** All of the costly work of a backtest; it needs no names and no dates. */
export const computeBacktest = (work: BacktestWork): ComputedBacktest =>
  withinReach(work.bars, (bars) => computeWithinReach({ ...work, bars }));

function computeWithinReach(work: BacktestWork): ComputedBacktest {
  const { bars, first, config, others, detail } = work;
  const { masks, gaps: ruleGaps } = evaluateWithGaps(planWork(work), bars, first, others);
  const short = masks.short && { shortEntry: masks.short.entry, shortExit: masks.short.exit };
  const { entry, exit } = masks;
  const run = { bars, first, entry, exit, ...short, detail, config };
  const simulation = simulate(run);
  const measured = { ...simulation, bars, first, config };
  const metrics = withAliases(computeMetrics(measured));
  return {
    masks,
    ruleGaps,
    simulation,
    metrics,
    extendedMetrics: computeExtendedMetrics(measured),
    sideMetrics: simulation.sided === undefined ? null : measureSides(simulation, bars, first),
    ...tradeExcursions(bars, simulation.trades),
    gaps: findGaps(bars),
    quality: findQualityIssues({
      run,
      trades: simulation.trades,
      heldAtMs: work.heldAtMs ?? null,
      isPerpetual: work.isPerpetual,
    }),
    resultHash: hashResult(simulation, metrics),
  };
}

export function auditWork(work: BacktestWork, { cutCount, seed }: AuditOptions): Audit {
  const { first, config, others, detail } = work;
  const generator = new SplitMix64(seed);
  const random = () => generator.uniform();
  const extra = { ...(others && { others }), detail, cutCount, random };
  return withinReach(work.bars, (bars) => auditStrategy({ plan: planWork(work), bars, first, config, ...extra }));
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
