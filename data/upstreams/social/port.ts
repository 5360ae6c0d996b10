import type { Sourced } from '../sourced.js';

/** What was said about a topic in a window of time. */
export interface TopicMood {
  /** 0 to 100: the share of positive posts, each weighted by its interactions. */
  readonly score: number;
  /** Posts created in the window. */
  readonly mentions: number;
  /** Likes, reposts, views and the like, of all posts together. */
  readonly interactions: number;
  /** Crypto Fear & Greed Index, 0 (extreme fear) to 100; null where it is not known. */
  readonly fearGreed: number | null;
}

export interface Post {
  readonly id: string;
  /** Handle without the at sign. */
  readonly author: string;
  readonly text: string;
  readonly likes: number;
  readonly reposts: number;
  /** Epoch ms. */
  readonly createdMs: number;
}

/** An account and what it did in the last 30 days. */
export interface Creator {
  /** Handle without the at sign. */
  readonly username: string;
  readonly followers: number;
  /** Null where the provider does not say. */
  readonly isVerified: boolean | null;
  readonly posts: number;
  /** Of all those posts together. */
  readonly interactions: number;
}

/**
 * The port to posts and their authors. A topic is a name, a symbol or a keyword, in any case.
 * Windows end now and are 1..720 hours long. All methods throw UpstreamFault.
 */
export interface SocialPort {
  /** Null for a topic without a post in the window. */
  mood(topic: string, hoursBack: number): Promise<Sourced<TopicMood | null>>;
  /** Newest first, at most `limit`; empty for an unknown topic. */
  posts(topic: string, hoursBack: number, limit: number): Promise<Sourced<readonly Post[]>>;
  /** Null for an unknown handle. */
  creator(username: string): Promise<Sourced<Creator | null>>;
}

/** What was said about a topic in one hour. */
export interface SocialHour {
  /** Start of the hour. */
  readonly timeMs: number;
  /** 0 to 100: the share of positive posts; null where the provider has none. */
  readonly score: number | null;
  /** Posts created in the hour. */
  readonly mentions: number;
}

/** The port to past posts, from which columns are made. */
export interface SocialHistoryPort {
  /** Oldest first; null for an unknown topic. @throws UpstreamFault */
  history(topic: string, fromMs: number, toMs: number): Promise<Sourced<readonly SocialHour[] | null>>;
}
