// Asks: does any phase of `barline sweep`, from the plan to the page, grow faster than the number of
// runs? Three sizes up to 1,000,000 rows; CPU time of all threads.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBars, writeBars } from '../data/bars/index.js';
import { metricNames } from '../engine/metrics/index.js';
import { alone } from '../test/support/alone.js';
import { root } from '../test/support/tree.js';
import { type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { crosses, filter, planOver, range } from './sweep-plans.js';

const ASSET = 'BENCH';
/** Short bars: the phases beside the runs are what is asked. */
const BARS = 1_000;
const VARIANTS = 8;
/** Slack of a measurement on a shared machine; a cost of rows squared has an exponent of 2. */
const EXPONENT_MAX = 1.15;
/** Below this a phase is its constant part. */
const MEASURABLE_MS = 200;

interface Phases {
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly done: number;
  readonly traded: number;
  readonly trialCount: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly leader: { readonly run: number; readonly value: number };
  readonly first: { readonly run: number; readonly value: number };
  readonly hasSamePlan: boolean;
}

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const home = mkdtempSync(join(tmpdir(), 'barline-bench-'));
  const bars = seededBars(BARS);
  try {
    const file = join(home, 'bars.parquet');
    await writeBars(file, bars);
    await openBars({ home }).import(file, { asset: ASSET });
    const sizes = isSmoke ? [80, 160, 320] : [40_000, 200_000, 1_000_000];
    const found = sizes.map((runs) => ({ runs, ...phasesOf(home, runs) }));
    const unit = yardstickMs(BARS);
    return Object.keys(found[0]!.cpuMs).flatMap((name) => {
      const points = found.map(({ runs, cpuMs }) => ({ runs, ms: cpuMs[name] ?? NaN }));
      const [, middle, largest] = points as [unknown, (typeof points)[0], (typeof points)[0]];
      const exponent = Math.log(largest.ms / middle.ms) / Math.log(largest.runs / middle.runs);
      const costs = points.map(({ runs, ms }) => `${runs}: ${((1_000 * ms) / runs).toFixed(1)} us a run`);
      console.log(`${name.padEnd(10)} exponent ${exponent.toFixed(2)}   ${costs.join('   ')}`);
      const isMeasurable = !isSmoke && largest.ms > MEASURABLE_MS;
      if (isMeasurable) assert.ok(exponent < EXPONENT_MAX, `${name} grows with the runs to the power of ${exponent}`);
      return points.map(({ runs, ms }) => ({
        ...{ name: `${name}, ${runs} runs`, bars: BARS, p50Ms: ms },
        ...{ nsPerBar: (ms * 1e6) / BARS, yardsticks: ms / unit },
      }));
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The phases of one sweep, once their answers were checked. */
function phasesOf(home: string, runs: number): Phases {
  const json = crosses(ASSET, [filter('is_above_sma', { window: range(5, 60) })], runs / VARIANTS, VARIANTS);
  const folder = mkdtempSync(join(home, 'sweep-'));
  const planFile = join(home, 'plan.json');
  writeFileSync(planFile, JSON.stringify(json));
  const script = join(root, 'bench/phases.mjs');
  const found: Phases = JSON.parse(
    execFileSync(process.execPath, [script, home, planFile, folder], { encoding: 'utf8', maxBuffer: 1 << 24 }),
  );
  const { done, traded, trialCount, counts, leader, first, hasSamePlan } = found;
  assert.ok(hasSamePlan, 'the sweep runs the plan that was timed');
  assert.equal(done, runs);
  assert.deepEqual([trialCount, counts.ok], [traded, traded]);
  assert.ok(first.value >= leader.value, 'no run that was judged is better than the best of the table');
  const { definition, plan } = planOver(json, seededBars(BARS));
  const { metrics } = alone(plan.run(leader.run), definition, seededBars(BARS), 0);
  assert.ok(metricNames.includes('sharpe_ratio') && metrics.sharpe_ratio === leader.value, 'as a single backtest');
  rmSync(folder, { recursive: true, force: true });
  return found;
}
