import type { EventEmitter } from 'node:events';
import type { PostgresPool } from 'kysely';
import type { Ears } from './notices.js';

/**
 * A pool like a `pg` pool, which a queue uses beside the pool of the state. Its clients listen to
 * channels and are kept until the pool ends.
 */
export interface QueuePool extends EventEmitter {
  query<R>(sql: string, parameters?: readonly unknown[]): Promise<{ rows: R[]; rowCount?: number | null }>;
  connect(): Promise<QueueClient>;
  end(): Promise<void>;
}

export interface QueueClient extends EventEmitter, Pick<QueuePool, 'query'> {
  release(destroy?: boolean): void;
}

/** Use of the connections to the store. */
export interface ConnectionUse {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

/** The operations that differ between the two kinds of state. */
export interface Backend {
  /** `embedded` belongs to this one process; any number of processes may share a server. */
  readonly kind: 'embedded' | 'server';
  readonly pool: PostgresPool;
  /** Tells the listeners in this process; null where the database tells all processes. */
  readonly tell: ((channel: string, text: string) => void) | null;
  /**
   * Listens to a channel until the state is closed. Its name consists of lower-case letters and
   * underscores.
   */
  listen(channel: string, ears: Ears): Promise<void>;
  /**
   * A pool whose statements also look for their tables in `schema`. It is closed with the state.
   */
  openQueuePool(schema: string): Promise<QueuePool>;
  connectionUse(): ConnectionUse;
  /** The caller calls it after it has closed the connections. */
  release(): Promise<void>;
}
