import assert from 'node:assert/strict';
import test from 'node:test';
import { type ExecutionConfig, simulate } from '../../engine/execution/index.js';
import { computeMetrics } from '../../engine/metrics/index.js';
import { type BarSeries, HOUR_MS, isoTime, sliceBars } from '../../engine/series/index.js';
import {
  evaluateRules,
  neededHistoryMs,
  type OtherBars,
  parseStrategy,
  planStrategy,
} from '../../engine/strategy/index.js';
import {
  type FurtherSeries,
  HistoryKernels,
  planSweep,
  readSweep,
  rulesText,
  type SweepDefinition,
  SweepKernel,
  type SweepRun,
  tradedIn,
} from '../../engine/sweep/index.js';
import { aggregateBars } from '../../engine/timeframes/index.js';
import { firstRead } from '../support/alone.js';
import { pick } from '../support/mixed-worlds.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { filter, findDataset, runIn, sha256, trigger } from '../support/sweeps.js';

/**
 * Sweeps whose rules are chosen among groups, negated, remembered and read on other assets, on both
 * sides and with finer bars: each run is the backtest of its row.
 */

const QUARTER_MS = HOUR_MS / 4;
const TIMEFRAMES = [undefined, undefined, '4h', '1d'];

/** Another asset with holes, whose bars begin earlier or later and may be coarser. */
function otherBars(seed: number, random: () => number): BarSeries {
  const bars = randomBars({ seed, barCount: 900, intervalMs: pick(random, [QUARTER_MS, HOUR_MS]), gapChance: 0.02 });
  return sliceBars(bars, pick(random, [0, 0, 100]), bars.barCount);
}

function reachOf(random: () => number) {
  return {
    ...(random() < 0.3 && { negate: true }),
    ...(random() < 0.3 && { within_bars: pick(random, [1, 2, 9]) }),
    ...(random() < 0.4 && { asset: pick(random, ['OTHER', 'RND']) }),
    timeframe: pick(random, TIMEFRAMES),
  };
}

function groupOf(random: () => number) {
  const triggers = [
    trigger('sma_cross_up', { window_fast: { values: [2, 3] } }, { params: { window_slow: 8 }, ...reachOf(random) }),
    trigger('rsi_cross_down', { threshold: { values: [45, 60] } }, { params: { window: 5 }, ...reachOf(random) }),
  ].slice(0, pick(random, [1, 2]));
  const filters = [filter('is_above_sma', { window: { values: [5, 20] } }, reachOf(random))];
  return { triggers, filters: random() < 0.5 ? filters : [] };
}

const sideOf = (random: () => number) =>
  random() < 0.5 ? groupOf(random) : { any: Array.from({ length: pick(random, [1, 2, 3]) }, () => groupOf(random)) };

function sweepOf(random: () => number) {
  const axes = [
    { param: 'opposite_entry', values: ['deny', 'reverse', 'hedge'] },
    { param: 'detail_interval', values: [null, '15m'] },
    { param: 'trailing_distance', values: [null, 0.5] },
    { param: 'scale_out', values: [null, [[0.5, 0.5]]] },
  ].filter(() => random() < 0.5);
  return {
    name: 'reach',
    seed: Math.floor(random() * 1_000),
    datasets: [{ asset: 'RND', timeframe: '1h' }],
    entry_signals: sideOf(random),
    ...(random() < 0.6 && { exit_signals: sideOf(random) }),
    ...(random() < 0.6 && { short_entry_signals: sideOf(random) }),
    grid_signals: { n_param_combos: 6 },
    execution_config: {
      base: {
        stop_loss_calculation: 'fixed',
        fixed_stop_pct: 0.01,
        reward_factor: 1,
        atr_period: 1,
        min_trade_amount: 1,
      },
      sweep_axes: axes,
    },
  };
}

interface Swept {
  readonly definition: SweepDefinition;
  readonly bars: BarSeries;
  readonly bytes: number;
  readonly further: FurtherSeries;
  readonly from: number;
  readonly to: number;
}

