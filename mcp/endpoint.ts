import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { ApiError, type CallerIds, type CallOptions, type OpenStreams, type RpcClient } from '../rpc/index.js';
import { createServer, type ServerParts } from './server.js';
import type { Tool } from './tool.js';
import { chosenSets } from './toolbox.js';

interface EndpointParts {
  readonly rpc: RpcClient;
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly limits: SessionLimits;
  readonly streams: OpenStreams;
  readonly bodyBytesMax: number;
  onBug(error: unknown): void;
}

/** A request of the endpoint, by a caller whose credential was accepted. */
interface Asked {
  readonly request: Request;
  readonly caller: CallerIds;
  /** Credential and address for the calls that follow from it. */
  readonly options: CallOptions;
}

/** Connected to one client for the time of a session. */
interface Connection {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  close(): Promise<void>;
}

/**
 * The protocol over streamable HTTP. Clients of the revisions of 2025 open sessions; later clients
 * send every request on its own.
 */
export class Endpoint {
  readonly #parts: EndpointParts;
  readonly #sessions: Sessions<Connection>;
  readonly #sweeping: NodeJS.Timeout;
  readonly #modern: ReturnType<typeof createMcpHandler>;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    this.#sessions = new Sessions(parts.limits);
    this.#sweeping = setInterval(() => void this.#sessions.closeIdle(), parts.limits.idleMs / 4).unref();
    this.#modern = createMcpHandler(({ requestInfo }) => createServer(this.#serverFor(requestInfo?.url ?? '')), {
      legacy: 'reject',
      maxRequestBodySize: parts.bodyBytesMax,
    });
  }

  /** @throws ApiError VALIDATION_ERROR for unknown sets of tools; RATE_LIMITED, ENGINE_BUSY */
  async answer({ request, caller, options }: Asked): Promise<Response> {
    const authInfo = { token: '', clientId: caller.credentialId, scopes: [], extra: { options } };
    const maxRequestBodySize = this.#parts.bodyBytesMax;
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize }))) {
      // Unknown sets are refused here, where the answer can still be an error of HTTP.
      chosenSets(setsIn(request.url));
      return this.#modern.fetch(request, { authInfo });
    }
    const owner = ownerOf(caller);
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#begin(request, caller, authInfo);
    const connection = this.#sessions.find(id, owner);
    if (connection === null) return sessionNotFound();
    return ended(await connection.transport.handleRequest(request, { authInfo }), this.#sessions.use(id));
  }

  /** Opens a session for the first request of a client; others are refused without one. */
  async #begin(request: Request, caller: CallerIds, authInfo: AuthInfo): Promise<Response> {
    const owner = ownerOf(caller);
    await this.#sessions.makeRoom(owner);
    const leave = this.#parts.streams.open(caller);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#parts.bodyBytesMax,
      onsessioninitialized: (id) => this.#sessions.add(id, owner, connection),
      onsessionclosed: (id) => {
        this.#sessions.forget(id);
        leave();
      },
    });
    const server = createServer(this.#serverFor(request.url));
    const close = (): Promise<void> => {
      leave();
      return server.close();
    };
    const connection: Connection = { transport, close };
    await server.connect(transport);
    const response = await transport.handleRequest(request, { authInfo });
    if (transport.sessionId === undefined) await close();
    return response;
  }

  #serverFor(url: string): ServerParts {
    const { rpc, version, tools, onBug } = this.#parts;
    const reach = async (context: ServerContext) => ({ rpc, options: optionsIn(context) });
    return { version, tools, onBug, reach, sets: chosenSets(setsIn(url)) };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#sessions.closeAll();
    await this.#modern.close();
  }
}

const ownerOf = ({ orgId, userId }: CallerIds): string => `${orgId} ${userId}`;

interface AuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  readonly extra: { readonly options: CallOptions };
}

/** The call options of the HTTP request that a message came with. */
function optionsIn({ http }: ServerContext): CallOptions {
  const options = http?.authInfo?.extra?.options;
  if (options === undefined) throw new ApiError('AUTH_REQUIRED', 'the request came without a credential');
  return options as CallOptions;
}

const setsIn = (url: string): string | null => new URL(url).searchParams.get('toolsets');

/** The same for an unknown session and for another caller's session. */
const sessionNotFound = (): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 });

/** Calls `end` when the body of an answer has been read or given up. */
function ended(response: Response, end: () => void): Response {
  if (response.body === null) {
    end();
    return response;
  }
  let isEnded = false;
  const once = (): void => {
    if (!isEnded) end();
    isEnded = true;
  };
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      once();
      controller.close();
    },
    async cancel(reason) {
      once();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}

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
interface SessionConnection {
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
export class Sessions<T extends SessionConnection> {
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
