import { LRUCache } from 'lru-cache';
import { EngineError } from '../../engine/errors.js';
import { type BarSeries, DAY_MS, HOUR_MS } from '../../engine/series/index.js';
import type { BarStore, StoredBars } from '../bars/index.js';
import type { MarketData } from '../providers/index.js';
import { smoothNoise, textHash } from './draws.js';
import type { Token } from './tokens.js';

/** Price and volume of a token by the hour. Hour h starts h hours after the epoch. */
export interface HourlyMarket {
  /** Whether bars of the token are held; otherwise a seed draws its prices. */
  readonly isHeld: boolean;
  /** Changes whenever the prices do. */
  readonly key: string;
  readonly firstHour: number;
  /** The first hour that has not ended: the market's now. */
  readonly endHour: number;
  /** Price at the end of an hour, in USD. An hour without a bar keeps the price before it. */
  closeAt(hour: number): number;
  /** In USD; 0 for an hour without a bar. */
  volumeUsdAt(hour: number): number;
}

/** What the generator knows of a token: the size of its market. */
interface MarketSize {
  /** Tokens in circulation. */
  readonly supply: number;
  /** In USD, while BTC costs `REFERENCE_BTC_USD`. */
  readonly priceUsd: number;
}

const REFERENCE_BTC_USD = 30_000;

const sizes: Readonly<Record<string, readonly [supply: number, priceUsd: number]>> = {
  BTC: [19.8e6, REFERENCE_BTC_USD],
  ETH: [120e6, 1_850],
  BNB: [145e6, 240],
  SOL: [470e6, 40],
  XRP: [55e9, 0.55],
  ADA: [35e9, 0.3],
  DOGE: [145e9, 0.07],
  AVAX: [400e6, 12],
  POL: [9.5e9, 0.6],
  LINK: [600e6, 7.5],
  UNI: [600e6, 5.5],
  AAVE: [15e6, 75],
  MKR: [920e3, 1_200],
  LDO: [890e6, 1.9],
  CRV: [1.1e9, 0.6],
  ARB: [3.5e9, 1],
  OP: [1.2e9, 1.4],
  AERO: [700e6, 0.4],
  CAKE: [260e6, 1.6],
  PEPE: [420e12, 1.2e-6],
  SHIB: [589e12, 8e-6],
  BONK: [70e12, 6e-6],
  USDC: [35e9, 1],
  USDT: [85e9, 1],
  DAI: [5e9, 1],
};

/** Share of its value that a generated token trades in an hour, on average. */
const HOURLY_TURNOVER = 0.0015;
const MARKETS_KEPT = 64;

export function marketSize({ ticker }: Token): MarketSize {
  const [supply, priceUsd] = sizes[ticker] ?? [1e9, 1];
  return { supply, priceUsd };
}

/** What the markets of tokens are made of. */
interface HeldBars {
  readonly store: Pick<BarStore, 'list'>;
  readonly market: Pick<MarketData, 'bars'>;
}

/**
 * The hourly market of every token: from bars where they are held, otherwise drawn from a seed, so
 * that it moves with BTC, ends with BTC's bars and is the same at every call.
 */
export class HourlyMarkets {
  readonly #bars: HeldBars;
  readonly #kept = new LRUCache<string, HourlyMarket>({ max: MARKETS_KEPT });

  constructor(bars: HeldBars) {
    this.#bars = bars;
  }

