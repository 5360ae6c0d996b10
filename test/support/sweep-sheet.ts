import type { Assessment, WalkForward } from '../../engine/sweep/index.js';
import type { Explored, SheetRun, SweepSheet } from '../../report/index.js';
import { seededRandom } from './random.js';

export interface SweepSheetOptions {
  readonly seed?: number;
  readonly runCount?: number;
  readonly title?: string;
  readonly walksForward?: boolean;
}

const bands = (p50: number, spread: number) => ({
  p5: p50 - 2 * spread,
  p25: p50 - spread,
  p50,
  p75: p50 + spread,
  p95: p50 + 2 * spread,
});
const monteCarlo = {
  pathCount: 1_000,
  finalGrowth: bands(1.4, 0.2),
  maxDrawdown: bands(0.2, 0.05),
  ruinProbability: 0.012,
  fan: [],
};

export const honesty: Assessment = {
  walkForward: null,
  wholeSweep: null,
  asset: 'BTC',
  timeframe: '1h',
  leader: { run: 7, metric: 'sharpe_ratio', value: 1.5, trades: 107 },
  minTrades: 30,
  eligibleTrials: 4_096,
  profitableTrials: 1_204,
  bestReturn: 0.6,
  trialCount: 4_096,
  effectiveTrialCount: 812.4,
  sampledTrials: 500,
  effectiveBeyondMarket: 400,
  days: 1_826,
  sharpe: 2.1,
  probabilisticSharpe: 0.9999,
  luckySharpe: 1.9,
  deflatedSharpe: 0.62,
  minTrackRecordDays: 123.4,
  daysPerYear: 365,
  warnings: [],
  minBacktestYears: 5.4,
  overfitting: { splitCount: 924, pbo: 0.31, logits: bands(0.4, 0.5), lossProbability: 0.2, degradationSlope: -0.4 },
  luckP: 0.21,
  realityCheckP: 0.17,
  superiorP: 0.19,
  steps: [{ run: 7, t: 2.9, pValue: 0.21 }],
  marketLine: { alpha: 0.0004, beta: 0.3, t: 1.4, pValue: 0.08 },
  marketP: 0.34,
  everTried: {
    trialCount: 5_000,
    effectiveTrialCount: 900,
    luckySharpe: 1.4,
    deflatedSharpe: 0.5,
    luckP: 0.4,
    marketP: 0.5,
    timingP: 0.06,
    fillsP: null,
    otherAssets: 0,
  },
  timing: { meanReturn: 0.004, randomMeanReturn: 0.001, zScore: 3.4, pValue: 0.04 },
  fills: null,
  fails: 'market',
  reshuffled: monteCarlo,
  bootstrapped: monteCarlo,
  plateau: { neighbours: 6, mean: 1.1 },
  costStress: [
    { factor: 0.5, sharpe: 1.8, totalReturn: 0.9, exhaustedOn: null },
    { factor: 1, sharpe: 1.5, totalReturn: 0.6, exhaustedOn: null },
    { factor: 2, sharpe: 0.7, totalReturn: 0.1, exhaustedOn: null },
  ],
};

export const walkForward: WalkForward = {
  folds: [2020, 2021, 2022, 2023].map((year, i) => ({
    trainFrom: `${year}-01-01`,
    trainTo: `${year}-12-31`,
    testFrom: `${year + 1}-01-01`,
    testTo: `${year + 1}-06-30`,
    run: 11 * i,
    trialCount: 4_096,
    trainTrades: 40,
    inSample: 2.2 - i / 10,
    outOfSample: i === 2 ? -0.4 : 1.2,
    totalReturn: i === 2 ? -0.08 : 0.14,
    marketReturn: i === 2 ? -0.21 : 0.33,
    maxDrawdown: 0.1,
    trades: 20 + i,
  })),
  efficiency: 0.39,
  totalReturn: 0.36,
  sharpe: 0.81,
  marketReturn: 0.86,
  marketSharpe: 0.94,
  profitableFolds: 0.75,
  metric: 'sharpe_ratio',
  minTrades: 30,
  foldsLeftOut: 0,
};

/** The folds of `walkForward`, of which the newest chose a given run. */
const foldsTo = (run: number) =>
  walkForward.folds.map((fold, i, all) => (i === all.length - 1 ? { ...fold, run } : fold));

const run = (index: number, sharpe: number): SheetRun => ({
  run: index,
  dataset: 'BTC 1h',
  entry: [
    {
      name: 'sma_cross_up',
      role: 'TRIGGER',
      params: { window_fast: 5 + index, window_slow: 50 },
      timeframe: null,
      description: 'Fires when the fast simple average crosses above the slow one.',
    },
    { name: 'is_above_sma', role: 'FILTER', params: { window: 200 }, timeframe: '1d', description: '' },
  ],
  exit: [],
  settings: { reward_factor: 2 + (index % 2), max_hold_bars: null },
  feePct: 0.001,
  slippagePct: 0.0005,
  metrics: {
    sharpe_ratio: sharpe,
    total_return: sharpe / 4,
    max_drawdown: 0.2,
    win_rate: 0.4,
    profit_factor: null,
    total_trades: 100 + index,
    total_fees: 321.5,
    net_pnl: 2_500,
  },
});