function kernelsOf(kind: 'whole' | 'fold' | 'window', { definition, bars, bytes, further, from, to }: Swept) {
  if (kind === 'whole') {
    const kernel = new SweepKernel(definition, bars, from, bytes, further);
    return { over: () => kernel, release: () => kernel.release() };
  }
  const startMs = bars.time[from]!;
  if (kind === 'fold') {
    const window = { start_date: isoTime(startMs), end_date: '', from, to };
    return new HistoryKernels(definition, tradedIn({ bars, further }, window), bytes);
  }
  const cut = sliceBars(bars, 0, to);
  const others = { ...further.others, RND: cut };
  return new HistoryKernels(definition, { bars: cut, startMs, further: { ...further, others } }, bytes);
}

/** A run from the text of its row, with nothing that a sweep shares. */
function planOf(run: SweepRun, intervalMs: number) {
  const { entry, exit, short, dataset } = run;
  const sides = short === undefined ? {} : { short_entry: short.entry, short_exit: short.exit };
  const json = Object.fromEntries(
    Object.entries({ entry, exit, ...sides }).map(([list, rules]) => [list, JSON.parse(rulesText(rules, dataset))]),
  );
  const plan = planStrategy(parseStrategy(json, 'relaxed', { takesSides: true }), intervalMs);
  assert.deepEqual(plan.denied, []);
  return plan;
}

function backtestOf(run: SweepRun, bars: BarSeries, others: OtherBars, first: number) {
  const plan = planOf(run, bars.intervalMs);
  const masks = evaluateRules(plan, bars, others);
  return {
    ...{ bars, first, entry: masks.entry, exit: masks.exit },
    ...(masks.short !== undefined && { shortEntry: masks.short.entry, shortExit: masks.short.exit }),
  };
}

test('every run of a sweep is the backtest of its row, whole or in a window, with a cache of any size', () => {
  const seen = { traded: 0, choices: 0, shorts: 0, resolved: 0, folds: 0, windows: 0 };
  for (let seed = 1; seed <= runs(10, 500); seed++) {
    const random = seededRandom(seed);
    const finer = randomBars({ seed, barCount: 4 * 600, intervalMs: QUARTER_MS });
    const { bars } = aggregateBars(finer, HOUR_MS);
    const json = sweepOf(random);
    const { definition, errors } = readSweep(json, findDataset, undefined, [], undefined, 'relaxed');
    assert.ok(definition !== null, errors.join());
    const plan = planSweep(definition, { sha256, runsMax: 1_000_000 });
    const others = { OTHER: otherBars(seed + 1, random), RND: bars };
    const further = { others, details: { '15m': finer } };
    const bytes = pick(random, [0, 20_000, 16_000_000]);
    const kind = pick(random, ['whole', 'fold', 'window', 'window'] as const);
    const [from, to] = { whole: [0, bars.barCount], fold: [200, 450], window: [430, 590] }[kind] as [number, number];
    const kernels = kernelsOf(kind, { definition, bars, bytes, further, from, to });
    for (let k = 0; k < plan.totalRuns; k++) {
      const run: SweepRun = plan.run(k);
      const config: ExecutionConfig = definition.variants.config(run.variant, HOUR_MS);
      const detail = config.detail_interval === undefined ? undefined : finer;
      const history = kind !== 'whole' ? neededHistoryMs(planOf(run, HOUR_MS), config) : Infinity;
      const own = firstRead(bars, bars.time[from]!, history);
      const cut = sliceBars(bars, own, to);
      const other = sliceBars(others.OTHER, firstRead(others.OTHER, bars.time[from]!, history), Infinity);
      const input = { ...backtestOf(run, cut, { OTHER: other, RND: cut }, from - own), detail, config };
      const simulation = simulate(input);
      const { status, metrics } = runIn(kernels.over(run), run);
      assert.deepEqual(metrics, computeMetrics({ ...input, ...simulation }), `seed ${seed}, run ${k}, ${status}`);
      if (simulation.trades.length > 0) seen.traded++;
      if (run.entry.some(({ group }) => group !== undefined)) seen.choices++;
      if (simulation.trades.some(({ details }) => details?.side === 'short')) seen.shorts++;
      seen.resolved += simulation.sided?.detail.resolved ?? 0;
      if (kind === 'fold') seen.folds++;
      if (own > 0) seen.windows++;
    }
    kernels.release();
  }
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 10, `${what}: ${times}`);
});
