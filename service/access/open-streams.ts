import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';

interface StreamLimits {
  readonly perCredential: number;
  readonly perOrganization: number;
}

/** Streams end by themselves or last for hours, so there is no better time to name. */
const RETRY_SECONDS = 30;

/**
 * Counts what callers hold open: server-sent events, streams of gRPC, sessions of MCP. Like the
 * rates, each process counts for itself.
 */
export class OpenStreams {
  readonly #open = new Map<string, number>();
  readonly #limits: StreamLimits;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a stream of a caller.
   * @returns gives it back; call it once or more often
   * @throws ApiError RATE_LIMITED with `limit` and `retry_after`
   */
  open({ credentialId, orgId }: Pick<Caller, 'credentialId' | 'orgId'>): () => void {
    const { perCredential, perOrganization } = this.#limits;
    const counted = [
      { key: `credential ${credentialId}`, holder: 'This credential', max: perCredential },
      { key: `organization ${orgId}`, holder: 'The organization', max: perOrganization },
    ];
    for (const { key, holder, max } of counted) {
      if (this.#count(key) < max) continue;
      const message = `${holder} has ${max} streams open, the most it may have: close one`;
      throw new ApiError('RATE_LIMITED', message, { limit: max, retry_after: RETRY_SECONDS });
    }
    for (const { key } of counted) this.#open.set(key, this.#count(key) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const { key } of counted) {
        const left = this.#count(key) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
  }

  /** Credentials and organizations with open streams. */
  get size(): number {
    return this.#open.size;
  }

  #count(key: string): number {
    return this.#open.get(key) ?? 0;
  }
}
