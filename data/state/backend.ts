import type { PostgresDialect } from 'kysely';
import type { Ears } from './notices.js';

/** What differs from one kind of state to the other. */
export interface Backend {
  /** `embedded` has this process as its one owner; a server may be shared by any number. */
  readonly kind: 'embedded' | 'server';
  readonly dialect: PostgresDialect;
  /** Tells all who listen on this state, in whatever process; at most 8,000 bytes. */
  notify(channel: string, text: string): Promise<void>;
  /** Hears a channel, which is named in lower-case letters and underscores, until the state is closed. */
  listen(channel: string, ears: Ears): Promise<void>;
  /** To be called when the connections are closed. */
  release(): Promise<void>;
}
