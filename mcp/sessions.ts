import { ApiError } from '../rpc/index.js';

export interface SessionLimits {
  /** Sessions of all callers. */
  readonly sessionsMax: number;
  /** A session without a request for so long is closed. */
  readonly idleMs: number;
}

/** Sessions of one user in one organization; beyond them the one used longest ago is closed. */
export const SESSIONS_PER_CALLER_MAX = 32;
const RETRY_SECONDS = 30;

/** What a session is closed and asked with. */
interface Connection {
  close(): Promise<void>;
}

interface Session<T> {
  readonly id: string;
  readonly owner: string;
  readonly connection: T;
  /** Requests that are not answered yet, streams among them. */
  underWay: number;
  usedMs: number;
}

/** The open sessions of a process, each of one caller, in bounded number and for bounded time. */
export class Sessions<T extends Connection> {
  readonly #open = new Map<string, Session<T>>();
  readonly #limits: SessionLimits;
  readonly #clock: () => number;

  constructor(limits: SessionLimits, clock: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * Makes room for one more session of a caller.
   * @throws ApiError RATE_LIMITED when all of the caller's sessions are in use, ENGINE_BUSY when
   *   the process has as many as it may have
   */
  async makeRoom(owner: string): Promise<void> {
    await this.closeIdle();
    const own = [...this.#open.values()].filter((session) => session.owner === owner);
    if (own.length >= SESSIONS_PER_CALLER_MAX) await this.#closeOldest(own);
    const { sessionsMax } = this.#limits;
    if (this.#open.size >= sessionsMax) {
      const message = `The server has ${this.#open.size} sessions, the most it may have is ${sessionsMax}`;
      throw new ApiError('ENGINE_BUSY', message, { retry_after: RETRY_SECONDS, limit: sessionsMax });
    }
  }

  async #closeOldest(own: readonly Session<T>[]): Promise<void> {
    const [oldest] = own.filter(({ underWay }) => underWay === 0).sort((a, b) => a.usedMs - b.usedMs);
    if (oldest !== undefined) {
      await this.#close(oldest);
      return;
    }
    const message = `The caller has ${own.length} sessions in use, the most it may have is ${SESSIONS_PER_CALLER_MAX}`;
    throw new ApiError('RATE_LIMITED', message, { retry_after: RETRY_SECONDS, limit: SESSIONS_PER_CALLER_MAX });
  }

  add(id: string, owner: string, connection: T): void {
    this.#open.set(id, { id, owner, connection, underWay: 0, usedMs: this.#clock() });
  }

  /** Null for an unknown id and for the session of another caller. */
  find(id: string, owner: string): T | null {
    const session = this.#open.get(id);
    return session?.owner === owner ? session.connection : null;
  }

  /** Counts a request; the returned function ends it. */
  use(id: string): () => void {
    const session = this.#open.get(id);
    if (session === undefined) return () => {};
    session.underWay++;
    session.usedMs = this.#clock();
    return () => {
      session.underWay--;
      session.usedMs = this.#clock();
    };
  }

  forget(id: string): void {
    this.#open.delete(id);
  }

  /** Closes the sessions that have had no request for the idle time. */
  async closeIdle(): Promise<void> {
    const beforeMs = this.#clock() - this.#limits.idleMs;
    const idle = [...this.#open.values()].filter(({ underWay, usedMs }) => underWay === 0 && usedMs <= beforeMs);
    for (const session of idle) await this.#close(session);
  }

  async closeAll(): Promise<void> {
    for (const session of [...this.#open.values()]) await this.#close(session);
  }

  async #close({ id, connection }: Session<T>): Promise<void> {
    this.#open.delete(id);
    await connection.close();
  }
}
