import pg from 'pg';

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
