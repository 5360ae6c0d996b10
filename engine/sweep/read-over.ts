import { EngineError } from '../errors.js';
import type { BarSeries } from '../series/index.js';
import type { Signal } from '../signals/signal.js';
import type { SweepComposition, SweepDataset, SweepReading } from './definition.js';
import type { UnknownKeys } from './problems.js';
import { readSweep } from './read-sweep.js';

/**
 * What an entry of `datasets` means: a dataset with its bars, or the reason why there is none. Where
 * bars are not loaded yet, all else of the configuration is read.
 */
export type SweepSeries = { readonly dataset: SweepDataset; readonly bars: (() => BarSeries) | null } | EngineError;

/**
 * Reads the configuration of a sweep over series that are at hand. The command, the service and
 * each of their threads read it here, so the same configuration is the same sweep in all of them.
 * @param series one for each object in `datasets`, in their order
 * @param own signals of the author's own that the rules may name
 * @param unknownKeys what becomes of keys that nothing reads; default: a warning
 * @param composition whether an entry must have a filter, which the service asks for
 */
export function readSweepOver(
  sweep: unknown,
  series: readonly SweepSeries[],
  own: readonly Signal[] = [],
  unknownKeys?: UnknownKeys,
  composition?: SweepComposition,
): SweepReading {
  let next = 0;
  const barsOf = new Map<SweepDataset, () => BarSeries>();
  const isLoaded = series.every((one) => one instanceof EngineError || one.bars !== null);
  const load = (dataset: SweepDataset): BarSeries => {
    const bars = barsOf.get(dataset);
    if (bars === undefined) throw new Error('bars of a dataset that the sweep does not have');
    return bars();
  };
  return readSweep(
    sweep,
    () => {
      const one = series[next++];
      if (one instanceof EngineError) throw one;
      if (one.bars !== null) barsOf.set(one.dataset, one.bars);
      return one.dataset;
    },
    isLoaded ? load : undefined,
    own,
    unknownKeys,
    composition,
  );
}
