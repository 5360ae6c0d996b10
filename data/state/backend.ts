import type { EventEmitter } from 'node:events';
import type { PostgresDialect } from 'kysely';
import type { Ears } from './notices.js';

/**
 * A pool in the manner of `pg`, as a queue keeps one beside that of the state: its clients hear
 * channels and are kept for ever.
 */
export interface QueuePool extends EventEmitter {
  query<R>(sql: string, parameters?: readonly unknown[]): Promise<{ rows: R[]; rowCount?: number | null }>;
  connect(): Promise<QueueClient>;
  end(): Promise<void>;
}

export interface QueueClient extends EventEmitter, Pick<QueuePool, 'query'> {
  release(destroy?: boolean): void;
}

/** What differs from one kind of state to the other. */
export interface Backend {
  /** `embedded` has this process as its one owner; a server may be shared by any number. */
  readonly kind: 'embedded' | 'server';
  readonly dialect: PostgresDialect;
  /** Tells all who listen on this state, in whatever process; at most 8,000 bytes. */
  notify(channel: string, text: string): Promise<void>;
  /**
   * Hears a channel, which is named in lower-case letters and underscores, until the state is
   * closed.
   */
  listen(channel: string, ears: Ears): Promise<void>;
  /** A pool whose statements look for their tables in `schema` too. It is closed with the state. */
  openQueuePool(schema: string): Promise<QueuePool>;
  /** To be called when the connections are closed. */
  release(): Promise<void>;
}
