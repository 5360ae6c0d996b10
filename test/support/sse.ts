import { once } from 'node:events';
import { type Agent, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface ReadEvent {
  readonly id: string | null;
  readonly event: string;
  readonly retry: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
  readonly data: any;
}

/** A stream of server-sent events as a client sees it. */
export interface SseStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next event; fails where the stream ends instead. */
  next(): Promise<ReadEvent>;
  /** Resolves when the server has ended the stream; drops unread events. */
  ended(): Promise<void>;
  close(): void;
}

export interface SseRequest {
  readonly lastEventId?: string;
  readonly agent?: Agent;
}

/** @param token null for no credential */
export async function openStream(
  url: string,
  token: string | null,
  { lastEventId, agent }: SseRequest = {},
): Promise<SseStream> {
  const headers = {
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
  };
  const request = get(url, { headers, agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => {}); // the reader reports it
  response.setEncoding('utf8');
  const events = eventsOf(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    async next() {
      const { value, done } = await events.next();
      if (done) throw new Error('the stream has ended');
      return value;
    },
    async ended() {
      for await (const _ of events);
    },
    close: () => response.destroy(),
  };
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<ReadEvent> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
      const data = field('data');
      if (data === null) continue; // a comment
      yield { id: field('id'), event: field('event') ?? 'message', retry: field('retry'), data: JSON.parse(data) };
    }
  }
}
