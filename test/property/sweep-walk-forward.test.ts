import assert from 'node:assert/strict';
import test from 'node:test';
import { metricNames } from '../../engine/metrics/index.js';
import {
  allocateBars,
  type BarSeries,
  DAY_MS,
  HOUR_MS,
  priceColumns,
  shareBars,
  sliceBars,
  viewBars,
} from '../../engine/series/index.js';
import {
  type FoldWindow,
  HistoryKernels,
  planSweep,
  readSweep,
  type SweepDefinition,
  type SweepRun,
  tradedIn,
  WindowKernels,
} from '../../engine/sweep/index.js';
import { runStatuses } from '../../workers/index.js';
import { alone, firstReadOf } from '../support/alone.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs, soak } from '../support/scale.js';
import { runChunks, setupFor } from '../support/sweep-setup.js';
import { crossSweep, definitionOf, findDataset, sha256 } from '../support/sweeps.js';

/**
 * What a single backtest over the window computes, from a series of its own that ends with the
 * window.
 * @param begin index of its first bar
 */
function aloneOver(run: SweepRun, definition: SweepDefinition, whole: BarSeries, window: FoldWindow, begin = 0) {
  const bars = allocateBars(window.to - begin, whole.intervalMs);
  for (const name of ['time', ...priceColumns] as const) bars[name].set(whole[name].subarray(begin, window.to));
  return alone(run, definition, bars, window.from - begin);
}

type Trace = ReturnType<ReturnType<HistoryKernels['over']>['trace']>;

/** Any signals with any parameters, some of them on days. */
const wide = (walk_forward: object, more: object = {}) =>
  crossSweep({
    search_mode: 'random',
    n_random: runs(10, 1_000),
    datasets: [{ asset: 'BTC', timeframe: '1h' }],
    entry_signals: {},
    exit_signals: {},
    execution_config: {
      base: { min_trade_amount: 10, atr_period: 4 },
      sweep_axes: [
        { param: 'stop_loss_calculation', values: ['dynamic_atr', 'fixed'] },
        { param: 'max_open_positions', values: [1, 3] },
        { param: 'reward_factor', values: [1, 2.5] },
      ],
    },
    walk_forward,
    ...more,
  }) as { readonly datasets: readonly unknown[] };

test('training never reaches its test, tests never overlap, and every bar of a window lies in its days', () => {
  const random = seededRandom(4);
  const below = (n: number) => Math.floor(random() * n);
  let seen = 0;
  for (let round = 0; round < runs(30, 5_000); round++) {
    const bars = randomBars({
      seed: round,
      barCount: 200 + below(1_500),
      intervalMs: [HOUR_MS, 4 * HOUR_MS, DAY_MS][below(3)],
      startMs: Date.UTC(2024, 0, 1) + below(48) * HOUR_MS,
      gapChance: below(2) * 0.2,
    });
    const walk = {
      mode: random() < 0.5 ? 'rolling' : 'anchored',
      train_days: 1 + below(20),
      test_days: 1 + below(8),
      embargo_days: below(4),
    };
    const { definition, errors } = readSweep(wide(walk), findDataset, () => ({ bars, first: 0 }));
    if (definition === null) {
      assert.match(
        errors.join(),
        /^BTC 1h: walk_forward (needs \d+ whole days|has no fold with bars|must have at most 1000 folds)/,
      );
      continue;
    }
    const folds = definition.datasets.map(({ fold }) => fold!);
    const dayOf = (date: string) => Date.parse(date) / DAY_MS;
    for (const [k, { train, test: tested, index }] of folds.entries()) {
      for (const { from, to, start_date, end_date } of [train, tested]) {
        assert.ok(from < to);
        assert.ok(bars.time[from] >= Date.parse(start_date));
        assert.ok(bars.time[to - 1] + bars.intervalMs <= Date.parse(end_date) + DAY_MS);
        // And no bar of these days is missing from it.
        assert.ok(from === 0 || bars.time[from - 1] < Date.parse(start_date));
        assert.ok(to === bars.barCount || bars.time[to] + bars.intervalMs > Date.parse(end_date) + DAY_MS);
      }
      const embargoed = Date.parse(tested.start_date) - walk.embargo_days * DAY_MS;
      assert.ok(bars.time[train.to - 1] < embargoed && train.to <= tested.from);
      assert.equal(dayOf(tested.end_date) - dayOf(tested.start_date) + 1, walk.test_days);
      const grown = walk.mode === 'anchored' ? index * walk.test_days : 0;
      assert.equal(dayOf(train.end_date) - dayOf(train.start_date) + 1, walk.train_days + grown);
      const next = folds[k + 1];
      if (next !== undefined) assert.ok(tested.to <= next.test.from && tested.end_date < next.test.start_date);
      seen++;
    }
  }
  assert.ok(seen > 500, `${seen} folds were looked at`);
});

