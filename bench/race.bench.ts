// Asks: how far is a sweep from what the machine can do? One plan (crosses of averages under a
// filter, with an exit rule) by vectorbt where Python has it, by a loop over bars and by a table of
// trades in C where there is a compiler, by the kernel of sweeps, and by the whole command. All are
// measured in CPU time on one thread, and no figure is printed before all agree on every return and
// every number of trades.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBars, writeBars } from '../data/bars/index.js';
import { queryResults } from '../data/sweeps/index.js';
import { metricNames } from '../engine/metrics/index.js';
import type { BarSeries } from '../engine/series/index.js';
import { SweepKernel } from '../engine/sweep/index.js';
import { randomBars } from '../test/support/random.js';
import { root } from '../test/support/tree.js';
import { medianOf, type Sizes, type Timing, yardstickMs } from './measure.js';
import { command } from './sweep-command.js';
import { filter, planOver, range, trigger } from './sweep-plans.js';

const ASSET = 'RACE';
const COSTS = { fee_pct: 0.001, slippage_pct: 0.0005 };
const EXIT = { window_fast: 10, window_slow: 40 };
const TOLERANCE = 1e-9;
const CACHE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The seeded walk of the other benches in much finer ticks: averages of prices in cents tie, and
 * each engine rounds a tie its own way.
 */
const barsOf = (barCount: number): BarSeries =>
  randomBars({ seed: 42, barCount, flatChance: 0, reversion: 0.0001, tick: 1e-9 });

/** The axes of a plan: shortest and longest averages, and windows of the filter. */
interface Axes {
  readonly fast: readonly [min: number, max: number];
  readonly slow: readonly [min: number, max: number];
  readonly filters: readonly number[];
}

/** All in, one position at a time, sold by the exit rule or at the last close. */
const settings = {
  ...COSTS,
  ...{ max_open_positions: 1, max_trades_per_day: 1_000, max_hold_bars: null, min_trade_amount: 0 },
  ...{ exit_on_loss_after_bars: null, exit_on_profit_after_bars: null, min_balance_threshold: 0 },
  ...{ position_sizing: 'equity_share', trade_share: 1, stop_loss_calculation: 'fixed', stop_order: false },
  ...{ target_calculation: 'none', cooldown_bars: 0, cooldown_config: null },
  ...{ daily_momentum_limit: 0, weekly_momentum_limit: 0 },
};

const planOf = ({ fast, slow, filters }: Axes) => ({
  name: 'race',
  datasets: [{ asset: ASSET, timeframe: '1h' }],
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: range(...fast), window_slow: range(...slow) })],
    filters: [filter('is_above_sma', { window: { values: filters } })],
  },
  exit_signals: { triggers: [{ name: 'sma_cross_down', signal_type: 'TRIGGER', params: EXIT }], filters: [] },
  execution_config: { base: settings, sweep_axes: [] },
});

