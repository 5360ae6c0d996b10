import { EngineError } from '../errors.js';
import type { BarSeries } from '../series/index.js';
import type { Signal } from '../signals/signal.js';
import type { SweepDataset, SweepReading } from './definition.js';
import type { UnknownKeys } from './problems.js';
import { readSweep, type SweepComposition } from './read-sweep.js';

/** What an entry of `datasets` means: a dataset with its bars, or the reason why there is none. */
export type SweepSeries = { readonly dataset: SweepDataset; readonly bars: () => BarSeries } | EngineError;

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
  return readSweep(
    sweep,
    () => {
      const one = series[next++];
      if (one instanceof EngineError) throw one;
      barsOf.set(one.dataset, one.bars);
      return one.dataset;
    },
    (dataset) => {
      const bars = barsOf.get(dataset);
      if (bars === undefined) throw new Error('bars of a dataset that the sweep does not have');
      return bars();
    },
    own,
    unknownKeys,
    composition,
  );
}
