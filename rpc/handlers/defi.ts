import type { Defi } from '../../service/domains/defi/index.js';
import type { HandlersOf } from '../calls.js';

export const defiHandlers = (defi: Defi): HandlersOf<'Defi'> => ({
  'Defi.GetProtocolTvl': (request) => defi.protocolTvl(request),
  'Defi.GetChainTvl': (request) => defi.chainTvl(request),
  'Defi.GetStablecoins': () => defi.stablecoins(),
  'Defi.ListTokenUnlocks': () => defi.tokenUnlocks(),
  'Defi.ListPerpFunding': () => defi.perpFunding(),
  'Defi.ListTreasuries': () => defi.treasuries(),
  'Defi.ListEtfFlows': () => defi.etfFlows(),
  'Defi.ListLendingRates': () => defi.lendingRates(),
});
