import { metricNames } from '../../engine/metrics/index.js';
import { type BarSeries, sliceBars } from '../../engine/series/index.js';
import type { TrialReturns } from '../../engine/statistics/index.js';
import { SplitMix64, testBestOfMany } from '../../engine/statistics/index.js';
import {
  assessLeader,
  type EarlierTries,
  type LeaderAssessment,
  leaderFacts,
  luckQuestion,
  MIN_TRADES,
  NOTHING_EARLIER,
  planSweep,
  readSweep,
  rulesText,
  type SweepDataset,
  type SweepDefinition,
  SweepKernel,
  type SweepPlan,
} from '../../engine/sweep/index.js';
import { dataset, filter, sha256, trigger } from '../support/sweeps.js';
import { largeSweep } from '../support/tpe.js';
import { barsOf, edgeWindows, type Market, shapeOf } from './markets.js';

export const searches = ['grid', 'random', 'tpe', 'walk forward'] as const;

/** How a sweep trades that is not long only, paid in full, with stops that stay. Grids have them. */
export const styles = ['short', 'both sides', 'leverage', 'trailing stop'] as const;
export type Style = (typeof styles)[number];

/** What a sweep is made of, apart from its seed. */
export interface Setting {
  readonly style?: Style;
  readonly market: Market;
  readonly hasCosts: boolean;
  readonly search: (typeof searches)[number];
  readonly tries: number;
}

/** The p-values of the verdict, null where it could not be made. */
export interface Judgement {
  readonly luck: number | null;
  readonly market: number | null;
  readonly timing: number | null;
  readonly superior: number | null;
  readonly fails: LeaderAssessment['fails'];
}

const TEST_DAYS = 30;
const CACHE_BYTES_MAX = 64 * 1024 * 1024;
const [SHARPE, TRADES] = [metricNames.indexOf('sharpe_ratio'), metricNames.indexOf('total_trades')] as const;

const range = (min: number, max: number, step = 1) => ({ min, max, step });

/** Long only, in and out with the crosses of two averages, no stop within reach. */
const heldWhileAbove = {
  exit_signals: {
    triggers: [
      trigger('sma_cross_down', {}, { params: { window_fast: edgeWindows.fast, window_slow: edgeWindows.slow } }),
    ],
  },
  base: {
    max_risk_per_trade: 1,
    stop_loss_calculation: 'fixed',
    fixed_stop_pct: 0.99,
    reward_factor: 1_000_000,
    max_open_positions: 1,
    cooldown_config: { '1h': { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 } },
    exit_on_loss_after_bars: null,
    exit_on_profit_after_bars: null,
    max_hold_time_hours: 0,
  },
};

const crossed = (name: 'sma_cross_up' | 'sma_cross_down') => ({
  triggers: [trigger(name, { window_fast: range(5, 40), window_slow: range(41, 120) })],
});
const held = (name: 'sma_cross_up' | 'sma_cross_down') => ({
  triggers: [trigger(name, {}, { params: { window_fast: edgeWindows.fast, window_slow: edgeWindows.slow } })],
});

/** What a style changes in a grid of crosses; with an edge, positions are held until the next cross. */
function styled(style: Style, isEdge: boolean): Record<string, unknown> {
  const short = {
    short_entry_signals: crossed('sma_cross_down'),
    ...(isEdge ? { short_exit_signals: held('sma_cross_up') } : {}),
  };
  switch (style) {
    case 'short':
      return { ...short, entry_signals: undefined, exit_signals: undefined };
    case 'both sides':
      return short;
    case 'leverage':
      return { base: { leverage: 5 } };
    case 'trailing stop':
      return {
        base: { target_calculation: 'none' },
        sweep_axes: [{ param: 'trailing_distance', values: [0.5, 1, 2, 4] }],
      };
  }
}

/** The configuration of a sweep. */
function sweepOf({ style, ...setting }: Setting): Record<string, unknown> {
  const plain = plainSweepOf(setting);
  if (style === undefined) return plain;
  const { base, sweep_axes, ...rules } = styled(style, setting.market === 'planted edge');
  const config = plain.execution_config as { readonly base: object; readonly sweep_axes: unknown };
  return {
    ...plain,
    ...rules,
    execution_config: { base: { ...config.base, ...(base as object) }, sweep_axes: sweep_axes ?? config.sweep_axes },
  };
}

