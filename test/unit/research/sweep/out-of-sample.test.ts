import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { allocateBars, type BarSeries, DAY_MS } from '../../../../engine/series/index.js';
import { ruleOf, type SweepRun } from '../../../../engine/sweep/index.js';
import { runBacktest } from '../../../../research/backtest/index.js';
import { assessSweep, runSweep, type SweepProgress } from '../../../../research/sweep/index.js';
import { csvOf, fileOf } from '../../../support/data-fixtures.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';
import { readRows, sweepsIn } from './swept-rows.js';

const { home, services } = sweepsIn('walk');
const { store } = services;

/**
 * `days` days that rise by 1 % and then fall by 1 %, as many of each as the phases say, over and
 * over.
 */
interface Phase {
  readonly days: number;
  readonly up: number;
  readonly down: number;
}

function daysOf(phases: readonly Phase[]): BarSeries {
  const steps = phases.flatMap(({ days, up, down }) =>
    Array.from({ length: days }, (_, day) => (up + down === 0 ? 1 : day % (up + down) < up ? 1.01 : 1 / 1.01)),
  );
  const bars = allocateBars(steps.length, DAY_MS);
  let price = 100;
  for (const [i, step] of steps.entries()) {
    bars.time[i] = Date.UTC(2024, 0, 1) + i * DAY_MS;
    bars.open[i] = price;
    price *= step;
    bars.close[i] = price;
    bars.high[i] = Math.max(bars.open[i], price);
    bars.low[i] = Math.min(bars.open[i], price);
    bars.volume[i] = 1;
  }
  return bars;
}

/** Waves long enough to follow, and waves that have turned by the time of their crossing. */
const long = (days: number): Phase => ({ days, up: 9, down: 6 });
const short = (days: number): Phase => ({ days, up: 3, down: 3 });
const flat = (days: number): Phase => ({ days, up: 0, down: 0 });
const planted = {
  KEEP: [long(300)],
  FIT: [long(120), short(60)],
  LATE: [flat(125), long(180)],
  IDLE: [flat(200)],
};
for (const [asset, phases] of Object.entries(planted)) {
  await store.import(await fileOf(home, `${asset}.csv`, csvOf(daysOf(phases))), { asset });
}

const sweep = crossSweep({
  datasets: ['ETH', 'KEEP', 'FIT', 'LATE', 'IDLE'].map((asset) => ({ asset, timeframe: '1d' })),
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: [5] } })],
    filters: [filter('is_above_sma', { window: { values: [3, 5] } })],
  },
  exit_signals: { triggers: [trigger('sma_cross_down', {}, { params: { window_fast: 2, window_slow: 5 } })] },
  execution_config: {
    base: {
      ...{ fee_pct: 0, slippage_pct: 0, stop_loss_calculation: 'fixed', reward_factor: 20 },
      trading_days_per_year: 252, // by which the ratio of all test windows is annualized
    },
  },
  walk_forward: { mode: 'rolling', train_days: 120, test_days: 60 },
});
const folder = join(home, 'sweep');
/** Ends as soon as a run is done, if it is to be stopped. */
function run(isStopped: boolean) {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const request = {
    ...{ sweep, folder, experimentId: 'exp_walk', threads: 1, isResumed: !isStopped, stop },
    onProgress: ({ done }: SweepProgress) => {
      if (isStopped && done > 0) Atomics.store(stop, 0, 1);
    },
  };
  return runSweep(request, services);
}

const stopped = await run(true);
const stoppedAssessment = await assessSweep(stopped.prepared, folder, 'total_return');
const outcome = await run(false);
const { definition, plan } = outcome.prepared;
const { records } = await readRows(folder);
const honesty = await assessSweep(outcome.prepared, folder, 'total_return');
const of = (name: string) => honesty.find(({ asset }) => asset === name)!;

/**
 * The run as a separate backtest between two dates, both inclusive; all bars before them are
 * history.
 */
async function backtest({ dataset, entry, exit, variant }: SweepRun, start: string, end: string) {
  const rules = (side: typeof entry) => side.map((choice) => ruleOf(choice, dataset));
  const strategy = { name: 'alone', asset: dataset.asset, entry: rules(entry), exit: rules(exit) };
  const config = definition.variants.settings(variant);
  const request = { strategy, interval: dataset.timeframe, window: { start, end }, config };
  const { result, simulation } = await runBacktest(request, services);
  return { metrics: result.metrics, equity: simulation.equity };
}

test('a stopped sweep has figures of the folds it reached, and continues from there', () => {
  assert.ok(stopped.done > 0 && stopped.done < stopped.total, `${stopped.done} of ${stopped.total}`);
  const { folds, foldsLeftOut } = stoppedAssessment.find(({ asset }) => asset === 'ETH')!.walkForward!;
  assert.equal(folds.length + foldsLeftOut!, 28);
  assert.ok(foldsLeftOut! > 0, String(foldsLeftOut));
  assert.deepEqual(folds.slice(0, -1), of('ETH').walkForward!.folds.slice(0, folds.length - 1));
  assert.deepEqual([outcome.done, outcome.planHash], [outcome.total, stopped.planHash]);
});

