import { join } from 'node:path';
import { readRecordedSeries } from '../../data/recordings/index.js';
import { readOnce } from '../../data/upstreams/index.js';
import { GeneratedSocial } from '../../data/upstreams/social/index.js';
import type { Capability, Foundation } from '../capability.js';
import { Social } from './social.js';

/** Posts and sentiment: live with a key, otherwise generated from the bars held. */
export function openSocial({ live, market, sampleDir }: Foundation): Capability<'Social'> {
  const fearGreed = readOnce(() => readRecordedSeries(join(sampleDir, 'recordings'), 'fear and greed'));
  const social = new Social(live.lunarCrush ?? new GeneratedSocial({ market, fearGreed }));
  return {
    methods: {
      'Social.GetSentiment': (request) => social.sentiment(request),
      'Social.ListMentions': (request) => social.mentions(request),
      'Social.GetInfluence': (request) => social.influence(request),
    },
  };
}