function plainSweepOf({ market, hasCosts, search, tries }: Setting): Record<string, unknown> {
  const costs = costsOf(hasCosts);
  const isEdge = market === 'planted edge';
  const train_days = shapeOf(market).days - TEST_DAYS;
  const size = {
    grid: { grid_signals: { n_param_combos: Math.ceil(tries / 4) } },
    'walk forward': {
      grid_signals: { n_param_combos: Math.ceil(tries / 4) },
      walk_forward: { mode: 'rolling', train_days, test_days: TEST_DAYS },
    },
    random: { search_mode: 'random', n_random: tries },
    tpe: { search_mode: 'tpe', tpe: { trials: tries } },
  }[search];
  const crosses = {
    name: 'calibration',
    datasets: [{ asset: 'NOISE', timeframe: '1h' }],
    entry_signals: {
      triggers: [trigger('sma_cross_up', { window_fast: range(5, 40), window_slow: range(41, 120) })],
      filters: [filter('is_above_sma', { window: { values: [5, 10] } })],
    },
    ...(isEdge ? { exit_signals: heldWhileAbove.exit_signals } : {}),
    execution_config: {
      base: { ...costs, ...(isEdge ? heldWhileAbove.base : {}) },
      sweep_axes: [
        { param: isEdge ? 'fixed_stop_pct' : 'reward_factor', values: isEdge ? [0.6, 0.7, 0.8, 0.9] : [1.5, 2, 3, 4] },
      ],
    },
  };
  if (search !== 'random' && search !== 'tpe') return { ...crosses, ...size };
  if (isEdge) return { ...crosses, ...size };
  const large = largeSweep({ ...size, datasets: crosses.datasets });
  const { sweep_axes } = large.execution_config as { readonly sweep_axes: unknown };
  return { ...large, execution_config: { base: costs, sweep_axes } };
}

/** A sweep that was judged, with what a chain of sweeps needs to know of it. */
export interface JudgedSweep {
  readonly trust: LeaderAssessment | null;
  /** Judges the same sweep after other tries, or none. */
  readonly after: (earlier: EarlierTries) => LeaderAssessment | null;
  /** Rules and execution settings of the leader. */
  readonly rules: readonly { readonly name: string; readonly params: Readonly<Record<string, number>> }[];
  readonly rewardFactor: number;
  readonly tries: number;
}

/** A grid of crosses over two averages, by the values of its parameters. */
export interface CrossGrid {
  readonly fast: unknown;
  readonly slow: unknown;
  /** Windows of an average that the price is above; null for none. */
  readonly trend: unknown;
  /** Targets by their reward; null holds until averages like those of the edge cross. */
  readonly reward: readonly number[] | null;
  readonly costs: boolean;
  readonly combinations: number | null;
}

const exitCross = trigger(
  'sma_cross_down',
  { window_slow: { values: [edgeWindows.slow, 1.2 * edgeWindows.slow] } },
  { params: { window_fast: edgeWindows.fast } },
);

const costsOf = (hasCosts: boolean) =>
  hasCosts ? { fee_pct: 0.001, slippage_pct: 0.0005 } : { fee_pct: 0, slippage_pct: 0 };

/** Judges a grid on the bars. The probability of overfitting, which no test needs, is left out. */
export function judgeGrid(bars: BarSeries, grid: CrossGrid, seed: number): JudgedSweep {
  const { fast, slow, trend, reward, costs, combinations } = grid;
  const found: SweepDataset = { ...dataset('NOISE'), rows: bars.barCount };
  const base = { ...costsOf(costs), ...(reward === null ? heldWhileAbove.base : {}) };
  const sweep = {
    name: 'calibration',
    datasets: [{ asset: 'NOISE', timeframe: '1h' }],
    entry_signals: {
      triggers: [trigger('sma_cross_up', { window_fast: fast, window_slow: slow } as never)],
      filters: trend === null ? [] : [filter('is_above_sma', { window: trend } as never)],
    },
    ...(reward === null ? { exit_signals: { triggers: [exitCross] } } : {}),
    ...(combinations === null ? {} : { grid_signals: { n_param_combos: combinations } }),
    execution_config: { base, sweep_axes: reward === null ? [] : [{ param: 'reward_factor', values: reward }] },
    seed,
  };
  const { definition, errors } = readSweep(
    sweep,
    () => found,
    () => ({ bars, first: 0 }),
    [],
    undefined,
    'relaxed',
  );
  if (definition === null) throw new Error(errors.join('; '));
  const plan = planSweep(definition, { sha256, runsMax: 1_000_000 });
  const kernel = new SweepKernel(definition, bars, 0, CACHE_BYTES_MAX);
  try {
    const { rows, runs, leader } = runAll(definition, plan, kernel, 0);
    const tries = rows.length;
    if (leader === -1) return { trust: null, after: () => null, rules: [], rewardFactor: 0, tries };
    const best = plan.run(runs[leader]!);
    const { simulation, config } = kernel.trace(best);
    const input = {
      trials: matrixOf(rows),
      leader,
      trialCount: tries,
      startup: null,
      ...leaderFacts({ bars, first: 0, trades: simulation.trades, daily: kernel.dailyReturns(best), daysPerYear: 365 }),
      seed,
      earlier: NOTHING_EARLIER,
    };
    const { seed: own, ...options } = luckQuestion(input);
    const tests = testBestOfMany(input.trials, { random: new SplitMix64(own), ...options });
    const after = (earlier: EarlierTries) => assessLeader({ ...input, earlier }, { tests, overfitting: null });
    return {
      ...{ trust: after(NOTHING_EARLIER), after, tries },
      rules: JSON.parse(rulesText(best.entry, best.dataset)) as JudgedSweep['rules'],
      rewardFactor: config.reward_factor,
    };
  } finally {
    kernel.release();
  }
}

