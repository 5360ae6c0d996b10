import { EventEmitter } from 'node:events';
import type { PooledClient, QueryAnswer, SessionStore } from './pglite-pool.js';

/** `LISTEN channel`, after any number of comments. */
const listenStatement = /^\s*(?:--[^\n]*\n\s*)*LISTEN\s+"?(\w+)"?/i;
const beginStatement = /^\s*(?:--[^\n]*\n\s*)*BEGIN\b/i;
const endStatement = /^\s*(?:--[^\n]*\n\s*)*(?:COMMIT|ROLLBACK)\b/i;

/**
 * A client like one of a `pg` pool, which may be kept for ever. It holds the store's one session
 * from BEGIN to COMMIT or for a single statement, and leaves it to others in between.
 */
class SessionClient extends EventEmitter {
  #held: PooledClient | null = null;

  constructor(private readonly session: SessionStore) {
    super();
  }

  async query<R>(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer<R>> {
    const channel = listenStatement.exec(sql)?.[1];
    if (channel !== undefined) {
      await this.session.listen(channel, (payload) => this.emit('notification', { channel, payload }));
      return { command: 'LISTEN', rowCount: 0, rows: [] };
    }
    const client = this.#held ?? (await this.session.connect());
    if (beginStatement.test(sql)) this.#held = client;
    try {
      return await client.query(sql, parameters);
    } finally {
      if (endStatement.test(sql)) this.#held = null;
      if (this.#held === null) client.release();
    }
  }

  release(): void {
    this.#held?.release();
    this.#held = null;
  }
}

/** The parts of a `pg` pool that a queue needs, over the one session of the embedded store. */
export class SessionPool extends EventEmitter {
  constructor(private readonly session: SessionStore) {
    super();
  }

  async connect(): Promise<SessionClient> {
    return new SessionClient(this.session);
  }

  query<R>(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer<R>> {
    return new SessionClient(this.session).query(sql, parameters);
  }

  /** Does nothing: the opener of the store closes it. */
  async end(): Promise<void> {}
}
