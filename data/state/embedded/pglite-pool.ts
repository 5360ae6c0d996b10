import { EventEmitter, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ConnectionUse } from '../backend.js';

export interface QueryAnswer<R> {
  readonly command: string;
  readonly rowCount: number;
  readonly rows: R[];
}

/** The part of a `pg` client that we use. */
export interface PooledClient {
  query<R>(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer<R>>;
  release(): void;
}

/**
 * The part of a `pg` pool that we use, so that the same SQL runs on the embedded store and on a
 * server.
 */
interface ClientPool {
  connect(): Promise<PooledClient>;
  end(): Promise<void>;
}

/** A pool over one session. */
export interface SessionStore extends ClientPool {
  use(): ConnectionUse;
  /** Listens to a channel until the store is closed. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>;
}

/** A message to the store's thread, which answers in the order of the requests. */
export interface Statement {
  readonly id: number;
  readonly sql: string;
  /** Null for a script: several statements whose rows are not needed. */
  readonly parameters: unknown[] | null;
}

/** Asks the thread to forward the channel's notifications from now on. */
export interface Listening {
  readonly id: number;
  readonly channel: string;
}

/** A notification on a channel; it answers no request. */
export interface Notice {
  readonly channel: string;
  readonly payload: string;
}

interface Rows {
  readonly id: number;
  readonly rows: unknown[];
  readonly affectedRows: number;
}

export interface Failure {
  readonly id: number;
  /** The code is PostgreSQL's; undefined for an error from elsewhere. */
  readonly failure: { readonly message: string; readonly code: string | undefined };
}

export type Reply = Rows | Failure;

interface Waiting {
  resolve(reply: Rows): void;
  reject(error: Error): void;
}

/** The thread runs the same kind of code as this file: compiled, or through a loader. */
const script = new URL(`./pglite-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * A pool over PGlite's only connection. A client owns it from `connect` to `release`, so that the
 * statements of two transactions never mix. Clients are served in order of arrival. After the
 * store's thread dies every statement fails, since no other thread can resume its transaction.
 */
export class PglitePool implements SessionStore {
  private last: Promise<void> = Promise.resolve();
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new EventEmitter().setMaxListeners(0); // one per worker of a queue
  private lastId = 0;
  /** Clients that own the connection or wait for it. */
  private claims = 0;
  private death: Error | null = null;

  private constructor(private readonly thread: Worker) {
    thread.on('message', (message: Reply | Notice) => {
      if ('channel' in message) this.listeners.emit(message.channel, message.payload);
      else this.settle(message);
    });
    thread.on('error', (error) => this.die(error));
    thread.on('exit', () => this.die(new Error('the thread of the embedded store has ended')));
  }

  /** @throws Error when the store in the folder cannot be opened */
  static async open(folder: string): Promise<PglitePool> {
    // The thread imports the script, since loaders do not apply to a thread's entry file.
    const thread = new Worker(`import(${JSON.stringify(script.href)})`, {
      ...{ eval: true, workerData: folder },
      // Otherwise the thread keeps 17 MB for new objects, and a statement uses little of it.
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    });
    await once(thread, 'message'); // rejects with the error that ended the thread
    return new PglitePool(thread);
  }

  /** One connection, and those who own it or wait for it. */
  use(): ConnectionUse {
    return { open: 1, idle: this.claims === 0 ? 1 : 0, waiting: Math.max(0, this.claims - 1) };
  }

  async connect(): Promise<PooledClient> {
    let leave = (): void => {};
    const before = this.last;
    this.last = new Promise((resolve) => {
      leave = resolve;
    });
    this.claims++;
    let isReleased = false;
    const release = (): void => {
      if (!isReleased) this.claims--;
      isReleased = true;
      leave();
    };
    await before;
    return { query: (sql, parameters) => this.query(sql, parameters), release };
  }

  async listen(channel: string, onNotice: (payload: string) => void): Promise<void> {
    const isFirst = this.listeners.listenerCount(channel) === 0;
    this.listeners.on(channel, onNotice);
    if (isFirst) await this.ask({ channel });
  }

  private ask(question: Omit<Statement, 'id'> | Omit<Listening, 'id'>): Promise<Rows> {
    return new Promise((resolve, reject) => {
      if (this.death !== null) return reject(this.death);
      const id = ++this.lastId;
      this.waiting.set(id, { resolve, reject });
      this.thread.postMessage({ id, ...question });
    });
  }

  private async query<R>(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer<R>> {
    const { rows, affectedRows } = await this.ask({
      sql,
      parameters: parameters === undefined ? null : [...parameters],
    });
    const command = /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? '';
    return { command, rowCount: command === 'SELECT' ? rows.length : affectedRows, rows: rows as R[] };
  }

  private settle(reply: Reply): void {
    const asked = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('failure' in reply) asked?.reject(Object.assign(new Error(reply.failure.message), reply.failure));
    else asked?.resolve(reply);
  }

  private die(error: Error): void {
    this.death ??= error;
    for (const { reject } of this.waiting.values()) reject(this.death);
    this.waiting.clear();
  }

  async end(): Promise<void> {
    await this.last;
    if (this.death !== null) return;
    const exit = once(this.thread, 'exit');
    this.thread.postMessage('close');
    await exit;
  }
}
