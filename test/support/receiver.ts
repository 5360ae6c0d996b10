import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly received: Received[];
  /** Resolves after this many requests. */
  until(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** A real receiver of webhooks. By default it accepts everything. */
export async function startReceiver(
  answer: (request: Received, response: ServerResponse) => void = (_, response) => response.end(),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  let tell: () => void = () => {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const entry = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(entry);
    answer(entry, response);
    tell();
  });
  server.listen(port, '127.0.0.1');
  server.unref(); // else a hook that fails before `stop` hangs its process
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    port: bound,
    origin: `http://127.0.0.1:${bound}`,
    received,
    async until(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
