import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { clip } from '../../engine/text.js';
import { isPublicAddress } from '../addresses.js';
import type { DeliveryAttempt } from './outbox.js';

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

/** All addresses of a host; once the signal has aborted it may fail with any error. */
type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Name servers are asked only once, since the delivery is retried anyway. */
const QUERY_MS_MAX = 5_000;

/**
 * Resolves like the system, including its hosts file. This occupies one of the few threads that
 * also read files, and cannot be aborted.
 */
const resolveAsSystem: Resolve = (host) => lookup(host, { all: true });

/**
 * Asks the name servers directly, without a thread: a server that never answers delays no other
 * work.
 */
async function resolvePublic(
  host: string,
  signal: AbortSignal,
  nameServers?: readonly string[],
): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: QUERY_MS_MAX, tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [...found(v4, 4), ...found(v6, 6)];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

const found = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/** A delivery as its headers describe it; `docs/webhooks.md` tells receivers how to check them. */
interface DeliveryHeaders {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  /** Time of the attempt, epoch ms. */
  readonly nowMs: number;
}

/** HMAC-SHA256 of the time in whole seconds, a dot and the body, in hexadecimal digits. */
const signature = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');

export function deliveryHeaders(secret: string, { id, type, body, nowMs }: DeliveryHeaders): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'barline-webhooks',
    'X-Barline-Event': type,
    'X-Barline-Delivery': id,
    'X-Barline-Timestamp': timestamp,
    'X-Barline-Signature': `sha256=${signature(secret, timestamp, body)}`,
  };
}
