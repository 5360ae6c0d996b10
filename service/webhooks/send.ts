import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { DeliveryAttempt } from '../../data/state/index.js';
import { isPublicAddress } from '../addresses.js';
import { type Resolve, resolveAsSystem, resolvePublic } from './resolve.js';

interface SenderSettings {
  /** Whether addresses outside the public internet may be written to. */
  readonly allowsPrivate: boolean;
  /**
   * By default the name servers, or the system where a private host may be meant, which has names
   * of its own.
   */
  readonly resolve?: Resolve;
  /** For the whole exchange, from the name to the status. */
  readonly timeoutMs?: number;
}

interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TIMEOUT_MS = 10_000;
const ERROR_CHARS_MAX = 300;

/**
 * Posts to hosts that strangers named. The connection goes to an address that was looked at, so
 * that a name cannot mean another machine a moment later; redirects are not followed, and of the
 * answer only the status is read.
 */
export class WebhookSender {
  readonly #allowsPrivate: boolean;
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;

  constructor({ allowsPrivate, resolve, timeoutMs = TIMEOUT_MS }: SenderSettings) {
    this.#allowsPrivate = allowsPrivate;
    this.#resolve = resolve ?? (allowsPrivate ? resolveAsSystem : resolvePublic);
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Whether an address that stands in a URL itself may be written to; of a name it is not known
   * before it is looked up.
   */
  mayReach({ hostname }: URL): boolean {
    const host = bare(hostname);
    return this.#allowsPrivate || isIP(host) === 0 || isPublicAddress(host);
  }

  /** Fails only with the reason of the signal; everything else that can go wrong is a result. */
  async send(outgoing: OutgoingRequest, signal: AbortSignal): Promise<DeliveryAttempt> {
    const ending = new AbortController();
    const stop = () => ending.abort(signal.reason);
    const timer = setTimeout(
      () => ending.abort(new Error(`no answer within ${this.#timeoutMs / 1000} s`)),
      this.#timeoutMs,
    );
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      const status = await this.#exchange(outgoing, ending.signal);
      return { status, error: status >= 200 && status < 300 ? null : refusalOf(status) };
    } catch (error) {
      signal.throwIfAborted();
      return { status: null, error: reasonOf(ending.signal.aborted ? ending.signal.reason : error) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async #exchange({ url, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<number> {
    const target = new URL(url);
    const addresses = await within(signal, this.#addressesOf(bare(target.hostname), signal));
    const open = target.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const request = open(target, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
        lookup: answering(addresses),
        agent: false,
        signal,
      });
      request.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      request.on('error', reject);
      request.on('close', () => reject(new Error('the connection was closed without an answer')));
      request.end(body);
    });
  }

  /**
   * A refusal does not say which address it is: it is read by those who named the host, and is none
   * of their business.
   */
  async #addressesOf(host: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const family = isIP(host);
    const addresses = family === 0 ? await this.#resolve(host, signal) : [{ address: host, family }];
    const isRefused = !this.#allowsPrivate && addresses.some(({ address }) => !isPublicAddress(address));
    if (isRefused) throw new Error(`${host} is not at a public address`);
    if (addresses.length === 0) throw new Error(`${host} has no address`);
    return addresses;
  }
}

/** IPv6 addresses stand in brackets in a URL. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Looks nothing up: the addresses are known. */
const answering =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

/** Not every lookup can be stopped, but nobody needs to wait for it. */
const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

const refusalOf = (status: number): string =>
  status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).slice(0, ERROR_CHARS_MAX); // several addresses that all fail come without a message
}
