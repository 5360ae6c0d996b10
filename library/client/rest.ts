import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/api.js';
import { type RetryOptions, sendUntilAnswered } from './retries.js';

export interface RestOptions extends RetryOptions {
  /** Where the service answers. Default: `http://127.0.0.1:5001`. */
  readonly url?: string;
  /** An API key or the access token of a session. Without it only public paths answer. */
  readonly key?: string;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A write is sent with an `Idempotency-Key` of its own, if it has none, so it takes effect once
 * however often it is sent. Answers hold either `data` or `error`, and the `response`. The types of
 * paths, bodies and answers come from the OpenAPI document of this version.
 */
export type RestClient = Client<paths>;

const URL_DEFAULT = 'http://127.0.0.1:5001';

export const createRestClient = ({ url = URL_DEFAULT, key, fetch, ...retrying }: RestOptions = {}): RestClient =>
  createClient<paths>({
    baseUrl: url,
    ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
    fetch: (request) => sendRepeatably(request, fetch ?? globalThis.fetch, retrying),
  });

const KEY = 'Idempotency-Key';
/** What proxies answer while the service behind them is away. */
const FROM_PROXY: readonly number[] = [502, 503, 504];

/**
 * A call without a credential has no key: the service runs it each time, so only its refusals are
 * answered by sending it again.
 */
function sendRepeatably(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
  retrying: RetryOptions,
): Promise<Response> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isRepeatable = isRead || request.headers.has('Authorization');
  if (!isRead && isRepeatable && !request.headers.has(KEY)) request.headers.set(KEY, crypto.randomUUID());
  return sendUntilAnswered(
    () => fetch(request.clone()),
    (ended) => {
      if ('error' in ended) return isRepeatable && !request.signal.aborted ? 0 : null;
      const { status, headers } = ended.answer;
      const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
      if (FROM_PROXY.includes(status) && Number.isNaN(seconds)) return isRepeatable ? 0 : null;
      // A 409 with a wait is a call that is still under way.
      return [409, 429, 503].includes(status) && seconds >= 0 ? 1000 * seconds : null;
    },
    retrying,
  );
}
