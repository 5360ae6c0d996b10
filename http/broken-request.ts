import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorRows } from './errors.js';

/**
 * Answers a request that is not HTTP, has oversized headers or never ends. Sends the usual error
 * body and closes the connection.
 */
export function refuseBroken(failure: NodeJS.ErrnoException, socket: Duplex): void {
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
export function refuseStopping(response: ServerResponse): void {
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
