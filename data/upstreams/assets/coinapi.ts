import { z } from 'zod';
import { DAY_MS, formatInterval, isoTime } from '../../../engine/series/index.js';
import { mapSourced } from '../sourced.js';
import { type Adapter, Upstream, type UpstreamOptions } from '../upstream.js';
import { type CandleSource, type Candles, candleIntervalMs } from './port.js';

export interface LiveOptions extends Pick<UpstreamOptions, 'baseUrl' | 'limits' | 'clock'> {
  readonly key: string;
}

const price = z.number().nullable();

/** A period without a trade has no prices. */
const periods = z.array(
  z.object({
    time_period_start: z.string(),
    price_open: price,
    price_high: price,
    price_low: price,
    price_close: price,
    volume_traded: z.number(),
  }),
);

const periodIds: Readonly<Record<string, string>> = { '1h': '1HRS', '4h': '4HRS', '1d': '1DAY' };

/** No data for the one thing that was asked for. */
const NO_DATA = 550;
const MAX_AGE_MS = 60_000;

/**
 * Candles of Binance spot against USDT, the market of the bundled bars.
 * @see https://docs.coinapi.io/market-data/rest-api/ohlcv/historical-data
 */
export function openCoinApi({ key, ...options }: LiveOptions): CandleSource & Adapter {
  const upstream = new Upstream({ name: 'coinapi', headers: { 'X-CoinAPI-Key': key }, ...options });
  const clock = options.clock ?? Date.now;
  return {
    upstreams: [upstream],
    async candles(symbol, days) {
      const intervalMs = candleIntervalMs(days);
      const fromMs = Math.ceil((clock() - days * DAY_MS) / intervalMs) * intervalMs;
      const answer = await upstream.ask({
        path: `/v1/ohlcv/BINANCE_SPOT_${encodeURIComponent(symbol)}_USDT/history`,
        query: {
          period_id: periodIds[formatInterval(intervalMs)],
          time_start: isoTime(fromMs),
          limit: Math.ceil((days * DAY_MS) / intervalMs) + 1,
        },
        schema: periods,
        maxAgeMs: MAX_AGE_MS,
        absentStatuses: [404, NO_DATA],
      });
      return mapSourced(answer, (rows) => {
        const candles = (rows ?? []).flatMap(candle);
        return candles.length === 0 ? null : { intervalMs, candles };
      });
    },
  };
}

function candle(row: z.infer<typeof periods>[number]): Candles['candles'][number][] {
  const { price_open: open, price_high: high, price_low: low, price_close: close, volume_traded: volume } = row;
  if (open === null || high === null || low === null || close === null) return [];
  return [{ timeMs: Date.parse(row.time_period_start), open, high, low, close, volume }];
}
