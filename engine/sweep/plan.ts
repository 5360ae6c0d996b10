import { EngineError } from '../errors.js';
import { SplitMix64 } from '../statistics/index.js';
import { spacesOf } from './choice-space.js';
import type { SweepDefinition } from './definition.js';
import { IdentitySet } from './identity-set.js';
import { planRandom } from './random-plan.js';
import { mayRepeat } from './repetitions.js';
import { RunIdentity, type SweepRun } from './run.js';
import { sieved } from './sieved-plan.js';
import type { PlanOptions, SweepPlan } from './sweep-plan.js';
import { planTpe } from './tpe-plan.js';

/**
 * Most runs of a grid that may repeat others; planning visits each of them before the first run.
 */
const REPETITIONS_MAX = 10_000_000;

/**
 * @throws INVALID_FIELD when the space is empty, or larger than 2^53, or lists too many runs more
 *   than once, or has too many to order; NOT_FOUND without the model of a sieve
 */
export function planSweep(definition: SweepDefinition, options: PlanOptions): SweepPlan {
  return sieved(planAll(definition, options), definition, options);
}

function planAll(definition: SweepDefinition, options: PlanOptions): SweepPlan {
  switch (definition.mode) {
    case 'grid':
      return planGrid(definition, options);
    case 'random':
      return planRandom(definition, options);
    case 'tpe':
      return planTpe(definition, options);
  }
}

/** Runs in order of dataset, combination and variant. */
function planGrid(definition: SweepDefinition, options: PlanOptions): SweepPlan {
  const { datasets, variants, combinationCount, seed } = definition;
  const spaces = spacesOf(definition);
  const { size } = spaces;
  const isDrawn = combinationCount !== null && combinationCount < size;
  const count = isDrawn ? combinationCount : size;
  const perDataset = count * variants.count;
  const totalRuns = datasets.length * perDataset;
  const repeats = mayRepeat(definition);
  const isTooLarge = totalRuns > options.runsMax && !(repeats && count <= options.runsMax);
  if (isDrawn && isTooLarge) return notDrawn(totalRuns);
  const chosen = isDrawn ? sampleIndices(size, count, seed) : null;
  const rulesAt = (g: number) => spaces.at(chosen === null ? g : chosen[g]);
  let latest = -1;
  let rules: ReturnType<typeof rulesAt>;
  const decode = (place: number): SweepRun => {
    const inDataset = place % perDataset;
    const g = Math.floor(inDataset / variants.count);
    const datasetIndex = Math.floor(place / perDataset);
    // All variants share one object, so that readers can cache by it.
    if (g !== latest) rules = rulesAt(g);
    latest = g;
    return { dataset: datasets[datasetIndex], datasetIndex, ...rules, variant: inDataset % variants.count };
  };
  const plain: SweepPlan = {
    totalRuns,
    run: decode,
    warnings: chosen === null ? [] : [`${count} of ${size} combinations are drawn, the rest of the grid is left out`],
    search: null,
  };
  return repeats ? withoutRepetitions(plain, definition, options) : plain;
}

/** A plan with too many runs: they are counted, but not drawn. */
const notDrawn = (totalRuns: number): SweepPlan => ({
  totalRuns,
  run: () => {
    throw new Error(`a plan of ${totalRuns} runs is not drawn`);
  },
  warnings: [],
  search: null,
});

/** `count` distinct indices below `size`, ascending (Floyd's method). */
export function sampleIndices(size: number, count: number, seed: number): Float64Array {
  const random = new SplitMix64(seed);
  const taken = new IdentitySet();
  const indices = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const last = size - count + k;
    const drawn = random.below(last + 1);
    const isFree = taken.addIndex(drawn);
    if (!isFree) taken.addIndex(last);
    indices[k] = isFree ? drawn : last;
  }
  return indices.sort();
}

/** Keeps the first run of every identity and notes the places of the others. */
function withoutRepetitions(
  plain: SweepPlan,
  definition: SweepDefinition,
  { sha256, runsMax }: PlanOptions,
): SweepPlan {
  const identity = new RunIdentity(definition, sha256);
  const seen = new IdentitySet();
  const dropped: number[] = [];
  for (let place = 0; place < plain.totalRuns && seen.size <= runsMax; place++) {
    if (dropped.length > REPETITIONS_MAX) {
      throw new EngineError('INVALID_FIELD', `a sweep must list at most ${REPETITIONS_MAX} runs more than once`);
    }
    if (!seen.addHash(identity.configHash(plain.run(place)))) dropped.push(place);
  }
  if (seen.size > runsMax) return { ...plain, totalRuns: seen.size };
  if (dropped.length === 0) return plain;
  const places = Float64Array.from(dropped);
  return {
    ...plain,
    totalRuns: seen.size,
    run: (index) => plain.run(placeOf(index, places)),
    warnings: [...plain.warnings, `${dropped.length} runs are listed more than once and run only once`],
  };
}

/** The index-th place that is not among the dropped ones, which ascend. */
function placeOf(index: number, dropped: Float64Array): number {
  let from = 0;
  let to = dropped.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (dropped[middle] - middle <= index) from = middle + 1;
    else to = middle;
  }
  return index + from;
}
