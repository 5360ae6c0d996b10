import type { BarStore } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { HeldFlows, Ledger } from '../../data/upstreams/flows/index.js';
import { HourlyMarkets } from '../../data/upstreams/index.js';
import { HeldWhales } from '../../data/upstreams/whales/index.js';
import { ChainLists, ChainSeries, onChainMethods, SmartMoney, WhaleMoves } from './index.js';
import type { UseCasesOf } from '../use-cases.js';
import type { LiveAdapters } from '../providers/open-live.js';

interface OnChainEnvironment {
  readonly live: LiveAdapters;
  readonly bars: BarStore;
  readonly market: MarketData;
}

interface ComposedOnChain {
  readonly useCases: UseCasesOf<'OnChain'>;
  /** As both reads of token holders answer it. */
  readonly topHoldersShare: SmartMoney['topHoldersShare'];
}

/** Token flows and whale transfers: from a provider with a key, otherwise from held data. */
export function composeOnChain({ live, bars, market }: OnChainEnvironment): ComposedOnChain {
  const ledger = new Ledger(new HourlyMarkets({ store: bars, market }));
  const flows = live.nansen ?? new HeldFlows(ledger);
  const whales = live.whaleAlert ?? new HeldWhales(ledger);
  const smartMoney = new SmartMoney(flows);
  return {
    useCases: onChainMethods({
      smartMoney,
      whales: new WhaleMoves(whales),
      lists: new ChainLists(flows),
      series: new ChainSeries({ flows, whales }),
    }),
    topHoldersShare: (symbol) => smartMoney.topHoldersShare(symbol),
  };
}