/** What one engine makes of all configurations, in the order of the plan. */
interface Answer {
  readonly engine: string;
  readonly cpuSeconds: number;
  readonly growth: Float64Array;
  readonly trades: Float64Array;
}

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const folder = mkdtempSync(join(tmpdir(), 'barline-race-'));
  try {
    const axes: Axes = isSmoke
      ? { fast: [5, 8], slow: [50, 53], filters: [20, 27] }
      : { fast: [5, 44], slow: [50, 97], filters: [20, 27, 34, 41, 48] };
    const timings: Timing[] = [];
    for (const barCount of isSmoke ? [2_000] : [10_000, 100_000]) {
      timings.push(...(await race(folder, barsOf(barCount), axes, isSmoke ? 1 : 3)));
    }
    return timings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function race(folder: string, bars: BarSeries, axes: Axes, rounds: number): Promise<Timing[]> {
  const { barCount, open, close } = bars;
  const file = join(folder, `${barCount}.bin`);
  writeFileSync(file, Buffer.concat([open, close].map((column) => new Uint8Array(Float64Array.from(column).buffer))));
  const others = [...openLoops(folder), ...openVectorbt()];
  const home = await importBars(folder, bars);
  const all: Answer[][] = [];
  for (let round = 0; round < rounds; round++) {
    const answers = others.flatMap((other) => other(file, barCount, axes));
    answers.push(byKernel(bars, axes), await byCommand(home, axes));
    for (const answer of answers) compare(answer, answers[0]!);
    all.push(answers);
  }
  const [answers] = all as [Answer[]];
  const count = answers[0]!.growth.length;
  const trades = answers[0]!.trades.reduce((sum, one) => sum + one, 0) / count;
  console.log(
    `${barCount} bars, ${count} configurations, ${trades.toFixed(1)} trades each; all agree. Per CPU second:`,
  );
  const seconds = answers.map((_, k) => medianOf(all.map((round) => round[k]!.cpuSeconds)));
  const fastest = Math.min(...seconds);
  return answers.map(({ engine }, k) => {
    const own = seconds[k]!;
    const share = `${(own / fastest).toFixed(1)} times the fastest`;
    console.log(
      `  ${engine.padEnd(28)} ${Math.round(count / own)
        .toLocaleString('en')
        .padStart(9)}   ${share}`,
    );
    const p50Ms = (own * 1_000) / count;
    return {
      name: engine,
      bars: barCount,
      p50Ms,
      nsPerBar: (p50Ms * 1e6) / barCount,
      yardsticks: p50Ms / yardstickMs(barCount),
    };
  });
}

function compare(answer: Answer, first: Answer): void {
  assert.deepEqual(answer.trades, first.trades, `trades of ${answer.engine} and ${first.engine}`);
  const worst = answer.growth.reduce((most, one, k) => Math.max(most, Math.abs(one - first.growth[k]!)), 0);
  assert.ok(worst <= TOLERANCE, `returns of ${answer.engine} and ${first.engine} differ by ${worst}`);
}

type Other = (file: string, barCount: number, axes: Axes) => Answer[];

/** The arguments that both other programs take. */
const argumentsOf = (file: string, barCount: number, { fast, slow, filters }: Axes): string[] =>
  [file, barCount, COSTS.fee_pct, COSTS.slippage_pct, ...fast, ...slow, ...Object.values(EXIT), ...filters].map(String);

/** What they write, see `race/loops.c`. */
function readAnswers(written: Buffer, engines: readonly string[]): Answer[] {
  const doubles = new Float64Array(Uint8Array.from(written).buffer);
  const length = doubles.length / engines.length;
  return engines.map((engine, k) => {
    const [cpuSeconds = Number.NaN, ...pairs] = doubles.subarray(k * length, (k + 1) * length);
    const every = (place: number) => Float64Array.from(pairs.filter((_, i) => i % 2 === place));
    return { engine, cpuSeconds, growth: every(0), trades: every(1) };
  });
}

const OUTPUT_BYTES_MAX = 1024 * 1024 * 1024;
const outputOf = (program: string, args: readonly string[]): Buffer =>
  execFileSync(program, args, { maxBuffer: OUTPUT_BYTES_MAX });

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

function openLoops(folder: string): Other[] {
  if (!has('cc', '--version')) {
    console.log('C does not race: there is no cc');
    return [];
  }
  const program = join(folder, 'loops');
  // Without contraction, which changes last digits on some processors.
  execFileSync('cc', ['-O3', '-ffp-contract=off', '-o', program, join(root, 'bench/race/loops.c')]);
  return [
    (...given) => readAnswers(outputOf(program, argumentsOf(...given)), ['C, bar by bar', 'C, a table of trades']),
  ];
}

function openVectorbt(): Other[] {
  if (!has('python3', '-c', 'import vectorbt')) {
    console.log('vectorbt does not race: python3 has no such package');
    return [];
  }
  const script = join(root, 'bench/race/vectorbt_sweep.py');
  return [(...given) => readAnswers(outputOf('python3', [script, ...argumentsOf(...given)]), ['vectorbt, warm'])];
}

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** The runs alone: masks, trades and metrics, without rows. */
function byKernel(bars: BarSeries, axes: Axes): Answer {
  const { definition, plan } = planOver(planOf(axes), bars);
  const kernel = new SweepKernel(definition, bars, 0, CACHE_BYTES_MAX);
  const values = new Float64Array(metricNames.length);
  const [growth, trades] = [new Float64Array(plan.totalRuns), new Float64Array(plan.totalRuns)];
  const places = { growth: metricNames.indexOf('total_return'), trades: metricNames.indexOf('total_trades') };
  const before = process.cpuUsage();
  for (let k = 0; k < plan.totalRuns; k++) {
    kernel.run(plan.run(k), values);
    growth[k] = values[places.growth]!;
    trades[k] = values[places.trades]!;
  }
  const seconds = cpuSeconds(process.cpuUsage(before));
  kernel.release();
  return { engine: 'Barline, runs alone', cpuSeconds: seconds, growth, trades };
}

async function importBars(folder: string, bars: BarSeries): Promise<string> {
  const home = mkdtempSync(join(folder, 'home-'));
  const file = join(home, 'bars.parquet');
  await writeBars(file, bars);
  await openBars({ home }).import(file, { asset: ASSET });
  return home;
}

/** A module that has the process write its CPU time to a file as it ends. */
const told = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.cpuUsage())));`)}`;

/** The command from its start to its end: plan, rows, ledger, judgement and table. */
async function byCommand(home: string, axes: Axes): Promise<Answer> {
  const folder = mkdtempSync(join(home, 'sweep-'));
  const [planFile, usageFile] = [join(home, 'plan.json'), join(home, 'usage.json')];
  writeFileSync(planFile, JSON.stringify(planOf(axes)));
  const args = ['--import', told(usageFile), command, 'sweep', planFile, '--out', folder, '--workers', '1'];
  execFileSync(process.execPath, args, { env: { ...process.env, BARLINE_HOME: home }, stdio: 'ignore' });
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as NodeJS.CpuUsage;
  const { rows } = await queryResults([folder], 'SELECT total_return, total_trades FROM results ORDER BY run_index');
  const every = (place: number) => Float64Array.from(rows, (row) => Number(row[place]));
  return { engine: 'Barline, the whole command', cpuSeconds: cpuSeconds(usage), growth: every(0), trades: every(1) };
}
