import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { clip } from '../../engine/text.js';
import { isPublicAddress } from '../addresses.js';
import type { DeliveryAttempt } from './outbox.js';
import { type Resolve, resolveAsSystem, resolvePublic } from './resolve.js';

interface SenderSettings {
  /** Whether deliveries may go to addresses outside the public internet. */
  readonly allowsPrivate: boolean;
  /**
   * By default the name servers; if private hosts are allowed, the system, which knows their names.
   */
  readonly resolve?: Resolve;
  /** Limit of the whole exchange, from resolving the name to reading the status. */
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
 * Posts to hosts that users of the service name. It connects only to an address that it has
 * checked, so the name cannot switch to another machine in between. Redirects are not followed, and
 * only the status of the answer is read.
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
   * Whether a literal address in a URL is allowed; a host name passes here and is checked when it
   * is resolved.
   */
  mayReach({ hostname }: URL): boolean {
    const host = bare(hostname);
    return this.#allowsPrivate || isIP(host) === 0 || isPublicAddress(host);
  }

  /** Rejects only with the reason of the signal; every other failure is a result. */
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
      return { status, error: status >= 200 && status < 300 ? null : refusal(status) };
    } catch (error) {
      signal.throwIfAborted();
      return { status: null, error: reason(ending.signal.aborted ? ending.signal.reason : error) };
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
   * The error does not name the address: the user who named the host reads it, and must not learn
   * about the internal network.
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

/** Strips the brackets that a URL puts around IPv6 addresses. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Answers with the known addresses instead of looking the host up. */
const answering =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

/** Rejects when the signal aborts, even if the lookup itself cannot be stopped. */
const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

const refusal = (status: number): string =>
  status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // The message is empty if several addresses all fail.
  return clip(message || code || String(error), ERROR_CHARS_MAX);
}
