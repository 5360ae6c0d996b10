import { type BarSeries, HOUR_MS } from '../../../engine/series/index.js';
import { Draws } from '../draws.js';
import type { Post } from './port.js';

/** A generated post and its mood: 1 is positive, 0 neutral, -1 negative. */
export interface GeneratedPost extends Post {
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
export function generateAuthor(username: string): Author {
  const draws = new Draws('author', username);
  return {
    username,
    followers: Math.ceil(draws.around(8_000, 1.6)),
    isVerified: draws.uniform() < 0.3,
    likeRate: draws.around(0.01, 0.5),
  };
}

/** Everyone who posts. The handles are made up. */
export const authors: readonly Author[] = firstWords.flatMap((first) =>
  lastWords.map((last) => generateAuthor(`${first}_${last}`)),
);

/** Bars of history that a post is written from. */
export const HISTORY_BARS = 24;
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
export function generatePosts(asset: string, { barCount, time, close }: BarSeries): GeneratedPost[] {
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
