import { once } from 'node:events';
import type { Response as Answering, Request as Asking, RequestHandler } from 'express';
import { BODY_BYTES_MAX, callOptions, readBytes } from '../http/index.js';
import { ApiError, type CallOptions, checkJsonSize, inTurn, type RpcClient } from '../rpc/index.js';
import { Callers } from './callers.js';
import type { Endpoint } from './endpoint.js';
import { checkOrigin, type Doorway } from './origin.js';
import type { SessionLimits } from './sessions.js';

export interface MountOptions extends Doorway {
  readonly rpc: RpcClient;
  readonly version: string;
  readonly limits: SessionLimits;
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

async function openEndpoint({ rpc, version, limits, onBug }: MountOptions): Promise<Endpoint> {
  const { Endpoint } = await import('./endpoint.js');
  const { openToolbox } = await import('./toolbox.js');
  return new Endpoint({ rpc, version, tools: openToolbox(version), limits, bodyBytesMax: BODY_BYTES_MAX, onBug });
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
