import { EngineError } from '../errors.js';
import { SplitMix64 } from '../statistics/index.js';
import { spacesOf } from './choice-space.js';
import type { SweepDefinition } from './definition.js';
import { datasetSeed, RandomSampler } from './random-search.js';
import { mayRepeat } from './repetitions.js';
import { RunIdentity, type Sha256, type SweepRun } from './run.js';
import { type PlanSearch, planTpe } from './tpe-plan.js';

/** The runs of a sweep, each found by its index; the same definition always gives the same ones. */
export interface SweepPlan {
  /** Never more than `runsMax + 1`, where counting stopped. */
  readonly totalRuns: number;
  readonly run: (index: number) => SweepRun;
  readonly warnings: readonly string[];
  /** Finds the runs of a search that learns from its results; null where all of them are known beforehand. */
  readonly search: PlanSearch | null;
}

/** What it takes to plan. */
export interface PlanOptions {
  readonly sha256: Sha256;
  /** Runs beyond this are not counted one by one. */
  readonly runsMax: number;
}

const SAMPLE_FAILURES_MAX = 50;

/**
 * @throws INVALID_FIELD when the space is empty, or larger than 2^53
 */
export function planSweep(definition: SweepDefinition, options: PlanOptions): SweepPlan {
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
  const { entry, exit } = spacesOf(definition);
  const size = entry.size * exit.size;
  const chosen =
    combinationCount === null || combinationCount >= size ? null : sampleIndices(size, combinationCount, seed);
  const count = chosen?.length ?? size;
  const perDataset = count * variants.count;
  const rulesAt = (g: number) => {
    const index = chosen === null ? g : chosen[g];
    return { entry: entry.at(Math.floor(index / exit.size)), exit: exit.at(index % exit.size) };
  };
  let latest = -1;
  let rules: Pick<SweepRun, 'entry' | 'exit'>;
  const decode = (place: number): SweepRun => {
    const inDataset = place % perDataset;
    const g = Math.floor(inDataset / variants.count);
    const datasetIndex = Math.floor(place / perDataset);
    if (g !== latest) rules = rulesAt(g); // the very same for all variants, so that whoever reads them may remember
    latest = g;
    return { dataset: datasets[datasetIndex], datasetIndex, ...rules, variant: inDataset % variants.count };
  };
  const plain: SweepPlan = {
    totalRuns: datasets.length * perDataset,
    run: decode,
    warnings: chosen === null ? [] : [`${count} of ${size} combinations are drawn, the rest of the grid is left out`],
    search: null,
  };
  return mayRepeat(definition) ? withoutRepetitions(plain, definition, options) : plain;
}

/** `count` distinct indices below `size`, ascending (Floyd's method). */
export function sampleIndices(size: number, count: number, seed: number): Float64Array {
  const random = new SplitMix64(seed);
  const taken = new Set<number>();
  for (let j = size - count; j < size; j++) {
    const t = random.below(j + 1);
    taken.add(taken.has(t) ? j : t);
  }
  return Float64Array.from(taken).sort();
}

/** Keeps the first run of every identity; the places of the others are remembered. */
function withoutRepetitions(
  plain: SweepPlan,
  definition: SweepDefinition,
  { sha256, runsMax }: PlanOptions,
): SweepPlan {
  const identity = new RunIdentity(definition, sha256);
  const seen = new Set<string>();
  const dropped: number[] = [];
  for (let place = 0; place < plain.totalRuns && seen.size <= runsMax; place++) {
    const hash = identity.configHash(plain.run(place));
    if (seen.has(hash)) dropped.push(place);
    else seen.add(hash);
  }
  if (seen.size > runsMax) return { ...plain, totalRuns: seen.size };
  if (dropped.length === 0) return plain;
  const places = Float64Array.from(dropped);
  return {
    ...plain,
    totalRuns: seen.size,
    run: (index) => plain.run(placeOf(index, places)),
    warnings: [...plain.warnings, `${dropped.length} runs are listed more than once and done once`],
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

function planRandom(definition: SweepDefinition, { sha256, runsMax }: PlanOptions): SweepPlan {
  const { datasets, seed, sampleCount } = definition;
  const identity = new RunIdentity(definition, sha256);
  const runs: SweepRun[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (const [k, dataset] of datasets.entries()) {
    const sampler = new RandomSampler(definition, k, new SplitMix64(datasetSeed(seed, k)));
    let found = 0;
    for (let failures = 0; found < sampleCount && failures < SAMPLE_FAILURES_MAX && runs.length <= runsMax; ) {
      const run = sampler.next();
      const hash = run === null ? null : identity.configHash(run);
      if (run === null || hash === null || seen.has(hash)) {
        failures++;
        continue;
      }
      failures = 0;
      seen.add(hash);
      runs.push(run);
      found++;
    }
    if (found < sampleCount && runs.length <= runsMax) {
      warnings.push(`${dataset.asset} ${dataset.timeframe}: ${found} of ${sampleCount} random samples are distinct`);
    }
  }
  if (runs.length === 0) throw new EngineError('INVALID_FIELD', 'no random sample meets the constraints');
  return { totalRuns: runs.length, run: (index) => runs[index], warnings, search: null };
}
