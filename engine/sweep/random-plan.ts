import { EngineError } from '../errors.js';
import { SplitMix64 } from '../statistics/index.js';
import type { SweepDefinition } from './definition.js';
import { IdentitySet } from './identity-set.js';
import { datasetSeed, RandomSampler } from './random-search.js';
import { RunIdentity, type SweepRun } from './run.js';
import type { PlanOptions, SweepPlan } from './sweep-plan.js';

/** Samples in a row that fail, or repeat earlier ones, before the sampling of a dataset ends. */
const SAMPLE_FAILURES_MAX = 50;

/**
 * Distinct samples for each dataset. The plan keeps no samples, only the state of the generator
 * before each one, from which it draws the run again.
 *
 * @throws INVALID_FIELD when no sample meets the constraints
 */
export function planRandom(definition: SweepDefinition, { sha256, runsMax }: PlanOptions): SweepPlan {
  const { datasets, sampleCount } = definition;
  const identity = new RunIdentity(definition, sha256);
  const seen = new IdentitySet();
  const states = new GeneratorStates();
  const starts: number[] = [];
  const warnings: string[] = [];
  for (const [k, { asset, timeframe }] of datasets.entries()) {
    starts.push(states.count);
    const random = randomOf(definition, k);
    const sampler = new RandomSampler(definition, k, random);
    let found = 0;
    for (let failures = 0; found < sampleCount && failures < SAMPLE_FAILURES_MAX && states.count <= runsMax; ) {
      const { state } = random;
      const run = sampler.next();
      if (run === null || !seen.addHash(identity.configHash(run))) {
        failures++;
        continue;
      }
      failures = 0;
      found++;
      states.add(state);
    }
    if (found < sampleCount && states.count <= runsMax) {
      warnings.push(`${asset} ${timeframe}: ${found} of ${sampleCount} random samples are distinct`);
    }
  }
  if (states.count === 0) throw new EngineError('INVALID_FIELD', 'no random sample meets the constraints');
  return { totalRuns: states.count, run: redraw(definition, starts, states), warnings, search: null };
}

const randomOf = ({ seed }: SweepDefinition, dataset: number) => new SplitMix64(datasetSeed(seed, dataset));

/** @param starts first run of each dataset */
function redraw(
  definition: SweepDefinition,
  starts: readonly number[],
  states: GeneratorStates,
): (index: number) => SweepRun {
  let dataset = -1;
  let random: SplitMix64;
  let sampler: RandomSampler;
  return (index) => {
    const of = starts.findLastIndex((start) => start <= index);
    if (of !== dataset) {
      dataset = of;
      random = randomOf(definition, of);
      sampler = new RandomSampler(definition, of, random);
    }
    random.resume(...states.at(index));
    const run = sampler.next();
    if (run === null) throw new Error(`run ${index} is not drawn again`);
    return run;
  };
}

/** States of a generator, eight bytes each, in segments, so that a growing list is not copied. */
class GeneratorStates {
  count = 0;
  readonly #segments: Int32Array[] = [];

  add([high, low]: SplitMix64['state']): void {
    const place = 2 * (this.count % SEGMENT_STATES);
    if (place === 0) this.#segments.push(new Int32Array(2 * SEGMENT_STATES));
    const segment = this.#segments[this.#segments.length - 1];
    segment[place] = high;
    segment[place + 1] = low;
    this.count++;
  }

  at(index: number): SplitMix64['state'] {
    const segment = this.#segments[Math.floor(index / SEGMENT_STATES)];
    const place = 2 * (index % SEGMENT_STATES);
    return [segment[place], segment[place + 1]];
  }
}

const SEGMENT_STATES = 1 << 14;
