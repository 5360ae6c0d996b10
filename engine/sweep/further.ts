import { parseInterval, tryParseInterval } from '../series/intervals.js';
import type { AssetRead } from '../strategy/index.js';
import type { SideSelection, SweepDefinition } from './definition.js';
import { columnsOfSignal } from './read-signal.js';

/** An asset that rules of a sweep name. */
export interface SweptAsset extends AssetRead {
  /** The columns beside its bars that the rules read. */
  readonly columns: readonly string[];
}

/** What a sweep reads beside the bars of its datasets. */
export interface SweepReads {
  /** Intervals of finer bars that some variant names. */
  readonly details: readonly string[];
  /** The assets that rules name, by the timeframe of the dataset. */
  readonly assets: Readonly<Record<string, readonly SweptAsset[]>>;
}

export function sweepReads(definition: SweepDefinition): SweepReads {
  const timeframes = [...new Set(definition.datasets.map(({ timeframe }) => timeframe))];
  const assets = timeframes.map((name) => [name, sweptAssets(definition, parseInterval(name))] as const);
  return { details: definition.variants.detailIntervals(), assets: Object.fromEntries(assets) };
}

/**
 * The assets that rules name, in the order of the rules.
 * @param intervalMs of the dataset
 */
function sweptAssets({ entry, exit, short }: SweepDefinition, intervalMs: number): SweptAsset[] {
  const found = new Map<string, { asset: string; place: string; timeframesMs: number[]; columns: string[] }>();
  const sides: readonly (readonly [string, SideSelection])[] = [
    ['entry_signals', entry],
    ['exit_signals', exit],
    ['short_entry_signals', short?.entry ?? []],
    ['short_exit_signals', short?.exit ?? []],
  ];
  for (const [side, groups] of sides) {
    for (const [g, group] of groups.entries()) {
      const within = groups.length === 1 ? side : `${side}.any[${g}]`;
      for (const list of ['triggers', 'filters'] as const) {
        for (const [i, signal] of group[list].entries()) {
          const asset = signal.reach?.asset;
          if (asset === undefined) continue;
          const read = found.get(asset) ?? {
            ...{ asset, place: `${within}.${list}[${i}].asset`, timeframesMs: [], columns: [] },
          };
          found.set(asset, read);
          const ms = signal.timeframe === null ? intervalMs : tryParseInterval(signal.timeframe);
          if (ms !== null && !read.timeframesMs.includes(ms)) read.timeframesMs.push(ms);
          read.columns = [...new Set([...read.columns, ...columnsOfSignal(signal)])];
        }
      }
    }
  }
  return [...found.values()];
}
