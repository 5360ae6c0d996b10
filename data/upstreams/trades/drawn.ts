// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length

import { EngineError } from '../../../engine/errors.js';
import {
  allocateBars,
  type BarSeries,
  firstBarFrom,
  MINUTE_MS,
  plainColumns,
  sliceBars,
} from '../../../engine/series/index.js';
import { SplitMix64 } from '../../../engine/statistics/index.js';
import { apiTimeframeMs } from '../../../engine/strategy/index.js';
import { bridgeBars, splitVolume } from '../../../engine/synthetic/index.js';
import { bridgeSeed } from '../../bars/index.js';
import type { MarketData } from '../../providers/index.js';
import { generated } from '../sourced.js';
import { heldInstrument } from './held.js';
import type { AboutPair, HistoryWindow, Pair, Quote, Trade, TradesPort } from './port.js';

/** Trades of a minute: at its open, its two extremes and its close. */
const TRADES = 4;
/** Minutes that a history looks through at a time. */
const BLOCK_MINUTES = 1_000;
/** Digits of a price above the smallest step of a quote. */
const STEP_DIGITS = 5;

/**
 * Recorded trades and quotes, and drawn ones for other markets with held bars: four trades
 * a minute that merge to the drawn bar of that minute, and a quote around each.
 */
export function openDrawnTrades(recorded: TradesPort, market: MarketData): TradesPort {
  async function orDrawn<Row>(
    pair: Pair,
    found: Awaited<AboutPair<Row>>,
    window: HistoryWindow | null,
    rowOf: (trade: Trade) => Row,
  ): AboutPair<Row> {
    const instrument = heldInstrument(pair);
    if (found.value !== null || instrument === null) return found;
    const sources = await bridgedMinutes(market, pair.base, MINUTE_MS);
    const newest = sources.reduce<BridgedMinutes | null>(
      (best, one) => (best === null || one.closeMs > best.closeMs ? one : best),
      null,
    );
    if (newest === null) return found;
    const asked = window ?? { fromMs: newest.firstMs, toMs: newest.closeMs, isAscending: false, limit: 1 };
    const source = sources.find(({ firstMs, closeMs }) => asked.fromMs < closeMs && firstMs < asked.toMs) ?? newest;
    const trades = await tradesIn(window === null ? newest : source, pair.base, asked);
    const { firstMs, closeMs } = source;
    const asOfMs = trades.length === 0 ? closeMs : Math.max(...trades.map(({ timeMs }) => timeMs));
    return generated({ instrument, rows: trades.map(rowOf), held: { firstMs, lastMs: closeMs } }, asOfMs);
  }

  const same = (trade: Trade) => trade;
  return {
    latestTrade: async (pair) => orDrawn(pair, await recorded.latestTrade(pair), null, same),
    trades: async (pair, window) => orDrawn(pair, await recorded.trades(pair, window), window, same),
    latestQuote: async (pair) => orDrawn(pair, await recorded.latestQuote(pair), null, quoteAround),
    quotes: async (pair, window) => orDrawn(pair, await recorded.quotes(pair, window), window, quoteAround),
    state: () => recorded.state(),
  };
}

/** The trades of a window in its order, minute by minute until there are enough. */
async function tradesIn(source: BridgedMinutes, asset: string, window: HistoryWindow): Promise<Trade[]> {
  const { isAscending, limit } = window;
  const blockMs = BLOCK_MINUTES * MINUTE_MS;
  const fromMs = Math.floor(Math.max(window.fromMs, source.firstMs) / MINUTE_MS) * MINUTE_MS;
  const toMs = Math.min(window.toMs, source.closeMs);
  const trades: Trade[] = [];
  for (let done = 0; done < toMs - fromMs && trades.length < limit; done += blockMs) {
    const blockFrom = isAscending ? fromMs + done : Math.max(fromMs, toMs - done - blockMs);
    const blockTo = isAscending ? Math.min(toMs, blockFrom + blockMs) : toMs - done;
    const minutes = await source.load(Math.floor(blockFrom / MINUTE_MS) * MINUTE_MS, blockTo);
    const found = Array.from({ length: minutes.barCount }, (_, i) => tradesOfMinute(minutes, i, asset))
      .flat()
      .filter(({ timeMs }) => timeMs >= Math.max(window.fromMs, blockFrom) && timeMs < blockTo);
    trades.push(...(isAscending ? found : found.reverse()));
  }
  return trades.slice(0, limit);
}

function tradesOfMinute({ time, open, high, low, close, volume }: BarSeries, i: number, asset: string): Trade[] {
  if (volume[i] === 0) return [];
  const random = new SplitMix64(bridgeSeed(asset, MINUTE_MS) + BigInt(time[i]!));
  const isHighFirst = random.uniform() < 0.5;
  const prices = [open[i]!, isHighFirst ? high[i]! : low[i]!, isHighFirst ? low[i]! : high[i]!, close[i]!];
  const sizes = new Float64Array(TRADES);
  splitVolume(sizes, volume[i]!, random);
  return prices.map((price, k) => {
    const before = k === 0 ? open[i]! : prices[k - 1]!;
    const isBuy = price === before ? random.uniform() < 0.5 : price > before;
    const timeMs = time[i]! + Math.floor(((k + random.uniform()) * MINUTE_MS) / TRADES);
    return { timeMs, price, size: sizes[k]!, takerSide: isBuy ? 'buy' : 'sell' };
  });
}

/** A quote one step to either side of a trade. */
function quoteAround({ timeMs, price, size }: Trade): Quote {
  const power = Math.floor(Math.log10(price)) - STEP_DIGITS;
  const at = (steps: number) => Number((price + steps * 10 ** power).toPrecision(15));
  return { timeMs, askPrice: at(1), askSize: size, bidPrice: at(-1), bidSize: size };
}

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
