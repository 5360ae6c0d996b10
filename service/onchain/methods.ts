import type { UseCasesOf } from '../use-cases.js';
import type { ChainSeries } from './series.js';
import type { SmartMoney } from './smart-money.js';
import type { ChainLists } from './trades.js';
import type { WhaleMoves } from './whale-moves.js';

interface OnChainParts {
  readonly smartMoney: SmartMoney;
  readonly whales: WhaleMoves;
  readonly lists: ChainLists;
  readonly series: ChainSeries;
}

export const onChainMethods = ({ smartMoney, whales, lists, series }: OnChainParts): UseCasesOf<'OnChain'> => ({
  'OnChain.GetSentiment': (request) => smartMoney.sentiment(request),
  'OnChain.ScreenSmartMoney': (request) => smartMoney.screen(request),
  'OnChain.GetConcentration': (request) => smartMoney.concentration(request),
  'OnChain.ListWhaleTransactions': (request) => whales.transactions(request),
  'OnChain.GetExchangeFlows': (request) => whales.exchangeFlows(request),
  'OnChain.GetWhaleActivity': (request) => whales.activity(request),
  'OnChain.ListHistoricalHoldings': (request) => lists.historicalHoldings(request),
  'OnChain.ListDexTrades': (request) => lists.dexTrades(request),
  'OnChain.ListPerpTrades': (request) => lists.perpTrades(request),
  'OnChain.ListTokenDexTrades': (request) => lists.tokenDexTrades(request),
  'OnChain.ListTokenFlows': (request) => lists.tokenFlows(request),
  'OnChain.ReadSeries': (request) => series.read(request),
  'OnChain.GetTokenHolders': (request) => smartMoney.holders(request),
  'OnChain.GetFlowIntelligence': (request) => smartMoney.intelligence(request),
  'OnChain.ListNetflows': (request) => smartMoney.netflows(request),
  'OnChain.ListHoldings': (request) => smartMoney.holdings(request),
});