/**
 * Runs a sweep over a market that the seed draws, and judges its leader as `barline sweep` does.
 */
export function judge(setting: Setting, seed: number): Judgement {
  const bars = barsOf(setting.market, seed);
  const found: SweepDataset = { ...dataset('NOISE'), rows: bars.barCount };
  const { definition, errors } = readSweep(
    { ...sweepOf(setting), seed },
    () => found,
    () => ({ bars, first: 0 }),
    [],
    'refused',
    setting.style === undefined ? 'documented' : 'relaxed',
  );
  if (definition === null) throw new Error(errors.join('; '));
  const plan = planSweep(definition, { sha256, runsMax: 1_000_000 });
  const last = definition.datasets.length - 1;
  const { from: first, to } = definition.datasets[last]!.fold?.train ?? { from: 0, to: bars.barCount };
  return judgeRuns(definition, plan, sliceBars(bars, 0, to), first, last, seed);
}

function judgeRuns(
  definition: SweepDefinition,
  plan: SweepPlan,
  bars: BarSeries,
  first: number,
  datasetIndex: number,
  seed: number,
): Judgement {
  const { tpe } = definition;
  const kernel = new SweepKernel(definition, bars, first, CACHE_BYTES_MAX);
  try {
    const { rows, runs, leader, startupCount } = runAll(definition, plan, kernel, datasetIndex);
    if (leader === -1) return { luck: null, market: null, timing: null, superior: null, fails: null };
    const best = plan.run(runs[leader]!);
    const { trades } = kernel.trace(best).simulation;
    const trust = assessLeader({
      trials: matrixOf(rows),
      leader,
      trialCount: rows.length,
      startup: tpe === null ? null : { trials: matrixOf(rows.slice(0, startupCount)), goodFraction: tpe.goodFraction },
      ...leaderFacts({ bars, first, trades, daily: kernel.dailyReturns(best), daysPerYear: 365 }),
      seed,
      earlier: NOTHING_EARLIER,
    });
    const { luckP, marketP, timing, superiorP, fails } = trust;
    return { luck: luckP, market: marketP, timing: timing?.pValue ?? null, superior: superiorP, fails };
  } finally {
    kernel.release();
  }
}

function matrixOf(rows: readonly Float32Array[]): TrialReturns {
  const periodCount = rows[0]!.length;
  const values = new Float32Array(rows.length * periodCount);
  for (const [i, row] of rows.entries()) values.set(row, i * periodCount);
  return { rowCount: rows.length, periodCount, values };
}

/** Runs everything, in the order of the plan, and finds the leader by Sharpe ratio. */
function runAll({ tpe }: SweepDefinition, plan: SweepPlan, kernel: SweepKernel, datasetIndex: number) {
  const rows: Float32Array[] = [];
  const runs: number[] = [];
  const values = new Float64Array(metricNames.length);
  let leader = -1;
  let best = [-1, -Infinity];
  let startupCount = 0;
  const measure = (run: number): number => {
    const one = plan.run(run);
    if (one.datasetIndex !== datasetIndex || kernel.run(one, values) !== 'ok') return NaN;
    rows.push(kernel.periodReturns());
    runs.push(run);
    if (tpe !== null && run < tpe.startupTrials) startupCount++;
    const [sharpe, mayLead] = [values[SHARPE]!, values[TRADES]! >= MIN_TRADES ? 1 : 0];
    if (mayLead > best[0]! || (mayLead === best[0] && sharpe > best[1]!)) {
      leader = rows.length - 1;
      best = [mayLead, sharpe];
    }
    return sharpe;
  };
  if (plan.search === null) for (let run = 0; run < plan.totalRuns; run++) measure(run);
  const results = new Float64Array(plan.search === null ? 0 : plan.totalRuns);
  for (let batch = plan.search?.propose() ?? null; batch !== null; batch = plan.search?.propose() ?? null) {
    for (let run = batch.from; run < batch.to; run++) results[run] = measure(run);
    plan.search?.tell(results.subarray(batch.from, batch.to));
  }
  return { rows, runs, leader, startupCount };
}
