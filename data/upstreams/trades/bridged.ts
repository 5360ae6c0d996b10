import { EngineError } from '../../../engine/errors.js';
import {
  allocateBars,
  type BarSeries,
  firstBarFrom,
  MINUTE_MS,
  plainColumns,
  sliceBars,
} from '../../../engine/series/index.js';
import { apiTimeframeMs } from '../../../engine/strategy/index.js';
import { bridgeBars } from '../../../engine/synthetic/index.js';
import { bridgeSeed } from '../../bars/index.js';
import type { MarketData } from '../../providers/index.js';

/** Bars of one minute that are drawn within held bars of one interval. */
export interface BridgedMinutes {
  readonly firstMs: number;
  /** When the last held bar closes. */
  readonly closeMs: number;
  /** The minutes that open in a window, at least the first `limit` of them where there are more. */
  load(fromMs: number, toMs: number, limit?: number): Promise<BarSeries>;
}

/**
 * For each interval above the length of some stored bars of the asset, from the finest: see
 * `bridgeBars`.
 */
export async function bridgedMinutes(market: MarketData, asset: string, aboveMs: number): Promise<BridgedMinutes[]> {
  const found: BridgedMinutes[] = [];
  for (const intervalMs of [...apiTimeframeMs].filter((ms) => ms > aboveMs).sort((a, b) => a - b)) {
    const source = await market.resolveSource(asset, intervalMs).catch(orNull('NOT_FOUND', 'INVALID_FIELD'));
    if (source === null || source.entry.intervalMs !== intervalMs) continue;
    const { firstMs, lastMs } = source.entry;
    found.push({
      firstMs,
      closeMs: lastMs + intervalMs,
      load: (fromMs, toMs, limit = Infinity) => loadMinutes(market, asset, intervalMs, { fromMs, toMs, limit }),
    });
  }
  return found;
}

async function loadMinutes(
  market: MarketData,
  asset: string,
  intervalMs: number,
  { fromMs, toMs, limit }: { readonly fromMs: number; readonly toMs: number; readonly limit: number },
): Promise<BarSeries> {
  const query = { asset, intervalMs, fromMs: Math.floor(fromMs / intervalMs) * intervalMs, toMs };
  const held = await market.load(query).catch(orNull('EMPTY_WINDOW'));
  if (held === null) return allocateBars(0, MINUTE_MS, [], plainColumns);
  const perBar = intervalMs / MINUTE_MS;
  // The first bar can begin before the window.
  const needed = Math.min(held.bars.barCount, Math.ceil(limit / perBar) + 1);
  const minutes = bridgeBars(
    sliceBars(held.bars, 0, needed),
    MINUTE_MS,
    bridgeSeed(held.entry.asset, intervalMs),
    plainColumns,
  );
  const from = firstBarFrom(minutes, fromMs);
  return sliceBars(minutes, from, Math.max(from, firstBarFrom(minutes, toMs)));
}

/** For a rejection: null where the error has one of these codes. */
export const orNull =
  (...codes: readonly string[]) =>
  (error: unknown): null => {
    if (error instanceof EngineError && codes.includes(error.code)) return null;
    throw error;
  };
