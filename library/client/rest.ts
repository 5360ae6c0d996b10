import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/api.js';

export interface RestOptions {
  /** Where the service answers. Default: `http://127.0.0.1:5001`. */
  readonly url?: string;
  /** An API key or the access token of a session. Without it only public paths answer. */
  readonly key?: string;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Answers hold either `data` or `error`, and the `response`. The types of paths, bodies and answers
 * come from the OpenAPI document of this version.
 */
export type RestClient = Client<paths>;

const URL_DEFAULT = 'http://127.0.0.1:5001';

export const createRestClient = ({ url = URL_DEFAULT, key, fetch }: RestOptions = {}): RestClient =>
  createClient<paths>({
    baseUrl: url,
    ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
    ...(fetch === undefined ? {} : { fetch }),
  });
