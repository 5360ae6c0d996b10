import { barsFor, drawnNote } from '../../data/bars/index.js';
import type { MarketData as MarketDataPort } from '../../data/providers/index.js';
import type { ExecutionConfig } from '../../engine/execution/index.js';
import { type BarSeries, bucketStart, DAY_MS, firstBarFrom, isoTime } from '../../engine/series/index.js';
import { type ApiCode, ApiError, asApiError } from '../api-error.js';

/** The part of the market-data port that evaluations need. */
export type MarketData = Pick<MarketDataPort, 'nowMs' | 'bars' | 'latestPrice' | 'generatedColumns' | 'drawn'>;

/** The market as every evaluation of one call sees it. */
export interface MarketView {
  readonly bars: BarSeries;
  readonly price: number;
  readonly timeMs: number;
  /** Names of the columns that a generator drew. */
  readonly generated: readonly string[];
  /** Set where bars are drawn. */
  readonly note: string | null;
}

export interface MarketNeed {
  readonly baseAsset: string;
  readonly intervalMs: number;
  readonly config: ExecutionConfig;
  /** Columns beside the bars that the rules read. */
  readonly columns: readonly string[];
  /** Open time of the first bar needed, given the current time. */
  readonly fromMs: (nowMs: number) => number;
}

export const pairKey = (baseAsset: string, intervalMs: number): string => `${baseAsset} ${intervalMs}`;

/** The key of a view: of a pair, held bars alone or drawn ones too. */
export const viewKey = ({ baseAsset, intervalMs, config }: Pick<MarketNeed, 'baseAsset' | 'intervalMs' | 'config'>) =>
  `${pairKey(baseAsset, intervalMs)} ${config.allow_generated_bars ?? false}`;

/**
 * Reads each pair of asset and interval once, as far back as its longest need reaches, from the
 * start of a day so that aggregated bars are complete. A pair without data maps to its error.
 */
export async function readMarket(
  needs: readonly MarketNeed[],
  market: MarketData,
): Promise<ReadonlyMap<string, MarketView | ApiError>> {
  const byPair = new Map<string, MarketNeed[]>();
  for (const need of needs) {
    const pair = viewKey(need);
    byPair.set(pair, [...(byPair.get(pair) ?? []), need]);
  }
  const views = [...byPair].map(async ([pair, group]) => [pair, await readPair(group, market)] as const);
  return new Map(await Promise.all(views));
}

async function readPair(needs: readonly MarketNeed[], held: MarketData): Promise<MarketView | ApiError> {
  // biome-ignore lint/style/noNonNullAssertion: a group of needs has one at least
  const { baseAsset, intervalMs, config } = needs[0]!;
  const market = barsFor(held, config);
  try {
    const now = await market.nowMs(baseAsset, intervalMs);
    const from = Math.min(...needs.map((need) => need.fromMs(now)));
    const columns = [...new Set(needs.flatMap((need) => need.columns))];
    const [bars, { price, timeMs }, generated] = await Promise.all([
      market.bars(baseAsset, intervalMs, bucketStart(Math.max(0, from), DAY_MS), columns),
      market.latestPrice(baseAsset, intervalMs),
      columns.length === 0 ? [] : market.generatedColumns(baseAsset, intervalMs),
    ]);
    if (bars.barCount > 0 && Number.isFinite(price) && price > 0) {
      const drawn = market === held.drawn ? (await held.drawn.resolveSource(baseAsset, intervalMs)).entry : null;
      return { bars, price, timeMs, generated, note: drawn && drawnNote(drawn, bars.time) };
    }
    return noData(baseAsset, 'no bar has closed yet');
  } catch (error) {
    const known = asApiError(error);
    if (known === null) throw error;
    return noData(baseAsset, known.message, known.code);
  }
}

/**
 * An asset without bars is a mistake in the strategy, as it is in a backtest; a provider that fails
 * is an internal error.
 */
const noData = (asset: string, reason: string, code: ApiCode = 'VALIDATION_ERROR'): ApiError =>
  new ApiError(code, `No market data for ${asset}: ${reason}`, { asset });

/**
 * Reasons for which signals of live bars differ from a backtest's: a history shorter than the
 * warm-up, missing bars, and bars off the grid of their interval.
 * @param historyMs what the rules and the sizing need before the newest close
 */
export function marketWarnings(bars: BarSeries, historyMs: number): string[] {
  const { time, barCount, intervalMs } = bars;
  const newest = time[barCount - 1] ?? NaN;
  const neededFrom = newest + intervalMs - historyMs;
  const from = firstBarFrom(bars, neededFrom);
  const first = time[from] ?? NaN;
  const warnings: string[] = [];
  if (from === 0 && first - neededFrom >= intervalMs) {
    const needed = Math.ceil(historyMs / intervalMs);
    warnings.push(
      `history: ${barCount - from} bars are held, the rules and sizes need ${needed} to warm up and settle: signals may differ`,
    );
  }
  let missing = 0;
  let between: number | null = null;
  for (let bar = from; bar < barCount; bar++) {
    const at = time[bar] ?? NaN;
    if (bar > from) missing += Math.max(0, Math.round((at - (time[bar - 1] ?? at)) / intervalMs) - 1);
    if (between === null && (at - first) % intervalMs !== 0) between = at;
  }
  const span = `between ${isoTime(first)} and ${isoTime(newest)}`;
  if (missing > 0) warnings.push(`bars: ${missing} ${missing === 1 ? 'bar is' : 'bars are'} missing ${span}`);
  if (between !== null) warnings.push(`bars: the bar of ${isoTime(between)} opens between the bars of its interval`);
  return warnings;
}
