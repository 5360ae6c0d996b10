import type { Quote, Trade } from '../../data/upstreams/trades/index.js';
import { exchangeInfo } from './exchange.js';
import type { UpstreamAnswer, UpstreamRequest } from './upstream-server.js';

/** What one market of the server has. */
export interface ServedMarket {
  /** Oldest first. */
  readonly trades: readonly Trade[];
  readonly book: Quote;
}

/**
 * Answers as Binance does for `GET aggTrades`, `GET depth` and the lists of markets: spot below
 * /api/v3, perpetuals below /fapi/v1. https://developers.binance.com/docs/binance-spot-api-docs
 */
export function binanceAnswers(markets: { readonly spot: ServedMarket; readonly perpetual: ServedMarket }) {
  const answer: UpstreamAnswer = (request) => {
    const market = request.path.startsWith('/fapi/') ? markets.perpetual : markets.spot;
    switch (request.path) {
      case '/api/v3/exchangeInfo':
        return exchangeInfo(0);
      case '/fapi/v1/exchangeInfo':
        return { symbols: [perpetual] };
      case '/dapi/v1/exchangeInfo':
        return { symbols: [] };
      case '/api/v3/aggTrades':
      case '/fapi/v1/aggTrades':
        return aggregateTrades(market.trades, request);
      case '/api/v3/depth':
      case '/fapi/v1/depth':
        return depth(market.book);
      default:
        return undefined;
    }
  };
  return answer;
}

/** With a start, the oldest from there; without one, the newest. Both ends are inclusive. */
function aggregateTrades(trades: readonly Trade[], { query }: UpstreamRequest) {
  const limit = Math.min(1_000, Number(query.get('limit') ?? 500));
  const from = query.get('startTime');
  const until = Number(query.get('endTime') ?? Infinity);
  const rows = trades
    .map(({ timeMs, price, size, takerSide }, id) => ({
      a: id,
      p: String(price),
      q: size.toFixed(8),
      f: id,
      l: id,
      T: timeMs,
      m: takerSide === 'sell',
      M: true,
    }))
    .filter(({ T }) => T >= Number(from ?? -Infinity) && T <= until);
  return from === null ? rows.slice(-limit) : rows.slice(0, limit);
}

const depth = ({ bidPrice, bidSize, askPrice, askSize }: Quote) => ({
  lastUpdateId: 1,
  bids: [
    [String(bidPrice), String(bidSize)],
    [String(bidPrice - 1), '1'],
  ],
  asks: [
    [String(askPrice), String(askSize)],
    [String(askPrice + 1), '1'],
  ],
});

const perpetual = {
  symbol: 'BTCUSDT',
  pair: 'BTCUSDT',
  contractType: 'PERPETUAL',
  deliveryDate: 4_133_404_800_000,
  onboardDate: 1_569_398_400_000,
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  marginAsset: 'USDT',
  pricePrecision: 2,
  quantityPrecision: 3,
  baseAssetPrecision: 8,
  quotePrecision: 8,
  underlyingType: 'COIN',
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.10', maxPrice: '1000000', tickSize: '0.10' },
    { filterType: 'LOT_SIZE', minQty: '0.001', maxQty: '1000', stepSize: '0.001' },
  ],
};
