import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ApiError, type CallerIds, type CallOptions, type RpcClient } from '../rpc/index.js';

/** Callers whose credential was accepted lately. */
const CALLERS_MAX = 1_000;
/** Within this time a credential is not asked for again; each call of a tool still shows it. */
const KNOWN_MS = 60_000;

/** Finds the caller of a credential, before a session or a request of the protocol begins. */
export class Callers {
  readonly #known = new LRUCache<string, CallerIds>({ max: CALLERS_MAX, ttl: KNOWN_MS });

  constructor(private readonly rpc: RpcClient) {}

  /** @throws ApiError AUTH_REQUIRED, RATE_LIMITED */
  async identify(options: CallOptions): Promise<CallerIds> {
    const key = createHash('sha256')
      .update(options.authorization ?? '')
      .digest('base64');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let caller: CallerIds | null = null;
    const onCaller = (ids: CallerIds): void => {
      caller = ids;
      options.onCaller?.(ids);
    };
    await this.rpc.call('Auth.ListGranted', {}, { ...options, onCaller });
    if (caller === null) throw new ApiError('INTERNAL_ERROR', 'the server did not say who the caller is');
    this.#known.set(key, caller);
    return caller;
  }
}
