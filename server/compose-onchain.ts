import type { BarStore } from '../data/bars/index.js';
import type { MarketData } from '../data/providers/index.js';
import { HeldFlows, Ledger, Nansen } from '../data/upstreams/flows/index.js';
import { HourlyMarkets } from '../data/upstreams/index.js';
import { HeldWhales, WhaleAlert } from '../data/upstreams/whales/index.js';
import { type HandlersOf, onChainHandlers } from '../rpc/index.js';
import { ChainLists, ChainSeries, SmartMoney, WhaleMoves } from '../service/domains/onchain/index.js';
import type { ServiceConfig } from './config.js';

interface OnChainEnvironment {
  readonly config: ServiceConfig;
  readonly bars: BarStore;
  readonly market: MarketData;
}

interface ComposedOnChain {
  readonly handlers: HandlersOf<'OnChain'>;
  /** As both reads of token holders answer it. */
  readonly topHoldersShare: SmartMoney['topHoldersShare'];
}

/** Token flows and whale transfers: from a provider with a key, otherwise from held data. */
export function composeOnChain({ config, bars, market }: OnChainEnvironment): ComposedOnChain {
  const ledger = new Ledger(new HourlyMarkets({ store: bars, market }));
  const { BARLINE_NANSEN_KEY: nansenKey, BARLINE_WHALE_ALERT_KEY: whaleAlertKey } = config;
  const flows =
    nansenKey === undefined
      ? new HeldFlows(ledger)
      : new Nansen({ baseUrl: config.BARLINE_NANSEN_URL, key: nansenKey });
  const whales =
    whaleAlertKey === undefined
      ? new HeldWhales(ledger)
      : new WhaleAlert({ baseUrl: config.BARLINE_WHALE_ALERT_URL, key: whaleAlertKey });
  const smartMoney = new SmartMoney(flows);
  return {
    handlers: onChainHandlers({
      smartMoney,
      whales: new WhaleMoves(whales),
      lists: new ChainLists(flows),
      series: new ChainSeries({ flows, whales }),
    }),
    topHoldersShare: (symbol) => smartMoney.topHoldersShare(symbol),
  };
}
