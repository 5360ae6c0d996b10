import type { EventEmitter } from 'node:events';
import type { PostgresPool } from 'kysely';
import pg from 'pg';

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
  /**
   * Number of statements so far that may have changed a row of the state; null where other processes
   * change rows too.
   */
  readonly changes: (() => number) | null;
  /** The caller calls it after it has closed the connections. */
  release(): Promise<void>;
}

/** Callbacks of a listener on a channel. */
export interface Ears {
  onNotice(text: string): void;
  /** Notices may be lost from now on. */
  onDeaf(): void;
  /** From now on no notice is lost. Called once before `listen` resolves. */
  onHearing(): void;
}

const RETRY_MS_FIRST = 50;
const RETRY_MS_MAX = 5_000;
/** Listens to a channel of a server over its own connection, and reconnects when that breaks. */
export class ServerListener {
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(
    private readonly connection: pg.ClientConfig,
    private readonly channel: string,
    private readonly ears: Ears,
  ) {}

  /** @throws Error when the first connection fails */
  static async start(connection: pg.ClientConfig, channel: string, ears: Ears): Promise<ServerListener> {
    const listener = new ServerListener(connection, channel, ears);
    await listener.#connect();
    return listener;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.connection);
    client.on('error', () => {}); // the `end` event follows
    client.on('notification', ({ payload = '' }) => this.ears.onNotice(payload));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(this.channel)}`);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    if (this.#isClosed) return client.end();
    this.#client = client;
    client.once('end', () => this.#lost());
    this.ears.onHearing();
  }

  #lost(): void {
    if (this.#isClosed) return;
    this.#client = null;
    this.ears.onDeaf();
    this.#retry(RETRY_MS_FIRST);
  }

  #retry(waitMs: number): void {
    this.#timer = setTimeout(() => {
      this.#connect().catch(() => {
        if (!this.#isClosed) this.#retry(Math.min(2 * waitMs, RETRY_MS_MAX));
      });
    }, waitMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }
}
