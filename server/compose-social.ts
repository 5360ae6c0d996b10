import { join } from 'node:path';
import type { MarketData } from '../data/providers/index.js';
import { readRecordedSeries } from '../data/recordings/index.js';
import { readOnce } from '../data/upstreams/index.js';
import { HeldSocial, LunarCrush } from '../data/upstreams/social/index.js';
import { socialHandlers } from '../rpc/index.js';
import { Social } from '../service/domains/social/index.js';
import type { ServiceConfig } from './config.js';

interface SocialEnvironment {
  readonly config: ServiceConfig;
  readonly market: MarketData;
  /** Folder of the bundled data. */
  readonly sampleDir: string;
}

/** Posts and sentiment: live with a key, otherwise generated from the bars held. */
export function composeSocial({ config, market, sampleDir }: SocialEnvironment) {
  const { BARLINE_LUNARCRUSH_KEY: key, BARLINE_LUNARCRUSH_URL: baseUrl } = config;
  const fearGreed = readOnce(() => readRecordedSeries(join(sampleDir, 'recordings'), 'fear and greed'));
  const port = key === undefined ? new HeldSocial({ market, fearGreed }) : new LunarCrush({ key, baseUrl });
  return socialHandlers(new Social(port));
}
