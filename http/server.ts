import { setMaxListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from './app.js';
import { refuseBroken } from './broken-request.js';

export interface HttpServerOptions extends AppOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

interface HttpServer {
  readonly port: number;
  /**
   * Takes no new requests, ends streams, lets what else is under way end for at most so long, then
   * cuts it off.
   */
  stop(drainMs: number): Promise<void>;
}

/**
 * Longer than a proxy keeps idle connections, so that it never sends a request into one that is
 * closing.
 */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS_MAX = 70_000;

export async function startHttpServer({ host, port, ...options }: HttpServerOptions): Promise<HttpServer> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // each stream listens
  const app = createApp(options, closing.signal);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS_MAX }, app);
  server.on('clientError', refuseBroken);
  const underWay = new Set<ServerResponse>();
  server.prependListener('request', (_, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    if (closing.signal.aborted) endsConnection(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop(drainMs) {
      closing.abort();
      for (const response of underWay) {
        if (!response.headersSent) endsConnection(response);
        else response.once('close', () => setImmediate(() => server.closeIdleConnections()));
      }
      const timer = setTimeout(() => server.closeAllConnections(), drainMs);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      clearTimeout(timer);
    },
  };
}

/**
 * Says that no request follows on this connection: a client that always has one more would keep the
 * server from ending.
 */
function endsConnection(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
}
