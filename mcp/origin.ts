import { ApiError, clip } from '../rpc/index.js';

const loopbacks: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export interface Doorway {
  /** Address on which the server listens. */
  readonly host: string;
  /** Origins whose pages may call, beside this machine's own. */
  readonly origins: readonly string[];
}

/**
 * Refuses pages of foreign origins, and names of foreign hosts that lead to a server of this
 * machine (DNS rebinding). Programs send no origin.
 * @throws ApiError PERMISSION_DENIED
 */
export function checkOrigin(
  { host, origins }: Doorway,
  sent: { readonly origin: string | undefined; readonly host: string | undefined },
): void {
  const own = origins.map((origin) => hostName(origin));
  if (sent.origin !== undefined && !origins.includes(sent.origin) && !loopbacks.includes(hostName(sent.origin))) {
    throw refusal('Origin', ['this machine', ...origins], sent.origin);
  }
  if (
    isLoopback(host) &&
    sent.host !== undefined &&
    ![...loopbacks, ...own].includes(hostName(`http://${sent.host}`))
  ) {
    throw refusal('Host', ['this machine', ...own], sent.host);
  }
}

const isLoopback = (host: string): boolean => host === '::1' || loopbacks.includes(host);

/** Host name of an address; empty for a text that is no address. */
const hostName = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');

const refusal = (header: string, allowed: readonly string[], was: string) =>
  new ApiError('PERMISSION_DENIED', `${header} must be ${allowed.join(' or ')}, was ${clip(was, 100)}`, {
    field: header,
  });
