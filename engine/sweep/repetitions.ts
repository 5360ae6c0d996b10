import type { SweepDataset, SweepDefinition } from './definition.js';
import type { SweepSignal } from './signal-space.js';

/**
 * Two runs can be the same only if a dataset, or a signal with the same side and timeframe, is
 * listed twice.
 */
export function mayRepeat({ datasets, entry, exit, short }: SweepDefinition): boolean {
  const hasRepetition = (keys: readonly string[]) => new Set(keys).size < keys.length;
  const nameOf = ({ signal, timeframe }: SweepSignal) => `${signal.name} ${timeframe ?? ''}`;
  const isTwice = (list: readonly SweepSignal[]) => {
    const names = list.map(nameOf);
    // A signal without a timeframe takes the dataset's, which its twin may name.
    return (
      hasRepetition(names) ||
      (names.some((name) => name.endsWith(' ')) && hasRepetition(list.map((s) => s.signal.name)))
    );
  };
  return (
    hasRepetition(datasets.map(seriesOf)) ||
    [entry, exit, ...(short === null ? [] : [short.entry, short.exit])].some((side) =>
      side.some(({ triggers, filters }) => isTwice(triggers) || isTwice(filters)),
    )
  );
}

/** Equal for datasets with the same bars. */
export const seriesOf = ({ asset, timeframe, hash, start_date, end_date }: SweepDataset): string =>
  [asset, timeframe, hash, start_date, end_date].join(' ');
