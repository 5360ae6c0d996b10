import { join } from 'node:path';
import type { MarketData } from '../../data/providers/index.js';
import { readRecordedSeries } from '../../data/recordings/index.js';
import { readOnce } from '../../data/upstreams/index.js';
import { HeldSocial } from '../../data/upstreams/social/index.js';
import { Social, socialMethods } from './index.js';
import type { LiveAdapters } from '../providers/open-live.js';

interface SocialEnvironment {
  readonly live: LiveAdapters;
  readonly market: MarketData;
  /** Folder of the bundled data. */
  readonly sampleDir: string;
}

/** Posts and sentiment: live with a key, otherwise generated from the bars held. */
export function composeSocial({ live, market, sampleDir }: SocialEnvironment) {
  const fearGreed = readOnce(() => readRecordedSeries(join(sampleDir, 'recordings'), 'fear and greed'));
  return socialMethods(new Social(live.lunarCrush ?? new HeldSocial({ market, fearGreed })));
}
