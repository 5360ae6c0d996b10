import { type BarSeries, firstBarFrom, type SweepDataset } from '../../engine/index.js';
import type { LoadedDataset, SweepBars } from './datasets.js';

/**
 * Buy-and-hold return of BTC over the window of each dataset, from bars of the same timeframe; null
 * if they do not cover the window.
 * @param datasets datasets of the sweep's definition, one per fold if it has folds
 * @param loaded the series of which the datasets are windows
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
    const { bars } = loaded[source]!;
    // biome-ignore lint/style/noNonNullAssertion: every source has one series, and every series has bars
    const btc = held[source]!;
    const { from, to } = fold?.train ?? { from: 0, to: bars.barCount };
    if (btc === null) return null;
    // biome-ignore lint/style/noNonNullAssertion: every source has one series, and every series has bars
    const first = barAt(btc, bars.time[from]!);
    // biome-ignore lint/style/noNonNullAssertion: every source has one series, and every series has bars
    const last = barAt(btc, bars.time[to - 1]!);
    // biome-ignore lint/style/noNonNullAssertion: first and last are bars of the series
    return first === -1 || last === -1 ? null : btc.close[last]! / btc.open[first]! - 1;
  });
}

/** Index of the bar that opens at the time, or -1. */
function barAt(bars: BarSeries, timeMs: number): number {
  const bar = firstBarFrom(bars, timeMs);
  return bars.time[bar] === timeMs ? bar : -1;
}

async function btcBars(
  { bars, dataset }: LoadedDataset,
  all: readonly LoadedDataset[],
  store: Pick<SweepBars, 'load'>,
): Promise<BarSeries | null> {
  const isBtc = (other: SweepDataset) => other.asset === 'BTC' && other.timeframe === dataset.timeframe;
  const loaded = all.find((other) => isBtc(other.dataset));
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
