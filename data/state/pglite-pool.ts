import type { PGlite } from '@electric-sql/pglite';

export interface QueryAnswer {
  readonly command: string;
  readonly rowCount: number;
  readonly rows: unknown[];
}

/** The part of a `pg` client that is used: statements, and giving it back. */
export interface PooledClient {
  query(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer>;
  release(): void;
}

/** The part of a `pg` pool that is used, so that the same SQL runs on the embedded store and on a server. */
export interface ClientPool {
  connect(): Promise<PooledClient>;
  end(): Promise<void>;
}

/**
 * A pool over the one connection that PGlite has: a client owns it from `connect` to `release`, so that the statements of two
 * transactions never mix. Clients are served in the order they came.
 */
export class PglitePool implements ClientPool {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly store: PGlite) {}

  async connect(): Promise<PooledClient> {
    let release = (): void => {};
    const before = this.last;
    this.last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return { query: (sql, parameters) => this.query(sql, parameters), release };
  }

  private async query(sql: string, parameters: readonly unknown[] = []): Promise<QueryAnswer> {
    const { rows, affectedRows } = await this.store.query(sql, [...parameters]);
    const command = /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? '';
    return { command, rowCount: command === 'SELECT' ? rows.length : (affectedRows ?? 0), rows };
  }

  async end(): Promise<void> {
    await this.last;
    await this.store.close();
  }
}