test('out-of-sample figures are those of a backtest of the leader over the test window', async () => {
  const { folds, ...all } = of('ETH').walkForward!;
  assert.equal(folds.length, 28);
  let growth = 1;
  let gained = 0;
  const sums = { inSample: 0, outOfSample: 0 };
  const daily: number[] = [];
  const held = (await store.load({ asset: 'ETH', intervalMs: DAY_MS })).bars;
  const moves: number[] = [];
  let market = 1;
  for (const fold of folds) {
    const [first, last] = [fold.testFrom, fold.testTo].map((date) => held.time.indexOf(Date.parse(date))) as [
      number,
      number,
    ];
    assert.equal(fold.marketReturn, held.close[last]! / held.open[first]! - 1);
    market *= 1 + fold.marketReturn;
    const prices = [held.open[first]!, ...held.close.subarray(first, last + 1)];
    moves.push(...prices.slice(1).map((price, i) => price / prices[i]! - 1));
    const traded = records.filter(
      ({ asset, start_date, status }) => asset === 'ETH' && start_date === fold.trainFrom && status === 'ok',
    );
    const best = traded.reduce((a, b) => (Number(b.sharpe_ratio) > Number(a.sharpe_ratio) ? b : a));
    assert.deepEqual([fold.run, fold.inSample, fold.trialCount], [best.run_index, best.sharpe_ratio, traded.length]);
    const { metrics, equity } = await backtest(plan.run(fold.run), fold.testFrom, fold.testTo);
    assert.deepEqual(
      [fold.outOfSample, fold.totalReturn, fold.maxDrawdown, fold.trades],
      [metrics.sharpe_ratio, metrics.total_return, metrics.max_drawdown, metrics.total_trades],
    );
    assert.ok(fold.trainTo < fold.testFrom, fold.testFrom);
    growth *= 1 + metrics.total_return;
    gained += metrics.total_return > 0 ? 1 : 0;
    sums.inSample += fold.inSample!;
    sums.outOfSample += metrics.sharpe_ratio;
    const values = [metrics.starting_balance, ...equity];
    daily.push(...values.slice(1).map((value, i) => value / values[i] - 1));
  }
  const close = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
  close(all.totalReturn, growth - 1);
  close(all.marketReturn, market - 1);
  const average = moves.reduce((sum, one) => sum + one, 0) / moves.length;
  const spread = Math.sqrt(moves.reduce((sum, one) => sum + (one - average) ** 2, 0) / (moves.length - 1));
  close(all.marketSharpe, (average / spread) * Math.sqrt(252));
  close(all.profitableFolds, gained / folds.length);
  close(all.efficiency!, sums.outOfSample / sums.inSample);
  const mean = daily.reduce((sum, value) => sum + value, 0) / daily.length;
  const variance = daily.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (daily.length - 1);
  close(all.sharpe, (mean / Math.sqrt(variance)) * Math.sqrt(252));
});

test('a strategy that fits only the training window loses its efficiency, a lasting one keeps it', () => {
  const [keep, fit] = [of('KEEP').walkForward!, of('FIT').walkForward!];
  assert.deepEqual([keep.folds.length, fit.folds.length], [3, 1]);
  assert.ok(keep.efficiency! > 0.7, String(keep.efficiency));
  assert.equal(keep.profitableFolds, 1);
  assert.ok(fit.folds[0].inSample! > 1, String(fit.folds[0].inSample));
  assert.ok(fit.efficiency! < 0, String(fit.efficiency));
  assert.equal(fit.profitableFolds, 0);
  assert.ok(fit.totalReturn < 0 && fit.sharpe < 0, `${fit.totalReturn} ${fit.sharpe}`);
});

test('folds in which nothing traded are left out and counted, and a dataset of such folds has no figures', () => {
  const { folds, foldsLeftOut } = of('LATE').walkForward!;
  assert.deepEqual([folds.length, foldsLeftOut], [2, 1]);
  assert.equal(of('KEEP').walkForward!.foldsLeftOut, 0);
  assert.equal(of('IDLE'), undefined);
});

test('all other figures are about the newest training window', () => {
  for (const one of honesty) {
    const newest = one.walkForward!.folds.at(-1)!;
    const traded = records.filter(
      ({ asset, start_date, status }) => asset === one.asset && start_date === newest.trainFrom && status === 'ok',
    );
    assert.equal(one.trialCount, traded.length);
    assert.equal(one.days, 120);
    // Whatever metric is asked for: a sweep that walks forward is ranked by the metric of its choices.
    const best = traded.reduce((a, b) => (Number(b.sharpe_ratio) > Number(a.sharpe_ratio) ? b : a));
    const { run_index: run, sharpe_ratio: value, total_trades: trades } = best;
    assert.deepEqual(one.leader, { run, metric: 'sharpe_ratio', value, trades });
    assert.equal(one.eligibleTrials, 0, 'no run trades 30 times in 120 days');
    const asIs = one.costStress.find(({ factor }) => factor === 1)!;
    assert.deepEqual([asIs.sharpe, asIs.totalReturn], [best.sharpe_ratio, best.total_return]);
  }
});
