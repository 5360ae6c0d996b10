/**
 * `npx tsx test/calibration/splits.ts [sweeps]` prints the table of `docs/assessment.md` about the
 * probability of overfitting: what it tells of sweeps without skill, and of ones in which some
 * trials have an edge, when the days are cut into more and fewer blocks.
 */
import { backtestOverfitting, SplitMix64 } from '../../engine/statistics/index.js';
import { normal, trialsOf } from '../support/noise.js';

const PERIODS = 256;
const TRIALS = 200;
const YEAR = 365;
const BLOCKS = [8, 10, 12, 14, 16];

interface World {
  readonly name: string;
  /** Correlation of any two trials. */
  readonly related: number;
  /** Annual Sharpe ratio of the trials with an edge, and how many have it. */
  readonly sharpe: number;
  readonly skilled: number;
}

const worlds: readonly World[] = [
  { name: 'noise, unrelated trials', related: 0, sharpe: 0, skilled: 0 },
  { name: 'noise, related trials (0.8)', related: 0.8, sharpe: 0, skilled: 0 },
  { name: 'one trial of Sharpe 2', related: 0, sharpe: 2, skilled: 1 },
  { name: 'one trial of Sharpe 4', related: 0, sharpe: 4, skilled: 1 },
  { name: 'a tenth of Sharpe 2, related', related: 0.8, sharpe: 2, skilled: TRIALS / 10 },
];

/** Daily returns of a deviation of 1 %. */
function rows({ related, sharpe, skilled }: World, random: SplitMix64): Float64Array[] {
  const common = Float64Array.from({ length: PERIODS }, () => normal(random));
  const edge = (0.01 * sharpe) / Math.sqrt(YEAR);
  return Array.from({ length: TRIALS }, (_, i) =>
    common.map(
      (shared) =>
        (i < skilled ? edge : 0) + 0.01 * (Math.sqrt(related) * shared + Math.sqrt(1 - related) * normal(random)),
    ),
  );
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const sweeps = Number(process.argv[2] ?? 200);
console.log('| world | blocks | splits | PBO, mean | spread | half or more | from 16 blocks | chosen try then loses |');
console.log('|---|--:|--:|--:|--:|--:|--:|--:|');
for (const [w, world] of worlds.entries()) {
  const found = Array.from({ length: sweeps }, (_, seed) => {
    const trials = trialsOf(rows(world, new SplitMix64(1_000 * w + seed)));
    return BLOCKS.map((blocks) => backtestOverfitting(trials, blocks)).filter((one) => one !== null);
  });
  for (const [b, blocks] of BLOCKS.entries()) {
    const pbos = found.map((one) => one[b]?.pbo ?? NaN);
    const apart = mean(found.map((one) => Math.abs((one[b]?.pbo ?? NaN) - (one.at(-1)?.pbo ?? NaN))));
    const spread = Math.sqrt(mean(pbos.map((pbo) => (pbo - mean(pbos)) ** 2)));
    const losses = mean(found.map((one) => one[b]?.lossProbability ?? NaN));
    const cells = [world.name, blocks, found[0]?.[b]?.splitCount, percent(mean(pbos)), percent(spread)];
    const half = mean(pbos.map((pbo) => (pbo >= 0.5 ? 1 : 0)));
    console.log(`| ${[...cells, percent(half), percent(apart), percent(losses)].join(' | ')} |`);
  }
}
