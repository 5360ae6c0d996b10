import { z } from 'zod';

/**
 * The fields of CoinGecko's answers that are used; further ones are ignored.
 * @see https://github.com/coingecko/coingecko-api-oas
 */

const text = z.string().min(1);
const amount = z.number().nullable();
/** By currency, lower case. */
const amounts = z.record(z.string(), amount);
const times = z.record(z.string(), z.string().nullable());

/** GET /coins/markets */
export const marketRows = z.array(
  z.object({
    id: text,
    symbol: text,
    name: text,
    current_price: amount,
    market_cap: amount,
    total_volume: amount,
    high_24h: amount,
    low_24h: amount,
    price_change_percentage_24h: amount,
    price_change_percentage_7d_in_currency: amount.optional(),
    last_updated: z.iso.datetime({ offset: true }).nullable(),
  }),
);

export type MarketRow = z.infer<typeof marketRows>[number];

/** GET /coins/{id} */
export const coinDetail = z.object({
  symbol: text,
  name: text,
  genesis_date: z.iso.date().nullable(),
  market_data: z.object({
    current_price: amounts,
    market_cap: amounts,
    total_volume: amounts,
    ath_date: times,
    atl_date: times,
  }),
  tickers: z.array(z.object({ market: z.object({ identifier: text }) })),
});

const series = z.array(z.tuple([z.number(), amount]));

/** GET /coins/{id}/market_chart: times with prices, and with the volume of the 24 hours before. */
export const marketChart = z.object({ prices: series, total_volumes: series });

/** GET /coins/{id}/ohlc: close time, open, high, low, close. */
export const ohlcRows = z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]));

/** GET /exchanges */
export const exchangeRows = z.array(
  z.object({
    id: text,
    name: text,
    country: z.string().nullable(),
    /** 1..10, the best. */
    trust_score: amount,
    trade_volume_24h_btc: amount,
  }),
);

/** GET /search/trending */
export const trendingCoins = z.object({
  coins: z.array(
    z.object({
      item: z.object({
        symbol: text,
        name: text,
        market_cap_rank: amount,
        data: z.object({ price: amount.optional(), price_change_percentage_24h: amounts.optional() }).nullish(),
      }),
    }),
  ),
});

/** GET /global */
export const globalData = z.object({
  data: z.object({
    active_cryptocurrencies: z.number(),
    total_market_cap: amounts,
    total_volume: amounts,
    market_cap_percentage: amounts,
    market_cap_change_percentage_24h_usd: z.number(),
  }),
});
