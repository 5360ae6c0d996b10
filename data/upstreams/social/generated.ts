import { LRUCache } from 'lru-cache';
import { EngineError } from '../../../engine/errors.js';
import { type BarSeries, DAY_MS, HOUR_MS } from '../../../engine/series/index.js';
import { parseMarket } from '../../bars/index.js';
import type { MarketData } from '../../providers/index.js';
import { Draws } from '../draws.js';
import { latestBars, type RecordedSource, valueAt } from '../recorded.js';
import { generated, oldestTime, type Sourced } from '../sourced.js';
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

/** Bars of history that a post is written from. */
const HISTORY_BARS = 24;

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

/** A generated post and its mood: 1 is positive, 0 neutral, -1 negative. */
interface GeneratedPost extends Post {
  readonly mood: -1 | 0 | 1;
}

interface Author {
  readonly username: string;
  readonly followers: number;
  readonly isVerified: boolean;
  /** Likes of a usual post, as a share of the followers. */
  readonly likeRate: number;
}

const firstWords = ['block', 'chain', 'coin', 'hash', 'ledger', 'node', 'satoshi', 'token'];
const lastWords = ['captain', 'diary', 'gazette', 'hunter', 'lens', 'watch'];

/** The account of a handle in lower case. */
function generateAuthor(username: string): Author {
  const draws = new Draws('author', username);
  return {
    username,
    followers: Math.ceil(draws.around(8_000, 1.6)),
    isVerified: draws.uniform() < 0.3,
    likeRate: draws.around(0.01, 0.5),
  };
}

/** Everyone who posts. The handles are made up. */
const authors: readonly Author[] = firstWords.flatMap((first) =>
  lastWords.map((last) => generateAuthor(`${first}_${last}`)),
);

/** Posts in an hour of usual moves; a wild hour has up to five times as many. */
const POSTS_PER_HOUR = 3;
const NEUTRAL_SHARE = 0.3;

/**
 * Posts about an asset, in the order of time: some in each hour of its bars but the first 24. A
 * post knows the bars that closed before its hour, and no later ones. After a rise most posts are
 * positive, after a fall negative; after large moves there are more of them. The posts of an hour
 * depend on the bars before it only.
 * @param bars of one hour
 */
function generatePosts(asset: string, { barCount, time, close }: BarSeries): GeneratedPost[] {
  const posts: GeneratedPost[] = [];
  for (let i = HISTORY_BARS + 1; i < barCount; i++) {
    const price = (barsBack: number): number => close[i - barsBack] ?? NaN;
    const move = (barsBack: number): number => Math.log(price(barsBack) / price(barsBack + 1));
    let usual = 0;
    for (let k = 1; k <= HISTORY_BARS; k++) usual += Math.abs(move(k)) / HISTORY_BARS;
    const day = Math.log(price(1) / price(HISTORY_BARS + 1));
    const isFlat = usual === 0;
    const hourStrength = isFlat ? 0 : move(1) / usual;
    const dayStrength = isFlat ? 0 : day / (usual * Math.sqrt(HISTORY_BARS));
    const positive = 1 / (1 + Math.exp(-0.6 * hourStrength - 1.2 * dayStrength));
    const startMs = time[i] ?? NaN;
    const draws = new Draws('posts', asset, startMs);
    const count = Math.floor(POSTS_PER_HOUR * (1 + Math.min(4, Math.abs(hourStrength) / 2)) + draws.uniform());
    const offsets = Array.from({ length: count }, () => draws.below(HOUR_MS / 1_000)).sort((a, b) => a - b);
    for (const [k, offset] of offsets.entries()) {
      const mood = draws.uniform() < NEUTRAL_SHARE ? 0 : draws.uniform() < positive ? 1 : -1;
      const author = draws.pick(authors);
      const likes = Math.floor(author.followers * author.likeRate * draws.around(1, 0.6));
      posts.push({
        id: `${asset.toLowerCase()}-${startMs / HOUR_MS}-${k}`,
        author: author.username,
        text: draws.pick(texts[mood])(asset, price(1), Math.expm1(day)),
        likes,
        reposts: Math.floor(likes * 0.3 * draws.uniform()),
        createdMs: startMs + offset * 1_000,
        mood,
      });
    }
  }
  return posts;
}

type Writer = (asset: string, price: number, dayReturn: number) => string;

const money = (price: number): string => price.toPrecision(Math.max(4, Math.ceil(Math.log10(price))));
const percent = (fraction: number): string => `${fraction < 0 ? '' : '+'}${(fraction * 100).toFixed(1)} %`;

const texts: Readonly<Record<GeneratedPost['mood'], readonly Writer[]>> = {
  1: [
    (asset, price, day) => `$${asset} at ${money(price)}, ${percent(day)} on the day. Buyers are in control.`,
    (asset, price) => `Added some $${asset} around ${money(price)}. The trend is my friend.`,
    (asset, _, day) => `${percent(day)} in 24 hours and dips are bought. Staying long $${asset}.`,
  ],
  0: [
    (asset, price, day) => `$${asset} trades at ${money(price)} (${percent(day)} in 24 hours).`,
    (asset, price) => `Watching $${asset} at ${money(price)}. No position until it makes up its mind.`,
    (asset) => `What is your time frame for $${asset}? Mine is the four-hour chart.`,
  ],
  [-1]: [
    (asset, price, day) => `$${asset} at ${money(price)}, ${percent(day)} on the day. Sellers are in control.`,
    (asset, price) => `Took my $${asset} off at ${money(price)}. Cash is a position.`,
    (asset, _, day) => `${percent(day)} in 24 hours and every bounce is sold. Careful with $${asset}.`,
  ],
};
