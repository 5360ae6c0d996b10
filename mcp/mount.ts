import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Response as Answering, Request as Asking, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { BODY_BYTES_MAX, callOptions, readBytes } from '../http/index.js';
import {
  ApiError,
  type CallerIds,
  type CallOptions,
  checkJsonSize,
  clip,
  inTurn,
  type OpenStreams,
  type RpcClient,
} from '../rpc/index.js';
import type { Endpoint, SessionLimits } from './endpoint.js';

export interface MountOptions extends Doorway {
  readonly rpc: RpcClient;
  readonly version: string;
  readonly limits: SessionLimits;
  /** Counts the sessions of callers, among their streams. */
  readonly streams: OpenStreams;
  onBug(error: unknown): void;
}

/** The protocol on a path of the REST server. Its code loads with the first request. */
export const mcpMount = (options: MountOptions) => ({
  path: '/mcp',
  exposedHeaders: ['Mcp-Session-Id'],
  open: (closing: AbortSignal): RequestHandler => handler(options, closing),
});

function handler(options: MountOptions, closing: AbortSignal): RequestHandler {
  const callers = new Callers(options.rpc);
  let opening: Promise<Endpoint> | null = null;
  closing.addEventListener('abort', () => void opening?.then((endpoint) => endpoint.close()).catch(options.onBug));
  return async (asking, answering) => {
    checkOrigin(options, { origin: asking.get('Origin'), host: asking.get('Host') });
    const { signal: _, onRate, ...calling } = callOptions(asking, answering);
    const caller = await identified(callers, { ...calling, onRate }, answering);
    answering.locals.caller = caller;
    const bytes = await readBytes(asking, answering);
    await inTurn(() => checkJsonSize(bytes));
    opening ??= openEndpoint(options);
    const endpoint = await opening;
    if (closing.aborted) throw new ApiError('ENGINE_BUSY', 'the process is stopping', { retry_after: 1 });
    await send(
      await endpoint.answer({ request: asWebRequest(asking, answering), caller, options: calling }),
      answering,
    );
  };
}

async function openEndpoint({ rpc, version, limits, streams, onBug }: MountOptions): Promise<Endpoint> {
  const { Endpoint } = await import('./endpoint.js');
  const { openToolbox } = await import('./toolbox.js');
  return new Endpoint({
    rpc,
    version,
    tools: openToolbox(version),
    limits,
    streams,
    bodyBytesMax: BODY_BYTES_MAX,
    onBug,
  });
}

async function identified(callers: Callers, options: CallOptions, answering: Answering) {
  try {
    return await callers.identify(options);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'AUTH_REQUIRED') answering.set('WWW-Authenticate', 'Bearer');
    throw error;
  }
}

/** The request as the SDK reads it; aborted when the client disconnects. */
function asWebRequest(asking: Asking, answering: Answering): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(asking.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const gone = new AbortController();
  answering.on('close', () => {
    if (!answering.writableFinished) gone.abort();
  });
  const { body } = asking as { body?: unknown };
  const url = new URL(asking.originalUrl, 'http://localhost');
  const bytes = Buffer.isBuffer(body) && asking.method === 'POST' ? new Uint8Array(body) : null;
  return new Request(url, { method: asking.method, headers, body: bytes, signal: gone.signal });
}

/** Sends an answer of the SDK. A slow reader slows down the answer, not this process. */
async function send(answer: Response, answering: Answering): Promise<void> {
  answering.status(answer.status);
  answer.headers.forEach((value, name) => {
    if (name !== 'connection') answering.setHeader(name, value); // the server says that itself
  });
  if (answer.body === null) {
    answering.end();
    return;
  }
  answering.flushHeaders();
  const reader = answer.body.getReader();
  answering.on('close', () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || answering.destroyed) break;
    if (!answering.write(value)) await Promise.race([once(answering, 'drain'), once(answering, 'close')]);
  }
  answering.end();
}

/** Callers whose credential was accepted lately. */
const CALLERS_MAX = 1_000;
/** Within this time a credential is not asked for again; each call of a tool still shows it. */
const KNOWN_MS = 60_000;

/** Finds the caller of a credential, before a session or a request of the protocol begins. */
class Callers {
  readonly #known = new LRUCache<string, CallerIds>({ max: CALLERS_MAX, ttl: KNOWN_MS });

  constructor(private readonly rpc: RpcClient) {}

  /** @throws ApiError AUTH_REQUIRED, RATE_LIMITED */
  async identify(options: CallOptions): Promise<CallerIds> {
    const key = createHash('sha256')
      .update(options.authorization ?? '')
      .digest('base64');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let caller: CallerIds | null = null;
    const onCaller = (ids: CallerIds): void => {
      caller = ids;
      options.onCaller?.(ids);
    };
    await this.rpc.call('Auth.ListGranted', {}, { ...options, onCaller });
    if (caller === null) throw new ApiError('INTERNAL_ERROR', 'the server did not say who the caller is');
    this.#known.set(key, caller);
    return caller;
  }
}

const loopbacks: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

interface Doorway {
  /** Address on which the server listens. */
  readonly host: string;
  /** Origins whose pages may call, beside this machine's own. */
  readonly origins: readonly string[];
}

/**
 * Refuses pages of foreign origins, and names of foreign hosts that lead to a server of this
 * machine (DNS rebinding). Programs send no origin.
 * @throws ApiError PERMISSION_DENIED
 */
export function checkOrigin(
  { host, origins }: Doorway,
  sent: { readonly origin: string | undefined; readonly host: string | undefined },
): void {
  const own = origins.map((origin) => hostName(origin));
  if (sent.origin !== undefined && !origins.includes(sent.origin) && !loopbacks.includes(hostName(sent.origin))) {
    throw refusal('Origin', ['this machine', ...origins], sent.origin);
  }
  if (
    isLoopback(host) &&
    sent.host !== undefined &&
    ![...loopbacks, ...own].includes(hostName(`http://${sent.host}`))
  ) {
    throw refusal('Host', ['this machine', ...own], sent.host);
  }
}

const isLoopback = (host: string): boolean => host === '::1' || loopbacks.includes(host);

/** Host name of an address; empty for a text that is no address. */
const hostName = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');

const refusal = (header: string, allowed: readonly string[], was: string) =>
  new ApiError('PERMISSION_DENIED', `${header} must be ${allowed.join(' or ')}, was ${clip(was, 100)}`, {
    field: header,
  });
