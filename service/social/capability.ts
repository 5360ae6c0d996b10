import { join } from 'node:path';
import { readRecordedSeries } from '../../data/recordings/index.js';
import { readOnce } from '../../data/upstreams/index.js';
import { GeneratedSocial, type SocialPort } from '../../data/upstreams/social/index.js';
import { isoTime } from '../../engine/series/index.js';
import { notFound, refuseMissing, wrongValue } from '../api-error.js';
import type { Capability, Foundation } from '../capability.js';
import { provenanceFields } from '../provenance.js';
import { readInteger } from '../read-fields.js';

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

/** Scores from here up are bullish. */
const BULLISH = 55;
/** Scores from here down are bearish. */
const BEARISH = 45;
const NEUTRAL = 50;
const TOPIC_CHARS_MAX = 100;
const HANDLE_CHARS_MAX = 100;
const HOURS_BACK = { min: 1, max: 720, ifAbsent: 24 };
const LIMIT = { min: 1, max: 1_000, ifAbsent: 20 };

interface TopicRequest {
  readonly topic: string;
  readonly hours_back?: number;
}

interface MentionsRequest extends TopicRequest {
  readonly limit?: number;
}

/** Posts about a topic, and the weight of an account. */
class Social {
  constructor(private readonly port: SocialPort) {}

  /**
   * An unknown topic is neutral and has no mentions.
   * @throws ApiError MISSING_FIELD, INVALID_FIELD; UpstreamFault
   */
  async sentiment(request: TopicRequest) {
    const topic = readTopic(request);
    const hoursBack = readInteger('hours_back', request.hours_back, HOURS_BACK);
    const found = await this.port.mood(topic, hoursBack);
    const provenance = provenanceFields(found);
    const { score, mentions, interactions, fearGreed } = found.value ?? unknownTopic;
    return {
      topic,
      sentiment: score >= BULLISH ? 'bullish' : score <= BEARISH ? 'bearish' : 'neutral',
      score: rounded(score),
      mentions,
      hours_back: hoursBack,
      data: { source: provenance.source, interactions, fear_greed_index: fearGreed },
      ...provenance,
    };
  }

  /**
   * Newest first.
   * @throws ApiError MISSING_FIELD, INVALID_FIELD; UpstreamFault
   */
  async mentions(request: MentionsRequest) {
    const topic = readTopic(request);
    const hoursBack = readInteger('hours_back', request.hours_back, HOURS_BACK);
    const limit = readInteger('limit', request.limit, LIMIT);
    const found = await this.port.posts(topic, hoursBack, limit);
    const posts = found.value.map(({ id, author, text, likes, reposts, createdMs }) => ({
      id,
      author,
      text,
      likes,
      reposts,
      created_at: isoTime(createdMs),
    }));
    return { topic, count: posts.length, hours_back: hoursBack, limit, posts, ...provenanceFields(found) };
  }

  /** @throws ApiError RESOURCE_NOT_FOUND; UpstreamFault */
  async influence({ username }: { readonly username: string }) {
    const handle = username.trim().replace(/^@/, '');
    if (handle === '' || handle.length > HANDLE_CHARS_MAX) throw notFound('user', username);
    const found = await this.port.creator(handle);
    if (found.value === null) throw notFound('user', handle);
    const { username: name, followers, isVerified, posts, interactions } = found.value;
    const engagementRate = posts === 0 || followers === 0 ? 0 : interactions / posts / followers;
    const provenance = provenanceFields(found);
    return {
      username: name,
      score: rounded(influenceScore(followers, engagementRate, interactions)),
      followers,
      data: {
        source: provenance.source,
        verified: isVerified,
        engagement_rate_30d: engagementRate,
        posts_30d: posts,
        interactions_30d: interactions,
      },
      ...provenance,
    };
  }
}

const unknownTopic = { score: NEUTRAL, mentions: 0, interactions: 0, fearGreed: null };

function readTopic({ topic }: TopicRequest): string {
  const text = topic.trim();
  if (text === '') refuseMissing(['topic']);
  if (text.length > TOPIC_CHARS_MAX) {
    throw wrongValue('topic', `1..${TOPIC_CHARS_MAX} characters`, topic, 'INVALID_FIELD');
  }
  return text;
}

const rounded = (score: number): number => Math.round(score * 100) / 100;

/** Where each part of the score is full. */
const FOLLOWERS_FULL = 1e8;
const ENGAGEMENT_FULL = 0.1;
const INTERACTIONS_FULL = 1e9;

/**
 * 0 to 100: followers weigh 40 %, engagement 30 %, reach (interactions in 30 days) 30 %. Followers
 * and reach count by their logarithm.
 */
function influenceScore(followers: number, engagementRate: number, interactions: number): number {
  const share = (value: number, full: number) => Math.min(1, Math.log1p(value) / Math.log1p(full));
  const engagement = Math.min(1, engagementRate / ENGAGEMENT_FULL);
  return 40 * share(followers, FOLLOWERS_FULL) + 30 * engagement + 30 * share(interactions, INTERACTIONS_FULL);
}
