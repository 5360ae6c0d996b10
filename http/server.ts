import { setMaxListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { type AppOptions, createApp } from './app.js';
import { refuseBroken } from './broken-request.js';
import { type Operations, operationsApp } from './operations.js';

export interface HttpServerOptions extends AppOptions {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

interface HttpServer {
  readonly port: number;
  /**
   * Accepts no new requests, ends streams, and waits at most `drainMs` for the other requests
   * before it closes their connections.
   */
  stop(drainMs: number): Promise<void>;
}

/**
 * Longer than proxies keep idle connections, so that a proxy never sends a request on a connection
 * that the server is closing.
 */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS_MAX = 70_000;

export const startHttpServer = ({ host, port, ...options }: HttpServerOptions): Promise<HttpServer> =>
  listen(host, port, (closing) => createApp(options, closing));

/** Serves `/live`, `/ready`, `/health` and `/metrics` alone, for a process without REST. */
export const startOperationsServer = (host: string, port: number, operations: Operations): Promise<HttpServer> =>
  listen(host, port, () => operationsApp(operations));

async function listen(host: string, port: number, open: (closing: AbortSignal) => Express): Promise<HttpServer> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // each stream adds a listener
  const app = open(closing.signal);
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
 * Tells the client to send no more requests on this connection. Otherwise a busy client could keep
 * the server from stopping.
 */
function endsConnection(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
}
