import { EngineError } from '../errors.js';
import { betterSide, type MetricName } from '../metrics/index.js';
import { COMBINATIONS_MAX, spacesOf } from './choice-space.js';
import { ConfigurationTree } from './configuration-tree.js';
import type { SweepDefinition } from './definition.js';
import { datasetSeed } from './random-search.js';
import { mayRepeat, seriesOf } from './repetitions.js';
import { RunIdentity, type Sha256, type SweepRun } from './run.js';
import { TpeSearch } from './tpe-search.js';

/**
 * Finds the runs of a plan batch by batch, each from the results of all earlier batches. The
 * process that runs the sweep calls `propose` and `tell`. A thread knows no results; it adopts the
 * places of the runs that it has to do.
 */
export interface PlanSearch {
  /** The metric whose values `tell` takes. */
  readonly metric: MetricName;
  /**
   * The next batch: runs `from` to `to` (exclusive), which the plan can return from now on; null
   * after the last batch.
   */
  propose(): { readonly from: number; readonly to: number } | null;
  /**
   * @param values of the metric over the batch just proposed, by run; NaN for a run that failed or
   *   has no trades
   */
  tell(values: Float64Array): void;
  /** Places of proposed runs in the space. */
  places(from: number, to: number): Float64Array;
  /** Takes places that another instance of the plan proposed, for the runs from `from` on. */
  adopt(from: number, places: Float64Array): void;
}

interface TpePlan {
  readonly totalRuns: number;
  readonly run: (index: number) => SweepRun;
  readonly warnings: readonly string[];
  readonly search: PlanSearch;
}

/**
 * A search by Tree-structured Parzen Estimator for each dataset, one after the other. The number of
 * runs is known beforehand; which runs they are depends on the results.
 *
 * @throws INVALID_FIELD when the space is empty, or has more than 2^53 configurations with its
 *   variants, or a dataset is listed twice
 */
export function planTpe(definition: SweepDefinition, { sha256 }: { readonly sha256: Sha256 }): TpePlan {
  const { datasets, variants, seed } = definition;
  // biome-ignore lint/style/noNonNullAssertion: only a search by tpe is planned here
  const settings = definition.tpe!;
  const tree = new ConfigurationTree(spacesOf(definition), variants);
  checkSearchable(tree, datasets);
  const runAt = (datasetIndex: number, place: number): SweepRun => ({
    dataset: datasets[datasetIndex],
    datasetIndex,
    ...tree.at(place),
  });
  const identity = new RunIdentity(definition, sha256);
  const repeats = mayRepeat(definition);
  const keyOf = (datasetIndex: number): ((place: number) => number | string) =>
    repeats ? (place) => identity.configHash(runAt(datasetIndex, place)) : (place) => place;

  const counts = datasets.map((_, k) => distinctCount(tree.size, settings.trials, keyOf(k)));
  const starts = [0];
  for (const [k, count] of counts.entries()) starts.push(starts[k] + count);
  const totalRuns = starts[datasets.length];

  const places = new Float64Array(totalRuns).fill(NaN);
  const open = (k: number) => new TpeSearch(tree, settings, counts[k], datasetSeed(seed, k), keyOf(k));
  let dataset = 0;
  let search = open(dataset);
  let proposed = 0;
  let told = 0;
  return {
    totalRuns,
    run(index) {
      const place = places[index];
      if (!(place >= 0)) throw new Error(`run ${index} is not proposed yet`);
      return runAt(
        starts.findLastIndex((start) => start <= index),
        place,
      );
    },
    warnings: warnings(definition, counts, settings.trials),
    search: {
      metric: settings.metric,
      propose() {
        if (told < proposed) throw new Error('tell the results of a batch before proposing the next');
        if (proposed === totalRuns) return null;
        if (proposed === starts[dataset + 1]) search = open(++dataset);
        const from = proposed;
        const batch = search.propose();
        places.set(batch, from);
        proposed += batch.length;
        return { from, to: proposed };
      },
      tell(values) {
        search.tell(betterSide(settings.metric) === 'lower' ? values.map((value) => -value) : values);
        told += values.length;
      },
      places: (from, to) => places.slice(from, to),
      adopt: (from, some) => places.set(some, from),
    },
  };
}

function checkSearchable(tree: ConfigurationTree, datasets: SweepDefinition['datasets']): void {
  if (tree.size > COMBINATIONS_MAX) {
    throw new EngineError('INVALID_FIELD', 'the space of a tpe search must have at most 2^53 configurations');
  }
  const twice = datasets.find((one, k) => datasets.slice(0, k).some((other) => seriesOf(other) === seriesOf(one)));
  if (twice !== undefined) {
    throw new EngineError('INVALID_FIELD', `datasets: ${twice.asset} ${twice.timeframe} is listed twice`);
  }
}

/** One line for each dataset whose space has fewer configurations than the requested trials. */
const warnings = ({ datasets }: SweepDefinition, counts: readonly number[], trials: number): string[] =>
  datasets.flatMap(({ asset, timeframe }, k) =>
    counts[k] === trials
      ? []
      : [`${asset} ${timeframe}: the space has ${counts[k]} configurations, fewer than tpe.trials: each is run once`],
  );

/** Number of distinct configurations of a space, counted up to `max`. */
function distinctCount(size: number, max: number, keyOf: (place: number) => number | string): number {
  const seen = new Set<number | string>();
  for (let place = 0; place < size && seen.size < max; place++) seen.add(keyOf(place));
  return seen.size;
}
