// Asks: what do sides, margin and moving stops cost a sweep? Both sides a trade beside one side,
// trailing stops beside fixed ones, and, with `--before DIR`, a long-only sweep beside that of
// another built tree.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolveConfig, simulateByStep } from '../engine/execution/index.js';
import { sma } from '../engine/indicators/rolling.js';
import { computeMetrics, metricNames } from '../engine/metrics/index.js';
import { allocateBars, type BarSeries, createMask, setBit } from '../engine/series/index.js';
import { FusedRuns, type RunMasks } from '../engine/sweep/fused-runs.js';
import { SweepKernel } from '../engine/sweep/index.js';
import { root } from '../test/support/tree.js';
import { medianMs, medianOf, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { crosses, crossesOfBothSides, often, planOver } from './sweep-plans.js';

/** What a sweep needs of the engine, of this tree or of another. */
const engine = { SweepKernel, allocateBars };
type Engine = typeof engine;

const CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** Both sides may not cost more a trade than one on margin, but for what a measurement moves. */
const SIDES_MAX = 1.1;
/** One side paid in full has an entry of the kernels of its own, which is a fifth faster. */
const PLAIN_MAX = 1.4;
const TRAILING_MAX = 2;

const off = { short_loss_limit: 0, long_loss_limit: 0, short_window_bars: 0, long_window_bars: 0 };
/** Trades are short, so that nearly every signal of either side is one. */
const plain = {
  ...{ fee_pct: 0.0005, slippage_pct: 0.0002, max_open_positions: 1 },
  ...{ max_hold_bars: 6, cooldown_config: { '1h': off } },
};
const cases = {
  'one side': { hasShort: false, settings: plain },
  'one side on margin': { hasShort: false, settings: { ...plain, leverage: 2 } },
  'both sides': { hasShort: true, settings: plain },
  'fixed stops': { hasShort: true, settings: { ...plain, target_calculation: 'none' } },
  'trailing stops': { hasShort: true, settings: { ...plain, target_calculation: 'none', trailing_distance: 1 } },
} as const;
type Case = keyof typeof cases;

/**
 * Entries at crosses of pairs of averages: up for the long side, down for the short one. As in a
 * sweep there are many, so that the processor does not learn the course of each run.
 */
function crossMasks({ close, barCount }: BarSeries): Required<RunMasks>[] {
  const averageOf = (window: number) => {
    const out = new Float64Array(barCount);
    sma(close, window, out);
    return out;
  };
  const nowhere = createMask(barCount);
  return Array.from({ length: 15 }, (_, k) => 4 + k).flatMap((fast) =>
    Array.from({ length: 16 }, (_, k) => 25 + 5 * k).map((slow) => {
      const [a, b] = [averageOf(fast), averageOf(slow)];
      const [up, down] = [createMask(barCount), createMask(barCount)];
      for (let t = slow; t < barCount; t++) {
        if (a[t]! > b[t]! && a[t - 1]! <= b[t - 1]!) setBit(up, t);
        if (a[t]! < b[t]! && a[t - 1]! >= b[t - 1]!) setBit(down, t);
      }
      return { entry: up, exit: nowhere, shortEntry: down, shortExit: nowhere };
    }),
  );
}

/** Runs a case over all masks, and returns its trades. */
function runnerOf(bars: BarSeries, masks: readonly Required<RunMasks>[], name: Case) {
  const { hasShort, settings } = cases[name];
  const { config } = resolveConfig({ request: settings, interval: bars.intervalMs, takesPositionFields: true });
  const fused = FusedRuns.over(bars, 0) ?? assert.fail('the bars are not in reach of the kernels');
  const rulesOf = ({ entry, exit, shortEntry, shortExit }: Required<RunMasks>): RunMasks =>
    hasShort ? { entry, exit, shortEntry, shortExit } : { entry, exit };
  const rules = masks.map(rulesOf);
  const run = () => rules.reduce((trades, one) => trades + (fused.run(one, config)?.trades.count ?? NaN), 0);
  return { run, config, rules };
}

/** The metrics of the bar-by-bar run are those of the run in one call. */
function checkAnswers(bars: BarSeries, masks: readonly Required<RunMasks>[]): void {
  for (const name of Object.keys(cases) as Case[]) {
    const { run, config, rules } = runnerOf(bars, masks, name);
    const stepped = rules.map((one) => simulateByStep({ bars, first: 0, ...one, config }));
    assert.equal(
      run(),
      stepped.reduce((sum, { trades }) => sum + trades.length, 0),
      `trades of ${name}`,
    );
    const fused = FusedRuns.over(bars, 0);
    for (const [k, simulation] of stepped.entries()) {
      const { total_return } = computeMetrics({ ...simulation, bars, first: 0, config });
      const growth = (fused?.run(rules[k]!, config)?.endingBalance ?? NaN) / config.initial_balance - 1;
      assert.equal(growth, total_return, `return of ${name}`);
    }
  }
}

/** CPU of interleaved pairs, the second over the first: median and quartiles. */
function cpuRatio(rounds: number, first: () => void, second: () => void) {
  const cpuOf = (run: () => void): number => {
    const from = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(from);
    return user + system;
  };
  const ratios = Array.from({ length: rounds }, (_, k) => {
    if (k % 2 === 0) {
      const a = cpuOf(first);
      return cpuOf(second) / a;
    }
    const b = cpuOf(second);
    return b / cpuOf(first);
  }).sort((a, b) => a - b);
  const at = (share: number) => ratios[Math.floor(share * (ratios.length - 1))]!;
  return { median: medianOf(ratios), low: at(0.25), high: at(0.75) };
}

const said = ({ median, low, high }: ReturnType<typeof cpuRatio>, factor = 1): string =>
  `${(factor * median).toFixed(3)} (${(factor * low).toFixed(3)} to ${(factor * high).toFixed(3)})`;

export async function run({ isSmoke, before }: Sizes): Promise<Timing[]> {
  checkAnswers(seededBars(2_000), crossMasks(seededBars(2_000)));
  const barCount = isSmoke ? 2_000 : 10_000;
  const rounds = isSmoke ? 3 : 41;
  const bars = seededBars(barCount);
  const masks = crossMasks(bars);
  const runners = Object.fromEntries(
    (Object.keys(cases) as Case[]).map((name) => {
      const { run } = runnerOf(bars, masks, name);
      // A call takes a fraction of a millisecond, less than the clock of a process tells apart.
      const repeat = () => {
        for (let k = 0; k < (isSmoke ? 1 : 3); k++) run();
      };
      repeat();
      return [name, { repeat, trades: run() }];
    }),
  ) as Record<Case, { readonly repeat: () => void; readonly trades: number }>;
  const against = (first: Case, second: Case) => cpuRatio(rounds, runners[first].repeat, runners[second].repeat);
  const aTrade = (name: Case) => runners[name].trades / runners['both sides'].trades;
  const [perPlain, perTrade] = [aTrade('one side'), aTrade('one side on margin')];
  const plainSides = against('one side', 'both sides');
  const sides = against('one side on margin', 'both sides');
  const trailing = against('fixed stops', 'trailing stops');
  console.log(`both sides over one on margin, CPU a trade ${said(sides, perTrade)}`);
  console.log(`both sides over one side, CPU a trade      ${said(plainSides, perPlain)}`);
  console.log(`trailing stops over fixed ones, CPU a run  ${said(trailing)}`);
  if (!isSmoke) {
    assert.ok(sides.low * perTrade <= SIDES_MAX, 'both sides cost more a trade than one');
    assert.ok(plainSides.low * perPlain <= PLAIN_MAX, 'both sides cost much more a trade than one paid in full');
    assert.ok(trailing.low <= TRAILING_MAX, 'trailing stops cost more than twice a fixed one');
  }
  const [longSweep, bothSweep] = [sweepOver(engine), sweepOver(engine, crossesOfBothSides)];
  const tradesOf = (sweep: () => Float64Array) => sweep()[metricNames.indexOf('total_trades')]!;
  const perSwept = tradesOf(longSweep) / tradesOf(bothSweep);
  const swept = cpuRatio(
    rounds,
    () => void longSweep(),
    () => void bothSweep(),
  );
  console.log(`a sweep of both sides over one of one, CPU a trade ${said(swept, perSwept)}`);
  if (!isSmoke) assert.ok(swept.low * perSwept <= PLAIN_MAX, 'a sweep of both sides costs much more a trade');
  if (before !== undefined)
    console.log(`a long-only sweep over that of ${before}, CPU  ${said(await raced(before, rounds))}`);
  const unit = yardstickMs(barCount);
  return (Object.keys(cases) as Case[]).map((name) => {
    const ms = medianMs(isSmoke ? 1 : 15, runners[name].repeat) / (masks.length * (isSmoke ? 1 : 3));
    return { name, bars: barCount, p50Ms: ms, nsPerBar: (ms * 1e6) / barCount, yardsticks: ms / unit };
  });
}

/** A long-only sweep of this tree against the same one of another tree, both of them built. */
async function raced(before: string, rounds: number) {
  const door = (folder: string, name: string) =>
    import(pathToFileURL(join(folder, `dist/engine/${name}/index.js`)).href) as Promise<Engine>;
  const built = async (folder: string) => ({ ...(await door(folder, 'series')), ...(await door(folder, 'sweep')) });
  const own = sweepOver(await built(root));
  const theirs = sweepOver(await built(before));
  assert.deepEqual(own(), theirs());
  return cpuRatio(
    rounds,
    () => void theirs(),
    () => void own(),
  );
}

/** Makes a plan over the asset. */
type SweptOver = (asset: string, filters: readonly object[], combinations: number) => object;

/** The sums of all metrics of a sweep of crosses with a filter. */
function sweepOver({ SweepKernel, allocateBars }: Engine, sweep: SweptOver = crosses): () => Float64Array {
  const source = seededBars(10_000);
  const bars = allocateBars(source.barCount, source.intervalMs);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(source[name]);
  const { definition, plan } = planOver(sweep('BENCH', [often], 500), source);
  const runs = Array.from({ length: plan.totalRuns }, (_, k) => plan.run(k));
  const kernel = new SweepKernel(definition, bars, 0, CACHE_BYTES_MAX);
  const values = new Float64Array(metricNames.length);
  return () => {
    const sums = new Float64Array(metricNames.length);
    for (const one of runs) {
      kernel.run(one, values);
      for (let m = 0; m < sums.length; m++) sums[m]! += Number.isNaN(values[m]!) ? 0 : values[m]!;
    }
    return sums;
  };
}
