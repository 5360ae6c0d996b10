import { ApiError, asApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { type Authenticator, authorise, type Method, methodAccess } from '../identity/index.js';
import { CallUnit } from './call-unit.js';
import type { Idempotency, Idempotent, IdempotentCall } from './idempotency.js';
import type { Quotas, RateLimits } from './limits.js';
import { type MethodMeters, methodMeters } from './meters.js';

/** What a caller shows of itself, as it was sent. */
export interface Credentials {
  /** The whole header: `Bearer …`. */
  readonly authorization?: string | undefined;
  readonly managementKey?: string | undefined;
  /** Where the call comes from; limits how often those without a credential may ask. */
  readonly address: string;
}

interface GateParts {
  readonly authenticator: Authenticator;
  readonly rateLimits: RateLimits;
  readonly quotas: Quotas;
  readonly idempotency: Idempotency;
  /** Meter by method; by default that of the service. */
  readonly methodMeters?: MethodMeters;
}

/** What every call passes before its use case, whichever way it comes. */
export class Gate {
  readonly #meterOf: MethodMeters;

  constructor(private readonly parts: GateParts) {
    this.#meterOf = parts.methodMeters ?? methodMeters;
  }

  /**
   * Counts for the rate only: the unit of a metered call is counted by `unitOf`, when it is known
   * that its use case will run, and a call without a meter moves no monthly counter, so that
   * `/usage` can be read at the limit.
   * @returns who calls; null for a public method, which takes no notice of credentials
   * @throws ApiError AUTH_REQUIRED, INSUFFICIENT_PERMISSIONS, PERMISSION_DENIED, RATE_LIMITED
   */
  async admit(method: Method, credentials: Credentials): Promise<Caller | null> {
    const { rateLimits } = this.parts;
    if (isPublic(method)) {
      await rateLimits.consume(credentials.address);
      return null;
    }
    const caller = await this.#authenticate(credentials);
    await rateLimits.consume(caller.credentialId);
    authorise(caller, method);
    return caller;
  }

  /** What a call counts as; null where its method has no meter. */
  unitOf(method: Method, caller: Caller): CallUnit | null {
    const meter = this.#meterOf[method];
    return meter === undefined ? null : new CallUnit(this.parts.quotas, caller, meter);
  }

  /** Whether `admit` would let the caller through; counts as nothing. */
  async check(method: string, { authorization }: Credentials): Promise<void> {
    if (isPublic(method)) return;
    authorise(await this.parts.authenticator.authenticate(authorization), method as Method);
  }

  /**
   * A credential that is none counts for the address, and only then: others there may have good
   * ones.
   */
  async #authenticate({ authorization, address }: Credentials): Promise<Caller> {
    const { authenticator, rateLimits } = this.parts;
    try {
      return await authenticator.authenticate(authorization);
    } catch (error) {
      if (asApiError(error)?.code === 'AUTH_REQUIRED') await rateLimits.consume(address);
      throw error;
    }
  }

  once<Answer>(call: IdempotentCall<Answer>): Promise<Idempotent<Answer>> {
    return this.parts.idempotency.run(call);
  }
}

function isPublic(method: string): boolean {
  if (!Object.hasOwn(methodAccess, method))
    throw new ApiError('RESOURCE_NOT_FOUND', `no method ${method.slice(0, 80)}`);
  return methodAccess[method as Method] === 'public';
}
