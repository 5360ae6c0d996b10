import { normaliseAsset } from '../data/bars/index.js';
import type { MarketData } from '../data/providers/index.js';
import { EngineError } from '../engine/errors.js';
import { type ExecutionConfig, isPlain } from '../engine/execution/index.js';
import { type BarSeries, bucketStart, firstBarFrom, parseInterval, sliceBars } from '../engine/series/index.js';
import { assetsRead, columnsRead, type OtherBars, type StrategyDefinition } from '../engine/strategy/index.js';

/** A strategy of a paper account, which reads bars as they close. */
interface Traded {
  readonly strategy: StrategyDefinition;
  readonly config: ExecutionConfig;
  readonly baseAsset: string;
  readonly intervalMs: number;
}

/** What a strategy reads beside the bars of its asset. */
export interface FurtherBars {
  /** By the name that the rules use. */
  readonly others: OtherBars;
  /** Finer bars, for `detail_interval`. */
  readonly detail: BarSeries | undefined;
}

/** Whether a strategy uses no short side, margin, working orders, moving levels or guards. */
export const isPlainStrategy = ({ strategy, config }: Pick<Traded, 'strategy' | 'config'>): boolean =>
  isPlain({ ...(strategy.shortEntry !== undefined && { shortEntry: new Uint32Array(0) }), config });

/**
 * Bars of the assets that rules name, on the interval of the run, or on the shortest timeframe of
 * the rules where only coarser ones are held; and the finer bars of the asset itself.
 * @param own bars of the asset
 * @throws EngineError NOT_FOUND that names the missing bars
 */
export async function readFurther(
  market: Pick<MarketData, 'bars'>,
  { strategy, config, baseAsset, intervalMs }: Traded,
  own: BarSeries,
  fromMs: number,
): Promise<FurtherBars> {
  const others: Record<string, BarSeries> = {};
  for (const { asset, timeframesMs } of assetsRead(strategy, intervalMs)) {
    const base = normaliseAsset(asset);
    const columns = columnsRead(strategy, asset);
    const shortest = Math.min(...timeframesMs);
    if (base === baseAsset) others[asset] = own;
    else {
      others[asset] = await market.bars(base, intervalMs, fromMs, columns).catch((error: unknown) => {
        if (!(error instanceof EngineError) || error.code !== 'NOT_FOUND' || shortest === intervalMs) throw error;
        return market.bars(base, shortest, fromMs, columns);
      });
    }
  }
  const interval = config.detail_interval ?? null;
  const detail = interval === null ? undefined : await market.bars(baseAsset, parseInterval(interval), fromMs);
  return { others, detail };
}

/** The columns of the assets that rules name, as `planStrategy` takes them. */
export const columnsOfOthers = ({ others }: FurtherBars): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(others).map(([name, { columns }]) => [name, Object.keys(columns)]));

/** The time up to which all that a strategy reads has closed. */
export const closedUpTo = ({ others }: FurtherBars): number =>
  Math.min(
    ...Object.values(others).map(({ time, barCount, intervalMs }) => (time[barCount - 1] ?? -Infinity) + intervalMs),
  );

/** Whether the bars of other assets that close by a time have all closed. */
export const isComplete = ({ others }: FurtherBars, closeMs: number): boolean =>
  Object.values(others).every(({ time, barCount, intervalMs }) => {
    const newest = (time[barCount - 1] ?? -Infinity) + intervalMs;
    return newest >= bucketStart(closeMs, intervalMs);
  });

/** The same with bars that have closed by a time only. */
export const furtherUpTo = ({ others, detail }: FurtherBars, closeMs: number): FurtherBars => {
  const closedBy = (bars: BarSeries) => sliceBars(bars, 0, firstBarFrom(bars, closeMs - bars.intervalMs + 1));
  return {
    others: Object.fromEntries(Object.entries(others).map(([name, bars]) => [name, closedBy(bars)])),
    detail: detail && closedBy(detail),
  };
};
