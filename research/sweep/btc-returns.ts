import { type BarSeries, closeOfLast } from '../../engine/series/index.js';
import type { SweepDataset } from '../../engine/sweep/index.js';
import { holdReturn } from '../window.js';
import type { LoadedDataset, SweepBars } from './datasets.js';

/**
 * Buy-and-hold return of BTC over the window of each dataset, from bars of the same timeframe; null
 * if they do not cover the window.
 * @param datasets datasets of the sweep's definition, one per fold if it has folds
 * @param loaded the series that the datasets are windows of
 */
export async function btcReturns(
  datasets: readonly SweepDataset[],
  loaded: readonly LoadedDataset[],
  store: Pick<SweepBars, 'load'>,
): Promise<(number | null)[]> {
  const held = await Promise.all(loaded.map((one) => btcBars(one, loaded, store)));
  return datasets.map(({ fold }, index) => {
    const source = fold?.source ?? index;
    // biome-ignore lint/style/noNonNullAssertion: every source has one series, and every series has bars
    const { bars, first } = loaded[source]!;
    // biome-ignore lint/style/noNonNullAssertion: every source has one series, and every series has bars
    const btc = held[source]!;
    const { from, to } = fold?.train ?? { from: first, to: bars.barCount };
    if (btc === null) return null;
    // biome-ignore lint/style/noNonNullAssertion: every source has one series, and every series has bars
    return holdReturn(btc, bars.time[from]!, bars.time[to - 1]! + bars.intervalMs);
  });
}

async function btcBars(
  { bars, dataset }: LoadedDataset,
  all: readonly LoadedDataset[],
  store: Pick<SweepBars, 'load'>,
): Promise<BarSeries | null> {
  const isBtc = (other: SweepDataset) => other.asset === 'BTC' && other.timeframe === dataset.timeframe;
  // A window of it may end before this one does.
  const loaded = all.find((other) => isBtc(other.dataset) && closeOfLast(other.bars) >= closeOfLast(bars));
  if (loaded !== undefined) return loaded.bars;
  const query = {
    asset: 'BTC',
    intervalMs: bars.intervalMs,
    // biome-ignore lint/style/noNonNullAssertion: every series has bars
    fromMs: bars.time[0]!,
    // biome-ignore lint/style/noNonNullAssertion: every series has bars
    toMs: bars.time[bars.barCount - 1]! + 1,
  };
  return (await store.load(query).catch(() => null))?.bars ?? null;
}
