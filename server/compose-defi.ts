import { join } from 'node:path';
import type { MarketData } from '../data/providers/index.js';
import { readRecordedSeries } from '../data/recordings/index.js';
import { DefiLlama, DefiLlamaPro, HeldDefi, HeldDefiPro } from '../data/upstreams/defi/index.js';
import { readOnce } from '../data/upstreams/index.js';
import { defiHandlers } from '../rpc/index.js';
import { Defi } from '../service/domains/defi/index.js';
import type { ServiceConfig } from './config.js';

interface DefiEnvironment {
  readonly config: ServiceConfig;
  readonly market: MarketData;
  /** Folder of the bundled data. */
  readonly sampleDir: string;
}

/** DeFi figures: live as far as the settings say, otherwise generated. */
export function composeDefi({ config, market, sampleDir }: DefiEnvironment) {
  const { BARLINE_DEFILLAMA_KEY: key } = config;
  const isFree = config.BARLINE_DEFILLAMA === 'free' || key !== undefined;
  const reads = isFree
    ? new DefiLlama({
        baseUrl: config.BARLINE_DEFILLAMA_URL,
        stablecoinsUrl: config.BARLINE_DEFILLAMA_STABLECOINS_URL,
      })
    : new HeldDefi(async () => (await market.latestPrice('ETH')).price);
  const paidReads =
    key === undefined
      ? new HeldDefiPro({ market, funding: recordedFunding(join(sampleDir, 'recordings')) })
      : new DefiLlamaPro({ key, baseUrl: config.BARLINE_DEFILLAMA_PRO_URL });
  return defiHandlers(new Defi({ reads, paidReads }));
}

const recordedFunding = (folder: string) => ({
  BTC: readOnce(() => readRecordedSeries(folder, 'BTC-PERP funding')),
  ETH: readOnce(() => readRecordedSeries(folder, 'ETH-PERP funding')),
});
