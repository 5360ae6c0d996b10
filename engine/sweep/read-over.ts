import { EngineError } from '../errors.js';
import { type BarSeries, firstBarFrom } from '../series/index.js';
import type { Signal } from '../signals/signal.js';
import type { SweepComposition, SweepDataset, SweepReading } from './definition.js';
import type { UnknownKeys } from './problems.js';
import { readSweep } from './read-sweep.js';
import type { SeriesToFold } from './walk-forward.js';

/**
 * What an entry of `datasets` means: a dataset with its bars, or the reason why there is none. Where
 * bars are not loaded yet, all else of the configuration is read.
 */
export type SweepSeries =
  | {
      readonly dataset: SweepDataset;
      readonly bars: (() => BarSeries) | null;
      /** Open of the first tradable bar or earlier, epoch ms; absent where all bars are tradable. */
      readonly startMs?: number | undefined;
    }
  | EngineError;

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
  const found = new Map<SweepDataset, () => SeriesToFold>();
  const isLoaded = series.every((one) => one instanceof EngineError || one.bars !== null);
  const load = (dataset: SweepDataset): SeriesToFold => {
    const series = found.get(dataset);
    if (series === undefined) throw new Error('bars of a dataset that the sweep does not have');
    return series();
  };
  return readSweep(
    sweep,
    () => {
      const one = series[next++];
      if (one instanceof EngineError) throw one;
      const { dataset, bars: read, startMs = -Infinity } = one;
      if (read !== null) {
        found.set(dataset, () => {
          const bars = read();
          return { bars, first: firstBarFrom(bars, startMs) };
        });
      }
      return one.dataset;
    },
    isLoaded ? load : undefined,
    own,
    unknownKeys,
    composition,
  );
}
