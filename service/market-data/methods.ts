import type { UseCasesOf } from '../use-cases.js';
import type { MarketReads } from './market-data.js';

export const marketDataMethods = (reads: MarketReads): UseCasesOf<'MarketData'> => ({
  'MarketData.GetHealth': () => reads.health(),
  'MarketData.GetLatestTrade': (request) => reads.latestTrade(request),
  'MarketData.ListTrades': (request) => reads.tradeHistory(request),
  'MarketData.GetLatestQuote': (request) => reads.latestQuote(request),
  'MarketData.ListQuotes': (request) => reads.quoteHistory(request),
  'MarketData.GetLatestBar': (request) => reads.latestBar(request),
  'MarketData.ListMinuteBars': (request) => reads.minuteBars(request),
  'MarketData.GetPeriodBar': (request) => reads.periodBar(request),
});
