import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a host; may fail with any reason once the signal is aborted. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** A name server is asked once: the delivery is tried again anyway. */
const QUERY_MS_MAX = 5_000;

/**
 * As the system does it: from its file of hosts, too. A thread of the few that also read files
 * waits, and cannot be stopped.
 */
export const resolveAsSystem: Resolve = (host) => lookup(host, { all: true });

/** From the name servers alone, without a thread: one that never answers holds up nobody. */
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
