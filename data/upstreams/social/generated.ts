import { LRUCache } from 'lru-cache';
import { EngineError } from '../../../engine/errors.js';
import { DAY_MS, HOUR_MS } from '../../../engine/series/index.js';
import { parseMarket } from '../../bars/index.js';
import type { MarketData } from '../../providers/index.js';
import { Draws } from '../draws.js';
import { latestBars } from '../held-bars.js';
import { type RecordedSource, valueAt } from '../recorded.js';
import { generated, oldestTime, type Sourced } from '../sourced.js';
import { authors, type GeneratedPost, generateAuthor, generatePosts, HISTORY_BARS } from './generate-posts.js';
import type { Creator, Post, SocialPort, TopicMood } from './port.js';

/** Names and keywords of topics, and the asset whose bars their posts follow. */
const assetOfTopic: Readonly<Record<string, string>> = {
  bitcoin: 'BTC',
  crypto: 'BTC',
  cryptocurrency: 'BTC',
  ethereum: 'ETH',
  ether: 'ETH',
  defi: 'ETH',
  solana: 'SOL',
  ripple: 'XRP',
  binancecoin: 'BNB',
  cardano: 'ADA',
  dogecoin: 'DOGE',
};

/** What a handle can be. */
const handleForm = /^[a-z0-9_][a-z0-9_.-]{0,49}$/;
/** Handles that stand for an account that does not exist; every other one gets figures. */
const unknownHandles: readonly string[] = ['nobody', 'no_such_user', 'unknown_user', 'nonexistent_user'];
/** Posts of 30 days that an account writes at most. */
const POSTS_MAX = 120;

const HOURS_MAX = 720;
/** Room for gaps in the history that the first post of a window is written from. */
const HOURS_LOADED = HOURS_MAX + 3 * HISTORY_BARS;
const ASSETS_KEPT = 32;
/** Some days of the recorded index are missing. */
const INDEX_AGE_MS = 4 * DAY_MS;

interface AssetPosts {
  /** The market's now, epoch ms. */
  readonly nowMs: number;
  /** Ascending in time. */
  readonly posts: readonly GeneratedPost[];
}

interface GeneratedSocialParts {
  readonly market: MarketData;
  /** The recorded Fear & Greed Index, a value for each day. */
  readonly fearGreed?: RecordedSource;
}

/**
 * Generated posts about each asset with stored bars of an hour or finer. Other topics are unknown.
 * "Now" is the market's now of the asset.
 */
export class GeneratedSocial implements SocialPort {
  readonly #parts: GeneratedSocialParts;
  readonly #kept = new LRUCache<string, AssetPosts>({ max: ASSETS_KEPT });

  constructor(parts: GeneratedSocialParts) {
    this.#parts = parts;
  }

  async mood(topic: string, hoursBack: number): Promise<Sourced<TopicMood | null>> {
    const asset = topicAsset(topic);
    const found = asset === null ? null : await this.#postsOf(asset);
    const posts = found === null ? [] : latest(found, hoursBack);
    if (found === null || posts.length === 0) return generated(null, found?.nowMs ?? null);
    let interactions = 0;
    let positive = 0;
    let weights = 0;
    for (const { likes, reposts, mood } of posts) {
      const weight = likes + reposts + 1;
      interactions += likes + reposts;
      weights += weight;
      positive += weight * ((mood + 1) / 2);
    }
    const { fearGreed } = this.#parts;
    const mood = {
      score: (100 * positive) / weights,
      mentions: posts.length,
      interactions,
      // The index of a day is complete when the day ends.
      fearGreed: fearGreed === undefined ? null : valueAt(await fearGreed(), found.nowMs - DAY_MS, INDEX_AGE_MS),
    };
    return generated(mood, found.nowMs);
  }

  async posts(topic: string, hoursBack: number, limit: number): Promise<Sourced<readonly Post[]>> {
    const asset = topicAsset(topic);
    const found = asset === null ? null : await this.#postsOf(asset);
    const posts = found === null ? [] : latest(found, hoursBack);
    return generated(posts.slice(-limit).reverse(), found?.nowMs ?? null);
  }

  async creator(handle: string): Promise<Sourced<Creator | null>> {
    const username = handle.toLowerCase();
    if (!handleForm.test(username) || unknownHandles.includes(username)) return generated(null, null);
    const { followers, isVerified, likeRate } = generateAuthor(username);
    const all = await Promise.all([...new Set(Object.values(assetOfTopic))].map((asset) => this.#postsOf(asset)));
    const written = all
      .flatMap((found) => (found === null ? [] : latest(found, HOURS_MAX)))
      .filter((post) => post.author === username);
    const draws = new Draws('creator', username);
    // Who does not write about the held assets writes about something else.
    const posts = authors.some((author) => author.username === username) ? written.length : 1 + draws.below(POSTS_MAX);
    const interactions =
      written.length > 0
        ? written.reduce((sum, { likes, reposts }) => sum + likes + reposts, 0)
        : Math.floor(posts * followers * likeRate * draws.around(1, 0.3));
    const creator = { username, followers, isVerified, posts, interactions };
    return generated(creator, oldestTime(all.map((found) => found?.nowMs ?? null)));
  }

  /** Null if no hourly bars of the asset are held. */
  async #postsOf(asset: string): Promise<AssetPosts | null> {
    const held = await latestBars(this.#parts.market, asset, HOUR_MS, HOURS_LOADED);
    if (held === null) return null;
    const { bars, nowMs } = held;
    const key = [asset, nowMs, bars.barCount, bars.close.at(-1)].join(' ');
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const found = { nowMs, posts: generatePosts(asset, bars) };
    this.#kept.set(key, found);
    return found;
  }
}

/** Posts of the last hours up to now, ascending in time. */
const latest = ({ nowMs, posts }: AssetPosts, hoursBack: number): readonly GeneratedPost[] =>
  posts.filter(({ createdMs }) => createdMs > nowMs - hoursBack * HOUR_MS && createdMs <= nowMs);

/** The asset that a topic is about; null for words that cannot be one. */
function topicAsset(topic: string): string | null {
  const word = topic.toLowerCase().replace(/^[#$]/, '').replaceAll(' ', '');
  if (Object.hasOwn(assetOfTopic, word)) return assetOfTopic[word] ?? null;
  try {
    return parseMarket(word).base;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
