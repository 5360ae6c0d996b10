import type { Route } from '../route.js';
import { numberInQuery, time, z } from '../zod.js';
import { provenance } from './provenance.js';

const tag = 'Social';

const success = z.literal(true);
const hours_back = numberInQuery('hours up to now, 1..720, default 24', {
  type: 'integer',
  minimum: 1,
  maximum: 720,
  default: 24,
});

const post = z
  .object({
    id: z.string(),
    author: z.string(),
    text: z.string(),
    likes: z.int(),
    reposts: z.int(),
    created_at: time(),
  })
  .openapi('SocialPost');

export const socialRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/social/sentiment/{topic}',
    rpc: 'Social.GetSentiment',
    summary: 'Read how positive the posts about a topic are; an unknown topic is neutral',
    tag,
    query: z.object({ hours_back }).partial(),
    response: z.object({
      success,
      topic: z.string(),
      sentiment: z.enum(['bullish', 'bearish', 'neutral']),
      score: z.number().openapi({ description: '0..100, higher is more bullish' }),
      mentions: z.int(),
      hours_back: z.int(),
      data: z.object({
        source: z.string(),
        interactions: z.number().nullable(),
        fear_greed_index: z.number().nullable(),
      }),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/social/mentions/{topic}',
    rpc: 'Social.ListMentions',
    summary: 'List posts about a topic, newest first',
    tag,
    query: z
      .object({
        hours_back,
        limit: numberInQuery('posts, 1..1000, default 20', { type: 'integer', minimum: 1, maximum: 1000, default: 20 }),
      })
      .partial(),
    response: z.object({
      success,
      topic: z.string(),
      count: z.int(),
      hours_back: z.int(),
      limit: z.int(),
      posts: z.array(post),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/social/influence/{username}',
    rpc: 'Social.GetInfluence',
    summary: 'Read the influence of an account: followers, engagement and reach in one score',
    tag,
    response: z.object({
      success,
      username: z.string(),
      score: z.number().openapi({ description: '0..100' }),
      followers: z.int(),
      data: z.object({
        source: z.string(),
        verified: z.boolean().nullable(),
        engagement_rate_30d: z.number().nullable(),
        posts_30d: z.number().nullable(),
        interactions_30d: z.number().nullable(),
      }),
      ...provenance,
    }),
  },
];
