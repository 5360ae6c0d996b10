import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { Bench } from 'tinybench';
import type { BarSeries } from '../engine/series/index.js';
import { randomBars } from '../test/support/random.js';

/**
 * One timed case: its median and its cost in yardsticks, the unit that survives a change of
 * machine.
 */
export interface Timing {
  readonly name: string;
  readonly bars: number;
  readonly p50Ms: number;
  readonly nsPerBar: number;
  /** Cost against one plain EMA pass over the same number of bars in the same process. */
  readonly yardsticks: number;
  /** Time a bar of the best peer over ours; absent when no peer raced. */
  readonly ratio?: number;
}

export interface Sizes {
  /** Small sizes, one round: proves that a suite still runs and that its answers agree. */
  readonly isSmoke: boolean;
  /** Folder of another tree that was built, to race against. */
  readonly before?: string;
}

/**
 * The compiler could remove a computation whose result is never read; reading one value keeps it.
 */
let sink = 0;
export const consume = (value: number): void => {
  sink += value;
};
export const sunk = (): number => sink;

/**
 * Plain one-pass EMA 20: a loop of known speed on every machine (1.6 ns a bar where the peers were
 * measured).
 */
export function yardstick(x: Float64Array, out: Float64Array): void {
  const alpha = 2 / 21;
  let average = x[0];
  for (let t = 0; t < x.length; t++) {
    average = (1 - alpha) * average + alpha * x[t];
    out[t] = average;
  }
  consume(out[out.length - 1]);
}

/**
 * Medians of the cases and of the yardstick, run in turn in one process. A case is [name,
 * function]; each call of the function works on `bars` bars.
 */
export async function time(
  bars: number,
  cases: readonly (readonly [name: string, run: () => void])[],
  { isSmoke }: Sizes,
) {
  const x = new Float64Array(bars).map((_, i) => 100 + Math.sin(i));
  const out = new Float64Array(bars);
  const bench = new Bench(isSmoke ? { time: 0, iterations: 2, warmup: false } : { time: 400, warmupTime: 100 });
  bench.add('yardstick', () => yardstick(x, out));
  for (const [name, run] of cases) bench.add(name, run);
  await bench.run();
  const medians = bench.tasks.map((task) => {
    if (!('latency' in task.result)) throw new Error(`${task.name} failed: ${JSON.stringify(task.result)}`);
    return task.result.latency.p50;
  });
  // The loop is timed again: its first median moves by half between processes, and a slow yardstick
  // would flatter us.
  const unit = Math.min(medians[0], yardstickMs(bars));
  return bench.tasks.map(
    ({ name }, i): Timing => ({
      name,
      bars,
      p50Ms: medians[i],
      nsPerBar: (medians[i] * 1e6) / bars,
      yardsticks: medians[i] / unit,
    }),
  );
}

export const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >>> 1];

/** Median of a few calls in ms, for functions that are too slow to run hundreds of times. */
export function medianMs(rounds: number, run: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return medianOf(times);
}

/** The same for an async function, one call after the other. */
export async function medianMsOf(rounds: number, run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return medianOf(times);
}

/** Median of the yardstick over `bars` bars, measured now. */
export function yardstickMs(bars: number): number {
  const x = new Float64Array(bars).map((_, i) => 100 + Math.sin(i));
  const out = new Float64Array(bars);
  return medianMs(15, () => yardstick(x, out));
}

/** A walk of any length that stays within some octaves of its first price. */
export const seededBars = (barCount: number): BarSeries =>
  randomBars({ seed: 42, barCount, flatChance: 0, reversion: 0.0001 });

/** Compares two columns that end on the same bar, over the length of the shorter one. */
export function assertClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
  what: string,
  from = 0,
): void {
  const ahead = actual.length - expected.length;
  for (let t = Math.max(from, ahead); t < actual.length; t++) {
    const wanted = expected[t - ahead];
    if (Number.isNaN(wanted) && Number.isNaN(actual[t])) continue;
    const gap = Math.abs(actual[t] - wanted);
    if (!(gap <= tolerance * Math.max(1, Math.abs(wanted)))) {
      throw new Error(`${what} disagrees at bar ${t}: ${actual[t]} against ${wanted}`);
    }
  }
}

export const machine = () => ({
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
});
