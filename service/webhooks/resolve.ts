import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a host; once the signal has aborted it may fail with any error. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Name servers are asked only once, since the delivery is retried anyway. */
const QUERY_MS_MAX = 5_000;

/**
 * Resolves like the system, including its hosts file. This occupies one of the few threads that
 * also read files, and cannot be aborted.
 */
export const resolveAsSystem: Resolve = (host) => lookup(host, { all: true });

/**
 * Asks the name servers directly, without a thread: a server that never answers delays no other
 * work.
 */
export async function resolvePublic(
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