test('every run in the threads equals a single backtest over its window with its history, bit by bit', async () => {
  const walk = { mode: 'rolling', train_days: 60, test_days: 60, embargo_days: 3 };
  const datasets = ['BTC', 'ETH'].map((asset) => ({ asset, timeframe: '1h' }));
  for (const mode of soak ? ['rolling', 'anchored'] : ['rolling']) {
    const sweep = wide({ ...walk, mode }, { datasets });
    const series = datasets.map((_, seed) =>
      randomBars({ seed, barCount: 24 * 250, flatChance: 0.1, startMs: Date.UTC(2023, 5, 3, 7) }),
    );
    const definition = definitionOf(sweep, ({ asset }) => series[asset === 'BTC' ? 0 : 1]);
    const plan = planSweep(definition, { sha256, runsMax: 1_000_000 });
    const setup = setupFor(sweep, 0, { bars: series.map((bars) => ({ shared: shareBars(bars), first: 0 })) });
    const seen = { ok: 0, no_trades: 0, skipped: 0, error: 0 };
    let cut = 0;
    await runChunks({
      setup,
      threads: 1,
      batches: [[{ from: 0, to: plan.totalRuns }]],
      onChunk: async ({ from, count, statuses, metrics }) => {
        for (let k = 0; k < count; k++) {
          const run = plan.run(from + k);
          const { fold } = run.dataset;
          const { source, train } = fold!;
          const begin = firstReadOf(run, definition, series[source], Date.parse(train.start_date));
          const expected = aloneOver(run, definition, series[source], train, begin);
          if (begin > 0) cut++;
          const status = runStatuses[statuses[k]];
          assert.equal(status === 'ok', expected.trades.length > 0);
          assert.deepEqual(
            Array.from(metrics.subarray(k * metricNames.length, (k + 1) * metricNames.length)),
            metricNames.map((name) => expected.metrics[name] ?? NaN),
            `run ${from + k}, ${status}`,
          );
          seen[status]++;
        }
      },
    });
    assert.equal(seen.ok + seen.no_trades + seen.skipped, plan.totalRuns);
    assert.equal(definition.datasets.length, 6);
    assert.ok(seen.ok > 25 && seen.skipped > 10, JSON.stringify(seen));
    assert.ok(cut > 10, `${cut} runs do not read all bars before their window`);
  }
});

test('bars after a training window change no run of its fold', () => {
  const walk = { mode: 'anchored', train_days: 40, test_days: 30, embargo_days: 2 };
  const bars = randomBars({ seed: 8, barCount: 24 * 150 });
  const definition = definitionOf(wide(walk), () => bars);
  const plan = planSweep(definition, { sha256, runsMax: 1_000_000 });
  let traded = 0;
  for (const [index, { fold }] of definition.datasets.entries()) {
    const { train } = fold!;
    const changed = randomBars({ seed: 8, barCount: bars.barCount });
    const other = randomBars({ seed: 9, barCount: bars.barCount, volatility: 0.1 });
    for (const name of priceColumns) {
      changed[name].set(other[name].subarray(train.to), train.to);
    }
    const kernels = [bars, changed].map(
      (series) => new HistoryKernels(definition, tradedIn({ bars: series }, train), 16_000_000),
    );
    for (let i = 0; i < plan.totalRuns; i++) {
      const run = plan.run(i);
      if (run.datasetIndex !== index) continue;
      const [a, b] = kernels.map((each) => each.over(run).trace(run)) as [Trace, Trace];
      assert.deepEqual(b.metrics, a.metrics, `run ${i}`);
      assert.deepEqual(b.simulation.trades, a.simulation.trades, `run ${i}`);
      traded += a.simulation.trades.length;
    }
  }
  assert.ok(traded > 100, `${traded} trades`);
});

test('a kernel over a window sees a part of the shared memory, and its masks are those of its bars alone', () => {
  const bars = randomBars({ seed: 3, barCount: 24 * 60 });
  const random = seededRandom(11);
  const definition = definitionOf(wide({ mode: 'rolling', train_days: 20, test_days: 5 }), () => bars);
  const plan = planSweep(definition, { sha256, runsMax: 1_000_000 });
  const kernels = new WindowKernels(definition, bars, 1_000_000);
  for (let round = 0; round < runs(6, 1_000); round++) {
    // Windows of any bars, so that masks end within a word.
    const to = 1 + Math.floor(random() * bars.barCount);
    const window = { start_date: '', end_date: '', from: Math.floor(random() * to), to };
    const run = plan.run(Math.floor(random() * plan.totalRuns));
    const { simulation, metrics } = kernels.over(window).trace(run);
    const expected = aloneOver(run, definition, bars, window);
    assert.deepEqual(metrics, expected.metrics);
    assert.deepEqual(simulation.trades, expected.trades);
    assert.equal(simulation.equity.length, to - window.from);
  }
  const view = sliceBars(bars, 0, 100);
  for (const name of ['time', ...priceColumns] as const) {
    assert.equal(view[name].buffer, bars[name].buffer);
    assert.equal(view[name].byteOffset, bars[name].byteOffset);
  }
});

test('any number of folds of one dataset share one memory, each at its own place', () => {
  const sweep = wide({ mode: 'anchored', train_days: 1, test_days: 1 });
  const setup = setupFor(sweep, 24 * 100);
  const definition = definitionOf(sweep, () => viewBars(setup.bars[0].shared));
  assert.equal(definition.datasets.length, 99);
  assert.equal(setup.bars.length, 1);
  assert.ok(setup.bars[0].shared.buffer instanceof SharedArrayBuffer);
  assert.ok(
    definition.datasets.every(({ fold }) => fold!.source === 0 && fold!.test.to <= setup.bars[0].shared.barCount),
  );
});
