// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length
import { type BarSeries, MINUTE_MS } from '../../../engine/series/index.js';
import { SplitMix64 } from '../../../engine/statistics/index.js';
import { splitVolume } from '../../../engine/synthetic/index.js';
import { bridgeSeed } from '../../bars/index.js';
import type { MarketData } from '../../providers/index.js';
import { generated } from '../sourced.js';
import { type BridgedMinutes, bridgedMinutes } from './bridged.js';
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
