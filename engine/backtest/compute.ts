import { type ExecutionConfig, type Simulation, simulate } from '../execution/index.js';
import {
  computeExtendedMetrics,
  computeMetrics,
  type ExtendedMetrics,
  measureSides,
  type SideMetrics,
  tradeExcursions,
  withAliases,
} from '../metrics/index.js';
import { findQualityIssues, type QualityFinding } from '../quality/index.js';
import { type BarSeries, findGaps, type Gap } from '../series/index.js';
import {
  evaluateWithGaps,
  type OtherBars,
  planStrategy,
  type RuleGaps,
  type RuleMasks,
  type StrategyDefinition,
  type StrategyPlan,
} from '../strategy/index.js';

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

/** What the rules said, what was traded, and the headline figures. */
export interface RunOutcome {
  readonly masks: RuleMasks;
  readonly ruleGaps: readonly RuleGaps[];
  readonly simulation: Simulation;
  /** Under both spellings of each name. */
  readonly metrics: AliasedMetrics;
}

/** What is known of a run beyond its headline figures; it costs some ten times as much. */
export interface RunDetails {
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
}

/** The rules of the work, looked up for its interval and the columns of its bars. */
export function planWork({ strategy, bars, others = {} }: BacktestWork): StrategyPlan {
  const columns = Object.entries(others).map(([asset, series]) => [asset, Object.keys(series.columns)] as const);
  return planStrategy(strategy, bars.intervalMs, Object.keys(bars.columns), [], Object.fromEntries(columns));
}

/** @param evaluate the masks of the rules; by default each is computed anew */
export function runWork(work: BacktestWork, evaluate: typeof evaluateWithGaps = evaluateWithGaps): RunOutcome {
  const { bars, first, config, others } = work;
  const { masks, gaps: ruleGaps } = evaluate(planWork(work), bars, first, others);
  const simulation = simulate(simulationInput(work, masks));
  const metrics = withAliases(computeMetrics({ ...simulation, bars, first, config }));
  return { masks, ruleGaps, simulation, metrics };
}

export function detailRun(work: BacktestWork, { masks, simulation }: RunOutcome): RunDetails {
  const { bars, first, config, heldAtMs, isPerpetual } = work;
  const run = simulationInput(work, masks);
  return {
    extendedMetrics: computeExtendedMetrics({ ...simulation, bars, first, config }),
    sideMetrics: simulation.sided === undefined ? null : measureSides(simulation, bars, first),
    ...tradeExcursions(bars, simulation.trades),
    gaps: findGaps(bars),
    quality: findQualityIssues({ run, trades: simulation.trades, heldAtMs: heldAtMs ?? null, isPerpetual }),
  };
}

function simulationInput({ bars, first, config, detail }: BacktestWork, { entry, exit, short }: RuleMasks) {
  const shortSide = short && { shortEntry: short.entry, shortExit: short.exit };
  return { bars, first, entry, exit, ...shortSide, detail, config };
}
