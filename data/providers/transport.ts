import { oneLine } from '../one-line.js';
import { ProviderFault } from './provider.js';

type Fetch = typeof globalThis.fetch;

export const TIMEOUT_MS = 30_000;

interface TransportOptions {
  /** Limit for a whole answer, up to its last byte. */
  readonly timeoutMs?: number | undefined;
  readonly now?: (() => number) | undefined;
}

/** The requests of one provider, which makes one at a time. */
export interface Transport {
  readonly fetch: Fetch;
  /** Ends the current request and all later ones. */
  signal: AbortSignal;
  /** Status of the last answer. */
  status: number;
}

/**
 * Statuses after which the same request may succeed. 418 is Binance's ban of a client that ignored
 * 429.
 */
const isPassing = (status: number): boolean => status === 408 || status === 418 || status === 429 || status >= 500;

/**
 * `fetch` for a provider or its library, which would otherwise hide what a retry needs: how long
 * the server asks to wait, and whether an answer is complete. The deadline covers the body,
 * redirects are errors, and a successful answer that is not JSON is a fault.
 */
export function createTransport({ timeoutMs = TIMEOUT_MS, now = Date.now }: TransportOptions): Transport {
  const transport: Transport = {
    signal: new AbortController().signal,
    status: 0,
    async fetch(input, init) {
      const { signal } = transport;
      transport.status = 0;
      const deadline = AbortSignal.timeout(timeoutMs);
      const { response, body } = await receive(input, init, AbortSignal.any([signal, deadline])).catch((error) => {
        signal.throwIfAborted();
        if (deadline.aborted) throw new ProviderFault('timeout', `no complete answer within ${timeoutMs / 1_000} s`);
        throw new ProviderFault('network', networkReason(error));
      });
      const { status, headers } = response;
      transport.status = status;
      if (isPassing(status)) {
        const reason = status === 418 || status === 429 ? 'rate limit' : 'server';
        throw new ProviderFault(reason, `HTTP ${status}`, retryAfterMs(headers.get('retry-after'), now()));
      }
      if (response.ok && !isJson(body)) {
        const type = oneLine(headers.get('content-type') ?? 'no content type');
        throw new ProviderFault('answer', `an answer of ${body.length} characters (${type}) that is not JSON`);
      }
      return new Response(body === '' ? null : body, { status, statusText: response.statusText, headers });
    },
  };
  return transport;
}

async function receive(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1], signal: AbortSignal) {
  const response = await globalThis.fetch(input, { ...init, redirect: 'error', signal });
  return { response, body: await response.text() };
}

/** `fetch failed` says nothing; its cause gives the reason. */
function networkReason(error: unknown): string {
  const { message, cause } = error as Error & { readonly cause?: NodeJS.ErrnoException };
  return oneLine(`no answer (${cause?.code ?? cause?.message ?? message})`);
}

/** Reads seconds or an HTTP date, as ms from now; null for anything else. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