/**
 * A seeded sweep: Sharpe ratios around a ridge of two windows, two triggers, a setting and a text.
 */
export function randomSweepSheet(options: SweepSheetOptions = {}): SweepSheet {
  const { seed = 3, runCount = 400, title = 'Random sweep', walksForward = false } = options;
  const random = seededRandom(seed);
  const code = (count: number) => Uint16Array.from({ length: runCount }, () => 1 + Math.floor(random() * count));
  const [fast, slow, reward, stop] = [code(6), code(9), code(3), code(2)];
  const trigger = code(2);
  // The other trigger has no such parameter.
  const threshold = code(300).map((value, i) => (trigger[i] === 1 ? value : 0));
  const sharpe = Float64Array.from(fast, (f, i) => (f - slow[i]! / 2) / 3 + random() - 0.4);
  const order = Array.from(sharpe.keys()).sort((a, b) => sharpe[b]! - sharpe[a]!);
  const best = order.slice(0, 100).map((i) => run(i, sharpe[i]!));
  const width = 0.25;
  const low = Math.floor(Math.min(...sharpe, 0) / width) * width;
  const bins = new Array<number>(Math.floor((Math.max(...sharpe, 2) - low) / width) + 1).fill(0);
  for (const value of sharpe) bins[Math.floor((value - low) / width)]!++;
  const explored: Explored = {
    runs: Float64Array.from({ length: runCount }, (_, i) => i),
    runCount,
    bestCount: 0,
    parameters: [
      { name: 'sma_cross_up.window_fast', values: [5, 10, 15, 20, 25, 30], codes: fast },
      { name: 'sma_cross_up.window_slow', values: [40, 50, 60, 70, 80, 90, 100, 110, 120], codes: slow },
      { name: 'reward_factor', values: [1.5, 2, 3], codes: reward },
      { name: 'stop_loss_calculation', values: ['dynamic_atr', 'fixed'], codes: stop },
      { name: 'entry trigger', values: ['rsi_cross_up', 'sma_cross_up'], codes: trigger },
      { name: 'rsi_cross_up.threshold', values: Array.from({ length: 300 }, (_, i) => i / 10), codes: threshold },
    ],
    metrics: [
      { name: 'sharpe_ratio', values: sharpe },
      { name: 'total_return', values: sharpe.map((value) => value / 4) },
      { name: 'max_drawdown', values: sharpe.map((value) => Math.max(0.01, 0.3 - value / 10)) },
      { name: 'total_trades', values: sharpe.map((_, i) => 30 + (i % 50)) },
    ],
  };
  const counts = { ok: runCount, no_trades: 5, skipped: 11, error: 2 };
  const max = Math.max(...sharpe);
  return {
    title,
    by: 'sharpe_ratio',
    minTrades: 30,
    madeOf: [],
    account: null,
    total: runCount + 18,
    done: runCount + 18,
    counts,
    errors: [{ message: 'the stop lies above the price', count: 2 }],
    datasets: [
      {
        name: 'BTC 1h',
        startDate: '2020-01-01',
        endDate: '2024-12-31',
        bars: 43_848,
        counts,
        leader: best[0] ?? null,
        definition: null,
        distribution: {
          low,
          width,
          bins,
          runs: runCount,
          runsAboveZero: sharpe.filter((value) => value > 0).length,
          min: Math.min(...sharpe),
          mean: sharpe.reduce((sum, value) => sum + value, 0) / runCount,
          max,
        },
        honesty: {
          ...honesty,
          leader: { ...honesty.leader, run: order[0] ?? 0, value: max },
          walkForward: walksForward ? { ...walkForward, folds: foldsTo(order[0] ?? 0) } : null,
        },
      },
    ],
    explored,
    best,
    configuration: { name: title, datasets: [{ asset: 'BTC', timeframe: '1h' }] },
    manifest: { experiment_id: 'exp_1', engine_version: '0.1.0', plan_hash: 'ab'.repeat(32), data: 'sha256:01' },
    warnings: [],
  };
}

/** The same sweep, in which no run traded. */
export function idleSweepSheet(status: 'skipped' | 'none'): SweepSheet {
  const sheet = randomSweepSheet();
  const counts = { ok: 0, no_trades: 0, skipped: status === 'skipped' ? 30 : 0, error: 0 };
  return {
    ...sheet,
    total: 30,
    done: counts.skipped,
    counts,
    errors: [],
    datasets: sheet.datasets.map((one) => ({ ...one, counts, leader: null, distribution: null, honesty: null })),
    explored: null,
    best: [],
  };
}
