import { oneLine } from '../one-line.js';
import { retryAfterMs } from '../providers/transport.js';
import { traced } from '../tracing/index.js';
import { UpstreamFault } from './fault.js';

export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON with POST; without it the request is a GET. */
  readonly body?: unknown;
}

export interface ReceiveRules {
  /** For messages. */
  readonly provider: string;
  /** Statuses with which the provider says that it does not know what was asked for. */
  readonly absentStatuses: readonly number[];
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * Makes one request and reads the whole answer as JSON.
 * @returns null where the provider does not know what was asked for
 * @throws UpstreamFault
 */
export function receive(request: HttpRequest, rules: ReceiveRules): Promise<unknown> {
  return traced({ name: `upstream ${rules.provider}`, kind: 'CLIENT' }, () => receiveOnce(request, rules));
}

async function receiveOnce({ url, headers, body }: HttpRequest, rules: ReceiveRules): Promise<unknown> {
  const { provider, signal, absentStatuses } = rules;
  const text = await (async () => {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Accept: 'application/json', ...(body === undefined ? {} : jsonType), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal,
    });
    if (response.ok) return readText(response, rules);
    await response.body?.cancel();
    if (absentStatuses.includes(response.status)) return null;
    throw statusFault(provider, response);
  })().catch((error: unknown) => {
    throw requestFault(error, provider, signal);
  });
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamFault(provider, 'answer', `an answer of ${text.length} characters that is not JSON`);
  }
}

const jsonType = { 'Content-Type': 'application/json' };

/** Reads an answer, and stops as soon as it is longer than allowed. */
export async function readText(response: Response, { provider, bytesMax }: ReceiveRules): Promise<string> {
  const tooLong = () => new UpstreamFault(provider, 'too long', `an answer longer than ${bytesMax} bytes`);
  if (Number(response.headers.get('content-length') ?? 0) > bytesMax) {
    await response.body?.cancel();
    throw tooLong();
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) throw tooLong(); // leaving the loop cancels the rest
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

export function statusFault(provider: string, { status, headers }: Response): UpstreamFault {
  const wait = retryAfterMs(headers.get('retry-after'), Date.now());
  if (status === 429 || status === 418) {
    return new UpstreamFault(provider, 'rate limit', `HTTP ${status}, too many requests`, wait);
  }
  if (status === 401 || status === 402 || status === 403) {
    return new UpstreamFault(provider, 'refused', `HTTP ${status}, the key or its plan is refused`);
  }
  if (status === 408 || status >= 500) return new UpstreamFault(provider, 'server', `HTTP ${status}`, wait);
  return new UpstreamFault(provider, 'shape', `HTTP ${status}`);
}

/** What made a request fail that has no complete answer. */
export function requestFault(error: unknown, provider: string, signal: AbortSignal): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  if (signal.aborted) return new UpstreamFault(provider, 'timeout', 'no complete answer before the deadline');
  return new UpstreamFault(provider, 'network', networkReason(error));
}

/** `fetch failed` says nothing; its cause gives the reason. The code names no address. */
function networkReason(error: unknown): string {
  const { cause, name } = error as Error & { readonly cause?: NodeJS.ErrnoException };
  return oneLine(`no answer (${cause?.code ?? cause?.name ?? name})`);
}
