import { LRUCache } from 'lru-cache';
import { HOUR_MS, isoTime } from '../../../engine/series/index.js';
import { hash32, noiseText, textHash, uniform } from '../draws.js';
import type { HourlyMarket } from '../hourly-market.js';
import type { Token } from '../tokens.js';
import { type PerpAction, type PerpTrade, smartMoneyLabels } from './port.js';

const HOURS_KEPT = 4_000;
const TRADES_PER_HOUR_MAX = 4;
const WALLETS = 30;
const HEX = '0123456789abcdef';
/** Trades are worth 2,000 USD to 2 million USD, small ones more often. */
const VALUE_MIN_USD = 2_000;
const VALUE_RATIO = 1_000;

/** Generated trades of smart money in perpetuals, hour by hour, at the prices of the token. */
export class PerpTape {
  readonly #hours = new LRUCache<string, readonly PerpTrade[]>({ max: HOURS_KEPT });

  /** Trades of the last hours before the market's now, the newest first. */
  recent(token: Token, market: HourlyMarket, hours: number): PerpTrade[] {
    const trades: PerpTrade[] = [];
    for (let hour = market.endHour - 1; hour >= market.endHour - hours; hour--) {
      trades.push(...this.#hour(token, market, hour));
    }
    return trades;
  }

  #hour(token: Token, market: HourlyMarket, hour: number): readonly PerpTrade[] {
    const key = `${token.ticker} ${hour} ${market.key}`;
    const kept = this.#hours.get(key);
    if (kept !== undefined) return kept;
    const seed = hash32(textHash(`perp ${token.ticker}`), hour);
    const count = hash32(seed) % (TRADES_PER_HOUR_MAX + 1);
    const trades = Array.from({ length: count }, (_, i) => perpTrade(token.ticker, market, hour, hash32(seed, i)));
    trades.sort((a, b) => (a.block_timestamp < b.block_timestamp ? 1 : -1));
    this.#hours.set(key, trades);
    return trades;
  }
}

function perpTrade(ticker: string, market: HourlyMarket, hour: number, seed: number): PerpTrade {
  const into = uniform(seed, 1);
  const open = market.closeAt(hour - 1);
  const move = market.closeAt(hour) - open;
  const price = open + move * into;
  const isBuy = uniform(seed, 2) < 0.5 + (move > 0 ? 0.15 : -0.15);
  const isOpening = uniform(seed, 3) < 0.6;
  const action: PerpAction = isBuy
    ? isOpening
      ? 'Buy - Add Long'
      : 'Buy - Reduce Short'
    : isOpening
      ? 'Sell - Add Short'
      : 'Sell - Reduce Long';
  const valueUsd = VALUE_MIN_USD * VALUE_RATIO ** (uniform(seed, 4) ** 2);
  const wallet = hash32(seed, 5) % WALLETS;
  const address = `0x${noiseText(HEX, 40, textHash('hyperliquid'), wallet)}`;
  const label = smartMoneyLabels[wallet % smartMoneyLabels.length];
  return {
    block_timestamp: isoTime(Math.floor((hour + into) * (HOUR_MS / 1_000)) * 1_000),
    transaction_hash: `0x${noiseText(HEX, 64, seed, 6)}`,
    trader_address: address,
    trader_address_label: `${label} [${address.slice(0, 8)}]`,
    token_symbol: ticker,
    side: action.endsWith('Long') ? 'Long' : 'Short',
    action,
    type: uniform(seed, 7) < 0.7 ? 'Market' : 'Limit',
    token_amount: valueUsd / price,
    price_usd: price,
    value_usd: valueUsd,
    is_new_position: isOpening && uniform(seed, 8) < 0.4,
  };
}
