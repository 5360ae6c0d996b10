import type { MarketReads } from '../../service/domains/market-data/index.js';
import type { HandlersOf } from '../calls.js';

export const marketDataHandlers = (reads: MarketReads): HandlersOf<'MarketData'> => ({
  'MarketData.GetHealth': () => reads.health(),
  'MarketData.GetLatestTrade': (request) => reads.latestTrade(request),
  'MarketData.ListTrades': (request) => reads.tradeHistory(request),
  'MarketData.GetLatestQuote': (request) => reads.latestQuote(request),
  'MarketData.ListQuotes': (request) => reads.quoteHistory(request),
  'MarketData.GetLatestBar': (request) => reads.latestBar(request),
  'MarketData.ListMinuteBars': (request) => reads.minuteBars(request),
  'MarketData.GetPeriodBar': (request) => reads.periodBar(request),
});
