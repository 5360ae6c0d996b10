import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../../engine/series/index.js';
import { joinSourced, mapSourced, type Sourced } from '../sourced.js';
import { type Adapter, type Question, Upstream, type UpstreamLimits } from '../upstream.js';
import type { Creator, Post, SocialHistoryPort, SocialHour, SocialPort, TopicMood } from './port.js';

/** LunarCrush aggregates by the hour. */
const HOURLY_AGE_MS = 300_000;
const POSTS_AGE_MS = 60_000;
const CREATOR_AGE_MS = 3_600_000;
const CREATOR_DAYS = 30;

const count = z.number().nonnegative().nullish();

const topicSeries = z.object({
  data: z.array(
    z.object({
      /** Unix seconds, the start of the hour. */
      time: z.number(),
      interactions: count,
      posts_created: count,
      sentiment: z.number().min(0).max(100).nullish(),
    }),
  ),
});

const topicPosts = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      post_title: z.string().nullish(),
      post_created: z.number(),
      creator_name: z.string().nullish(),
      interactions_total: count,
    }),
  ),
});

const creatorDetails = z.object({
  data: z.object({ creator_name: z.string(), creator_followers: z.number().nonnegative() }),
});

const creatorSeries = z.object({ data: z.array(z.object({ interactions: count, posts_active: count })) });

interface LunarCrushOptions {
  readonly key: string;
  /** `https://lunarcrush.com/api4` */
  readonly baseUrl: string;
  readonly limits?: Partial<UpstreamLimits>;
  /** Epoch ms. */
  readonly clock?: () => number;
}

/**
 * Topics, posts and creators of X from LunarCrush, API v4
 * (https://lunarcrush.com/developers/api/endpoints). Its posts are the top ones of a window by
 * interactions, about a hundred. It does not tell likes from other interactions, nor who is
 * verified: `likes` holds all interactions, `reposts` is 0.
 */
export class LunarCrush implements SocialPort, SocialHistoryPort, Adapter {
  readonly #upstream: Upstream;
  readonly #clock: () => number;

  constructor({ key, baseUrl, limits = {}, clock = Date.now }: LunarCrushOptions) {
    this.#clock = clock;
    const headers = { Authorization: `Bearer ${key}` };
    this.#upstream = new Upstream({ name: 'lunarcrush', baseUrl, headers, limits, clock });
  }

  get upstreams() {
    return [this.#upstream];
  }

  async mood(topic: string, hoursBack: number): Promise<Sourced<TopicMood | null>> {
    const end = roundUp(this.#clock(), HOUR_MS);
    const start = end - (hoursBack * HOUR_MS) / 1_000;
    const answer = await this.#ofTopic(topic, {
      path: 'time-series/v1',
      query: { bucket: 'hour', start, end },
      schema: topicSeries,
      maxAgeMs: HOURLY_AGE_MS,
    });
    return mapSourced(answer, (found) =>
      found === null ? null : mood(found.data.filter(({ time }) => time >= start)),
    );
  }

  async posts(topic: string, hoursBack: number, limit: number): Promise<Sourced<readonly Post[]>> {
    const nowMs = this.#clock();
    const fromMs = nowMs - hoursBack * HOUR_MS;
    const answer = await this.#ofTopic(topic, {
      path: 'posts/v1',
      // The provider takes whole days.
      query: { start: roundUp(fromMs, DAY_MS) - DAY_MS / 1_000, end: roundUp(nowMs, DAY_MS) },
      schema: topicPosts,
      maxAgeMs: POSTS_AGE_MS,
    });
    return mapSourced(answer, (found) =>
      (found?.data ?? [])
        .map((post) => ({
          id: post.id,
          author: post.creator_name ?? '',
          text: post.post_title ?? '',
          likes: post.interactions_total ?? 0,
          reposts: 0,
          createdMs: post.post_created * 1_000,
        }))
        .filter(({ createdMs }) => createdMs > fromMs && createdMs <= nowMs)
        .sort((a, b) => b.createdMs - a.createdMs)
        .slice(0, limit),
    );
  }

  async history(topic: string, fromMs: number, toMs: number): Promise<Sourced<readonly SocialHour[] | null>> {
    const answer = await this.#ofTopic(topic, {
      path: 'time-series/v1',
      query: { bucket: 'hour', start: roundUp(fromMs, HOUR_MS), end: roundUp(toMs, HOUR_MS) },
      schema: topicSeries,
      maxAgeMs: HOURLY_AGE_MS,
    });
    return mapSourced(
      answer,
      (found) =>
        found?.data.map(({ time, sentiment, posts_created: mentions }) => ({
          timeMs: time * 1_000,
          score: sentiment ?? null,
          mentions: mentions ?? 0,
        })) ?? null,
    );
  }

  async creator(username: string): Promise<Sourced<Creator | null>> {
    // Dots would change the path.
    if (!/[\p{L}\p{N}_]/u.test(username)) return this.#unasked(CREATOR_AGE_MS);
    const path = `public/creator/twitter/${encodeURIComponent(username)}`;
    const end = roundUp(this.#clock(), DAY_MS);
    const query = { bucket: 'day', start: end - (CREATOR_DAYS * DAY_MS) / 1_000, end };
    const [details, series] = await Promise.all([
      this.#upstream.ask({ path: `${path}/v1`, schema: creatorDetails, maxAgeMs: CREATOR_AGE_MS }),
      this.#upstream.ask({ path: `${path}/time-series/v1`, query, schema: creatorSeries, maxAgeMs: CREATOR_AGE_MS }),
    ]);
    if (details.value === null) return joinSourced(null, details);
    const { creator_name: name, creator_followers: followers } = details.value.data;
    const days = series.value?.data ?? [];
    const sum = (field: 'interactions' | 'posts_active') => days.reduce((total, day) => total + (day[field] ?? 0), 0);
    const creator = {
      username: name,
      followers,
      isVerified: null,
      posts: sum('posts_active'),
      interactions: sum('interactions'),
    };
    return joinSourced(creator, details, series);
  }

  /** LunarCrush takes lower-case letters, digits, spaces, # and $. */
  async #ofTopic<T>(topic: string, question: Question<T>): Promise<Sourced<T | null>> {
    const name = topic
      .toLowerCase()
      .replace(/[^\p{L}\p{N}#$]+/gu, ' ')
      .trim();
    if (name === '') return this.#unasked(question.maxAgeMs);
    return this.#upstream.ask({ ...question, path: `public/topic/${encodeURIComponent(name)}/${question.path}` });
  }

  /** For what cannot be the name of anything. */
  #unasked(maxAgeMs: number): Sourced<null> {
    return { value: null, source: this.#upstream.name, asOfMs: null, ageMs: 0, maxAgeMs, isStale: false };
  }
}

/** Unix seconds, rounded up to a step, so that calls within a step ask the same question. */
const roundUp = (ms: number, stepMs: number): number => (Math.ceil(ms / stepMs) * stepMs) / 1_000;

type TopicHour = z.infer<typeof topicSeries>['data'][number];

function mood(hours: readonly TopicHour[]): TopicMood | null {
  let [mentions, interactions, positive, weights] = [0, 0, 0, 0];
  for (const { interactions: inHour, posts_created: created, sentiment } of hours) {
    mentions += created ?? 0;
    interactions += inHour ?? 0;
    if (sentiment === null || sentiment === undefined) continue;
    const weight = (inHour ?? 0) + 1;
    weights += weight;
    positive += weight * sentiment;
  }
  if (mentions === 0) return null;
  return { score: weights === 0 ? 50 : positive / weights, mentions, interactions, fearGreed: null };
}
