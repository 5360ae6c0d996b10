import type { UseCasesOf } from '../use-cases.js';
import type { Defi } from './defi.js';

export const defiMethods = (defi: Defi): UseCasesOf<'Defi'> => ({
  'Defi.GetProtocolTvl': (request) => defi.protocolTvl(request),
  'Defi.GetChainTvl': (request) => defi.chainTvl(request),
  'Defi.GetStablecoins': () => defi.stablecoins(),
  'Defi.ListTokenUnlocks': () => defi.tokenUnlocks(),
  'Defi.ListPerpFunding': () => defi.perpFunding(),
  'Defi.ListTreasuries': () => defi.treasuries(),
  'Defi.ListEtfFlows': () => defi.etfFlows(),
  'Defi.ListLendingRates': () => defi.lendingRates(),
});
