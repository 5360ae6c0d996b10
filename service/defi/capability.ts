import { join } from 'node:path';
import { readRecordedSeries } from '../../data/recordings/index.js';
import { GeneratedDefi, GeneratedDefiPro } from '../../data/upstreams/defi/index.js';
import { readOnce } from '../../data/upstreams/index.js';
import type { Capability, Foundation } from '../capability.js';
import { Defi } from './defi.js';

/** DeFi figures: live as far as the settings say, otherwise generated. */
export function openDefi({ live, market, sampleDir }: Foundation): Capability<'Defi'> {
  const reads = live.defiLlama ?? new GeneratedDefi(() => market.latestPrice('ETH'));
  const funding = recordedFunding(join(sampleDir, 'recordings'));
  const defi = new Defi({ reads, paidReads: live.defiLlamaPro ?? new GeneratedDefiPro({ market, funding }) });
  return {
    methods: {
      'Defi.GetProtocolTvl': (request) => defi.protocolTvl(request),
      'Defi.GetChainTvl': (request) => defi.chainTvl(request),
      'Defi.GetStablecoins': () => defi.stablecoins(),
      'Defi.ListTokenUnlocks': () => defi.tokenUnlocks(),
      'Defi.ListPerpFunding': () => defi.perpFunding(),
      'Defi.ListTreasuries': () => defi.treasuries(),
      'Defi.ListEtfFlows': () => defi.etfFlows(),
      'Defi.ListLendingRates': () => defi.lendingRates(),
    },
  };
}

const recordedFunding = (folder: string) => ({
  BTC: readOnce(() => readRecordedSeries(folder, 'BTC-PERP funding')),
  ETH: readOnce(() => readRecordedSeries(folder, 'ETH-PERP funding')),
});
