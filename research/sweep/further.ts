import { EngineError } from '../../engine/errors.js';
import { type BarSeries, parseInterval, type SharedBars, shareBars, sharedColumns } from '../../engine/series/index.js';
import {
  type FurtherRead,
  type FurtherSeries,
  type SweepDataset,
  type SweepDefinition,
  type SweepReads,
  type SweptAsset,
  sweepReads,
} from '../../engine/sweep/index.js';
import { type FurtherSources, findFurther, loadFurther } from '../backtest/further-series.js';
import type { LoadedDataset, LoadedFurther, SweepBars } from './datasets.js';

/** The further series as a run over `bars`, all or the first of the dataset, reads them. */
export const furtherOver = (bars: BarSeries, further: LoadedFurther | undefined): FurtherSeries => ({
  others: { ...further?.others, ...Object.fromEntries((further?.own ?? []).map((name) => [name, bars])) },
  details: further?.details ?? {},
});

/** A dataset as it crosses threads. */
export const sharedSeries = ({ shared, startMs, further }: LoadedDataset) => ({
  ...{ shared, startMs },
  ...(further !== undefined && { further: shareFurther(further) }),
});

function shareFurther({ own, others, details }: LoadedFurther) {
  const share = (series: Readonly<Record<string, BarSeries>>): Record<string, SharedBars> =>
    Object.fromEntries(Object.entries(series).map(([name, bars]) => [name, shareBars(bars)]));
  return { own, others: share(others), details: share(details) };
}

interface FurtherLoaded {
  readonly definition: SweepDefinition;
  readonly loaded: readonly LoadedDataset[];
  readonly warnings: readonly string[];
}

/**
 * Finds the further series of each dataset, before any bar is read.
 * @throws EngineError naming the field and the import that brings a series which is missing
 */
export function findAllFurther(
  { details: intervals, assets }: SweepReads,
  datasets: readonly Pick<SweepDataset, 'asset' | 'timeframe' | 'columns'>[],
  store: SweepBars,
) {
  return Promise.all(
    datasets.map(async ({ asset, timeframe, columns }) => {
      const intervalMs = parseInterval(timeframe);
      const place = { asset, intervalMs, columns };
      const reads = assets[timeframe] ?? [];
      const rules = await findFurther(store, reads, null, place);
      for (const read of reads) checkColumns(read, rules);
      const details = await Promise.all(
        intervals.map(async (interval) => [interval, await findFurther(store, [], interval, place)] as const),
      );
      return { rules, details };
    }),
  );
}

/**
 * Finds and loads the bars of the assets that rules name, and the finer bars of `detail_interval`,
 * for each dataset, from their first held bar to the end of the dataset.
 * @throws EngineError naming the field and the import that brings a series which is missing
 */
export async function withFurther(
  definition: SweepDefinition,
  loaded: readonly LoadedDataset[],
  store: SweepBars,
): Promise<FurtherLoaded> {
  const further = await loadAllFurther(sweepReads(definition), loaded, store);
  if (further === null) return { definition, loaded, warnings: [] };
  const datasets = definition.datasets.map((dataset, i) => ({
    ...dataset,
    // biome-ignore lint/style/noNonNullAssertion: a dataset, or the source of its fold, is loaded
    further: further.loaded[dataset.fold?.source ?? i]!.dataset.further ?? [],
  }));
  return { ...further, definition: { ...definition, datasets } };
}

/**
 * The same for what a sweep is known to read; null where that is nothing.
 * @throws EngineError as `withFurther` does
 */
export async function loadAllFurther(
  reads: SweepReads,
  loaded: readonly LoadedDataset[],
  store: SweepBars,
): Promise<Omit<FurtherLoaded, 'definition'> | null> {
  const datasets = loaded.map(({ dataset }) => dataset);
  const found = await findAllFurther(reads, datasets, store);
  if (found.every(({ rules, details }) => rules.others.size === 0 && details.length === 0)) return null;
  const warnings = new Set<string>();
  const kept = keeping(store);
  const withSeries: LoadedDataset[] = [];
  for (const [i, one] of loaded.entries()) {
    // biome-ignore lint/style/noNonNullAssertion: there is one for each dataset
    const { rules, details } = found[i]!;
    withSeries.push(await loadOne(kept, one, rules, details, warnings));
  }
  return { loaded: withSeries, warnings: [...warnings] };
}

/** Many datasets may read the same series. */
function keeping(store: SweepBars): SweepBars {
  const loads = new Map<string, ReturnType<SweepBars['load']>>();
  return {
    resolveSource: (...args) => store.resolveSource(...args),
    load: (query) => {
      const key = JSON.stringify(query);
      const load = loads.get(key) ?? store.load(query);
      loads.set(key, load);
      return load;
    },
  };
}

async function loadOne(
  store: SweepBars,
  one: LoadedDataset,
  rules: FurtherSources,
  details: readonly (readonly [string, FurtherSources])[],
  warnings: Set<string>,
): Promise<LoadedDataset> {
  const { dataset, bars, first } = one;
  const parts = [
    ...[...rules.others].map(([name, source]) => ({
      name,
      sources: { ...rules, others: new Map([[name, source]]), warnings: [] },
    })),
    ...details.map(([name, sources]) => ({ name, sources })),
  ];
  const own: string[] = [];
  const others: Record<string, BarSeries> = {};
  const finer: Record<string, BarSeries> = {};
  const read: FurtherRead[] = [];
  const about = `${dataset.asset} ${dataset.timeframe}`;
  for (const warning of rules.warnings) warnings.add(warning);
  for (const { name, sources } of parts) {
    const series = await loadFurther(store, sources, { bars, first }, Infinity, sharedColumns);
    for (const warning of series.warnings) warnings.add(`${about}: ${warning}`);
    for (const held of series.read) read.push({ name, ...held });
    if (series.detail !== undefined) finer[name] = series.detail;
    else if (series.read.length === 0) own.push(name);
    // biome-ignore lint/style/noNonNullAssertion: a series of rules was asked for, and it has bars
    else others[name] = series.others[name]!;
  }
  return { ...one, dataset: { ...dataset, further: read }, further: { own, others, details: finer } };
}

/** Refuses a rule over a column that the other asset lacks, as one of the dataset itself is refused. */
function checkColumns({ asset, place, columns }: SweptAsset, { columns: held }: FurtherSources): void {
  const missing = columns.find((column) => held[asset]?.includes(column) !== true);
  if (missing === undefined) return;
  const remedy = `add it with: barline data columns add FILE --asset ${asset} --column ${missing}`;
  throw new EngineError('INVALID_FIELD', `${place}: ${asset} has no column ${missing}; ${remedy}`, { field: place });
}