  /**
   * The markets of some tokens, in their order. Reads the catalogue of bars once.
   * @throws EngineError NOT_FOUND if bars of neither a token nor BTC are held
   */
  async of(tokens: readonly Token[]): Promise<HourlyMarket[]> {
    const entries = await this.#bars.store.list();
    let btc: Promise<HourlyMarket> | null = null;
    return Promise.all(
      tokens.map(async (token) => {
        const held = await this.#held(token.ticker, entries);
        if (held !== null) return held;
        btc ??= this.#held('BTC', entries).then((market) => {
          if (market === null) throw new EngineError('NOT_FOUND', 'no bars of BTC are held', { asset: 'BTC' });
          return market;
        });
        const driver = await btc;
        return this.#keep(`generated ${token.ticker} ${driver.key}`, (key) => generatedMarket(token, driver, key));
      }),
    );
  }

  /** Null if no bars of the token are held that give hours or days. */
  async #held(ticker: string, entries: readonly StoredBars[]): Promise<HourlyMarket | null> {
    for (const intervalMs of [HOUR_MS, DAY_MS]) {
      // The finest come first; the coarsest that gives the interval takes the least work.
      const entry = entries.findLast((each) => each.asset === ticker && intervalMs % each.intervalMs === 0);
      if (entry === undefined) continue;
      const key = `${ticker} ${intervalMs} ${entry.contentHash}`;
      const kept = this.#kept.get(key);
      if (kept !== undefined) return kept;
      const bars = await this.#bars.market.bars(ticker, intervalMs, -Infinity);
      if (bars.barCount > 0) return this.#keep(key, () => marketOfBars(bars, key));
    }
    return null;
  }

  #keep(key: string, make: (key: string) => HourlyMarket): HourlyMarket {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const made = make(key);
    this.#kept.set(key, made);
    return made;
  }
}

/** Spreads a bar that is longer than an hour evenly over its hours. */
function marketOfBars({ time, open, close, volume, barCount, intervalMs }: BarSeries, key: string): HourlyMarket {
  const hoursOfBar = intervalMs / HOUR_MS;
  const hourAt = (bar: number): number => Math.floor((time[bar] as number) / HOUR_MS);
  const firstHour = hourAt(0);
  const endHour = hourAt(barCount - 1) + hoursOfBar;
  const prices = new Float64Array(endHour - firstHour);
  const volumesUsd = new Float64Array(endHour - firstHour);
  let next = 0;
  for (let bar = 0; bar < barCount; bar++) {
    const at = hourAt(bar) - firstHour;
    // biome-ignore-start lint/style/noNonNullAssertion: columns of one length
    if (next > 0) prices.fill(prices[next - 1]!, next, at);
    const from = open[bar]!;
    const change = close[bar]! - from;
    for (let i = 0; i < hoursOfBar; i++) {
      const price = from + (change * (i + 1)) / hoursOfBar;
      prices[at + i] = price;
      volumesUsd[at + i] = (volume[bar]! / hoursOfBar) * price;
    }
    // biome-ignore-end lint/style/noNonNullAssertion: columns of one length
    next = at + hoursOfBar;
  }
  return {
    isHeld: true,
    key,
    firstHour,
    endHour,
    closeAt: (hour) => prices[hour - firstHour] ?? Number.NaN,
    volumeUsdAt: (hour) => volumesUsd[hour - firstHour] ?? 0,
  };
}

/** Move of a generated price in log terms, where BTC's is 1. */
const BTC_BETA = 0.9;

/** Waves of the price beside BTC's moves: how long, in hours, and how far, in log price. */
const waves: readonly (readonly [hours: number, height: number])[] = [
  [1_440, 0.35],
  [240, 0.1],
  [36, 0.035],
  [5, 0.01],
];

function generatedMarket(token: Token, btc: HourlyMarket, key: string): HourlyMarket {
  const seed = textHash(`price ${token.ticker}`);
  const { supply, priceUsd } = marketSize(token);
  const closeAt = (hour: number): number => {
    if (token.isStablecoin) return priceUsd * (1 + 0.0008 * smoothNoise(seed, hour / 48));
    let moved = BTC_BETA * Math.log(btc.closeAt(hour) / REFERENCE_BTC_USD);
    for (const [hours, height] of waves) moved += height * smoothNoise(seed + hours, hour / hours);
    return priceUsd * Math.exp(moved);
  };
  const volumeUsdAt = (hour: number): number =>
    supply * closeAt(hour) * HOURLY_TURNOVER * Math.exp(0.8 * smoothNoise(seed + 1, hour / 7));
  return { isHeld: false, key, firstHour: btc.firstHour, endHour: btc.endHour, closeAt, volumeUsdAt };
}
