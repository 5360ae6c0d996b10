import type { TestContext } from 'node:test';
import { LunarCrush } from '../../data/upstreams/social/index.js';
import type { UpstreamLimits } from '../../data/upstreams/upstream.js';
import { startUpstream, type UpstreamServer } from './upstream-server.js';

/** Noon, so that days and hours have begun. */
export const LUNARCRUSH_NOW = Date.UTC(2025, 5, 22, 12, 30);
export const LUNARCRUSH_KEY = 'lunar-secret-key';

const nowS = LUNARCRUSH_NOW / 1_000;
const HOUR_S = 3_600;

/** A post every seven minutes, back from now; the newest has the fewest interactions. */
const posts = Array.from({ length: 400 }, (_, i) => ({
  id: String(1_936_795_529_641_381_994n - BigInt(i)),
  post_type: 'tweet',
  post_title: `post ${i}`,
  post_link: `https://x.com/someone/status/${i}`,
  post_image: null,
  post_created: nowS - 60 - i * 420,
  post_sentiment: 3.05,
  creator_id: 'twitter::1',
  creator_name: `author_${i % 5}`,
  creator_display_name: 'Somebody',
  creator_followers: 1_000,
  interactions_24h: i,
  interactions_total: 10 + i,
}));

/** An hour's row as documented, with fields that are not read. */
const hourAt = (time: number) => ({
  time,
  contributors_active: 13_585,
  contributors_created: 546,
  interactions: time % (2 * HOUR_S) === 0 ? 3_000 : 1_000,
  posts_active: 25_526,
  posts_created: 10,
  sentiment: time % (2 * HOUR_S) === 0 ? 80 : 60,
  spam: 318,
  galaxy_score: 63,
});

/** A server that speaks the format of LunarCrush, API v4, and knows one topic and one creator. */
export async function startLunarCrush(t: TestContext): Promise<UpstreamServer> {
  return startUpstream(t, ({ path, query, headers }) => {
    if (headers.authorization !== `Bearer ${LUNARCRUSH_KEY}`) return undefined;
    const [start, end] = [Number(query.get('start')), Number(query.get('end'))];
    switch (decodeURIComponent(path)) {
      case '/api4/public/topic/bitcoin/time-series/v1': {
        const hours = Array.from({ length: (end - start) / HOUR_S }, (_, i) => hourAt(start + i * HOUR_S));
        return { config: { topic: 'bitcoin', bucket: query.get('bucket') }, data: hours };
      }
      case '/api4/public/topic/quiet topic/time-series/v1':
        return { config: {}, data: [{ time: start, interactions: 0, posts_created: 0, sentiment: null }] };
      case '/api4/public/topic/bitcoin/posts/v1': {
        const inRange = posts.filter(({ post_created: at }) => at >= start && at <= end);
        return { config: {}, data: [...inRange].sort((a, b) => b.interactions_total - a.interactions_total) };
      }
      case '/api4/public/creator/twitter/lunarcrush/v1':
        return {
          data: {
            creator_id: 'twitter::988992203568562176',
            creator_name: 'lunarcrush',
            creator_followers: 312_073,
            creator_rank: '291188',
            interactions_24h: 676,
            topic_influence: [],
          },
        };
      case '/api4/public/creator/twitter/lunarcrush/time-series/v1': {
        const days = Array.from({ length: (end - start) / (24 * HOUR_S) }, (_, i) => ({
          time: start + i * 24 * HOUR_S,
          followers: 312_073,
          interactions: 676,
          posts_active: 22,
          creator_rank: 291_188,
        }));
        return { config: { network: 'twitter', bucket: query.get('bucket') }, data: days };
      }
      default:
        return undefined;
    }
  });
}

export const openLunarCrush = (server: UpstreamServer, limits: Partial<UpstreamLimits> = {}): LunarCrush =>
  new LunarCrush({ key: LUNARCRUSH_KEY, baseUrl: `${server.url}/api4`, limits, clock: () => LUNARCRUSH_NOW });
