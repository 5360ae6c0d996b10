// Asks: how long does the judgement of a finished sweep take, and how much memory, with 10,000 and
// 100,000 runs, on two threads? The process includes the bars, DuckDB and Node itself. Needs
// `npm run build`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBars, writeBars } from '../data/bars/index.js';
import { openSweepFolder, readRuns } from '../data/sweeps/index.js';
import { backtestOverfitting, SplitMix64, testBestOfMany } from '../engine/statistics/index.js';
import type { Assessment, SweepDataset } from '../engine/sweep/index.js';
import type { SweepRecord } from '../research/sweep/index.js';
import { bestOfMany, overfitting } from '../test/reference/statistics.js';
import { root } from '../test/support/tree.js';
import { type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { sweep } from './sweep-command.js';
import { crosses, often } from './sweep-plans.js';

const ASSET = 'BENCH';
const DAYS = 256;
const VARIANTS = 20;

interface Assessed {
  readonly honesty: Assessment;
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const home = mkdtempSync(join(tmpdir(), 'barline-bench-'));
  const bars = DAYS * 24;
  try {
    const file = join(home, 'bars.parquet');
    await writeBars(file, seededBars(bars));
    await openBars({ home }).import(file, { asset: ASSET });
    await checkAnswers(home);
    return (isSmoke ? [100] : [10_000, 100_000]).map((runs) => {
      const { folder } = sweepOf(home, runs);
      const { honesty, ms, cpuMs, peakMb } = assess(home, folder);
      assert.equal(honesty.sampledTrials, honesty.trialCount);
      console.log(
        `assessment ${String(honesty.trialCount).padStart(7)} trials  ${(ms / 1_000).toFixed(2)} s, ${(cpuMs / 1_000).toFixed(2)} s of CPU, at most ${peakMb.toFixed(0)} MB`,
      );
      const unit = yardstickMs(bars);
      // CPU time of all threads, because the machine is shared.
      return { name: `${runs} runs`, bars, p50Ms: cpuMs, nsPerBar: (cpuMs * 1e6) / bars, yardsticks: cpuMs / unit };
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function sweepOf(home: string, runs: number) {
  const planFile = join(home, 'plan.json');
  writeFileSync(planFile, JSON.stringify(crosses(ASSET, [often], runs / VARIANTS, VARIANTS)));
  return sweep(home, planFile, 2);
}

function assess(home: string, folder: string): Assessed {
  const script = join(root, 'bench/assess.mjs');
  const args = [script, home, folder];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

/** The figures of a small sweep are those of their definitions. */
async function checkAnswers(home: string): Promise<void> {
  const { folder } = sweepOf(home, 60);
  const record = (await openSweepFolder(folder).readRecord()) as SweepRecord;
  const datasets = record.datasets as readonly SweepDataset[];
  const { runs, trials } = (await readRuns(folder, { totalRuns: record.total_runs, datasets }, 'sharpe_ratio')).trials(
    0,
  );
  const { periodCount, values } = trials;
  const rows = Array.from(runs, (_, i) => Float64Array.from(values.subarray(i * periodCount, (i + 1) * periodCount)));
  const { own } = testBestOfMany(trials, { random: new SplitMix64(1), meanBlock: 10, resampleCount: 100 })!;
  const expected = bestOfMany(rows, new SplitMix64(1), 10, 100);
  assert.deepEqual([own.realityCheckP, own.superiorP], [expected.realityCheckP, expected.superiorP]);
  assert.deepEqual(
    own.steps.map(({ pValue }) => pValue),
    expected.steps,
  );
  const split = backtestOverfitting(trials, 8)!;
  const { pbo, lossProbability } = overfitting(rows, 8);
  assert.deepEqual([split.pbo, split.lossProbability], [pbo, lossProbability]);
  assert.equal(assess(home, folder).honesty.trialCount, runs.length);
}
