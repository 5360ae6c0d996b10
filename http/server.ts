import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import { type AppOptions, createApp } from './app.js';
import { errorRows } from './errors.js';
import { type Operations, operationsApp } from './operations.js';

export interface HttpServerOptions extends AppOptions {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

interface HttpServer {
  readonly port: number;
  /**
   * Answers what arrives in a last moment, with the word that the connection ends; then accepts no
   * connections, ends streams, and waits at most `drainMs` for the other requests. It refuses those
   * with ENGINE_BUSY.
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

/**
 * How long a stopping server still accepts connections and keeps idle ones, so that requests on
 * their way get an answer and not a reset.
 */
const LINGER_MS = 300;
/** Time for the refusals to be sent, before the connections are cut. */
const REFUSED_MS = 200;

/** Time that a connection without a request may hold up the end. */
const SILENT_MS = 1_000;
const STEP_MS = 20;

/** Waits in steps, so that a process which gets little CPU time waits for as many turns. */
async function inSteps(ms: number, isOver: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < ms && !isOver(); waitedMs += STEP_MS) await delay(STEP_MS);
}

async function listen(host: string, port: number, open: (closing: AbortSignal) => Express): Promise<HttpServer> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // each stream adds a listener
  const app = open(closing.signal);
  let isRefusing = false;
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS_MAX },
    (asked, response) => {
      if (isRefusing) refuseStopping(response);
      else app(asked, response);
    },
  );
  server.on('clientError', refuseBroken);
  const underWay = new Set<ServerResponse>();
  const sockets = openSockets(server);
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
      const untilMs = performance.now() + drainMs - REFUSED_MS;
      closing.abort();
      for (const response of underWay) {
        if (!response.headersSent) endsConnection(response);
        else response.once('close', () => setImmediate(() => server.closeIdleConnections()));
      }
      await inSteps(LINGER_MS, () => !sockets.hasAny() || performance.now() > untilMs);
      await afterPoll(); // the connections that wait to be accepted have just been accepted
      const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
      server.closeIdleConnections();
      void inSteps(SILENT_MS, () => !sockets.hasAny()).then(() => sockets.closeSilent());
      const isClosedWithin = (ms: number) => Promise.race([closed, delay(Math.max(0, ms), false, { ref: false })]);
      if (await isClosedWithin(untilMs - performance.now())) return;
      isRefusing = true; // also what was sent before and is read only now
      for (const response of underWay) if (!response.headersSent) refuseStopping(response);
      await inSteps(REFUSED_MS, () => !sockets.hasAny());
      server.closeAllConnections();
      await closed;
    },
  };
}

function openSockets(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    hasAny: () => sockets.size > 0,
    /** Those on which no client has sent anything would keep the server from closing. */
    closeSilent() {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
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

/**
 * Answers a request that is not HTTP, has oversized headers or never ends. Sends the usual error
 * body and closes the connection.
 */
function refuseBroken(failure: NodeJS.ErrnoException, socket: Duplex): void {
  if (failure.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = 'VALIDATION_ERROR';
  const { error } = errorRows[code];
  const id = randomUUID();
  const message = failure.code === 'HPE_HEADER_OVERFLOW' ? 'the headers are too large' : 'the request cannot be read';
  const body = JSON.stringify({ success: false, error, message, code, correlation_id: id });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Correlation-Id: ${id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Answers a request that the app does not answer before the server ends. */
function refuseStopping(response: ServerResponse): void {
  const code = 'ENGINE_BUSY';
  const { status, error } = errorRows[code];
  const id = String(response.getHeader('X-Correlation-Id') ?? randomUUID());
  const message = 'the service is stopping';
  const body = { success: false, error, message, code, error_code: code, retry_after: 1, correlation_id: id };
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Correlation-Id': id,
    'Retry-After': '1',
    Connection: 'close',
  });
  response.end(JSON.stringify(body));
}
