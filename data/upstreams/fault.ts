type FaultReason =
  | 'network'
  | 'timeout'
  | 'rate limit'
  | 'server'
  /** The provider refuses the key or the plan behind it. */
  | 'refused'
  /** The rate that the provider allows is used up, so it was not asked. */
  | 'own rate'
  /** The answer is truncated or not JSON. */
  | 'answer'
  | 'too long'
  /** The answer is JSON of another shape than documented. */
  | 'shape'
  /** Too many calls wait for the provider already. */
  | 'queue full'
  /** The provider failed so often that calls are held back for a while. */
  | 'open';

/**
 * A provider failed. The message names the provider and the reason; it never holds the address or
 * the key.
 */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';

  constructor(
    readonly provider: string,
    readonly reason: FaultReason,
    problem: string,
    /** How long the provider asks us to wait. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`${provider}: ${problem}`);
  }
}

/** Whether the same request may succeed when it is sent again. */
export const isPassing = ({ reason }: UpstreamFault): boolean =>
  reason === 'network' || reason === 'server' || reason === 'rate limit' || reason === 'answer';

/** Whether the provider is down, so that further calls would only wait. */
export const isOutage = ({ reason }: UpstreamFault): boolean =>
  reason === 'network' || reason === 'server' || reason === 'timeout' || reason === 'rate limit';
