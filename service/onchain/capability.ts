import { GeneratedFlows, Ledger } from '../../data/upstreams/flows/index.js';
import { HourlyMarkets } from '../../data/upstreams/index.js';
import { GeneratedWhales } from '../../data/upstreams/whales/index.js';
import type { Capability, Foundation } from '../capability.js';
import { ChainSeries } from './series.js';
import { SmartMoney } from './smart-money.js';
import { ChainLists } from './trades.js';
import { WhaleMoves } from './whale-moves.js';

interface OnChain extends Capability<'OnChain'> {
  /** As both reads of token holders answer it. */
  readonly topHoldersShare: SmartMoney['topHoldersShare'];
}

/** Token flows and whale transfers: from a provider with a key, otherwise from held data. */
export function openOnChain({ live, bars, market }: Foundation): OnChain {
  const ledger = new Ledger(new HourlyMarkets({ store: bars, market }));
  const flows = live.nansen ?? new GeneratedFlows(ledger);
  const movedCoins = live.whaleAlert ?? new GeneratedWhales(ledger);
  const smartMoney = new SmartMoney(flows);
  const whales = new WhaleMoves(movedCoins);
  const lists = new ChainLists(flows);
  const series = new ChainSeries({ flows, whales: movedCoins });
  return {
    topHoldersShare: (symbol) => smartMoney.topHoldersShare(symbol),
    methods: {
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
    },
  };
}
