import { join } from 'node:path';
import type { MarketData } from '../../data/providers/index.js';
import { readRecordedSeries } from '../../data/recordings/index.js';
import { HeldDefi, HeldDefiPro } from '../../data/upstreams/defi/index.js';
import { readOnce } from '../../data/upstreams/index.js';
import { Defi, defiMethods } from './index.js';
import type { LiveAdapters } from '../providers/open-live.js';

interface DefiEnvironment {
  readonly live: LiveAdapters;
  readonly market: MarketData;
  /** Folder of the bundled data. */
  readonly sampleDir: string;
}

/** DeFi figures: live as far as the settings say, otherwise generated. */
export function composeDefi({ live, market, sampleDir }: DefiEnvironment) {
  const reads = live.defiLlama ?? new HeldDefi(() => market.latestPrice('ETH'));
  const funding = recordedFunding(join(sampleDir, 'recordings'));
  const paidReads = live.defiLlamaPro ?? new HeldDefiPro({ market, funding });
  return defiMethods(new Defi({ reads, paidReads }));
}

const recordedFunding = (folder: string) => ({
  BTC: readOnce(() => readRecordedSeries(folder, 'BTC-PERP funding')),
  ETH: readOnce(() => readRecordedSeries(folder, 'ETH-PERP funding')),
});
