import { endpointOf, isMethod, type MethodName } from '../../contract/index.js';
import { clip } from '../../engine/text.js';
import { ApiError, asApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { type Authenticator, authorise } from '../identity/index.js';
import type { Bought, PaidCall, Payments, SignedPayment } from '../payments/index.js';
import type { Idempotency, Idempotent, IdempotentCall } from './idempotency.js';
import { CallUnit, type Quotas, type RateLimits, type RateState } from './limits.js';
import { type MethodMeters, methodMeters } from './meters.js';

/** The credentials of a call, as they were sent. */
export interface Credentials {
  /** The whole header: `Bearer …`. */
  readonly authorization?: string | undefined;
  readonly managementKey?: string | undefined;
  /** A signed payment, for a call without `authorization`. */
  readonly payment?: string | undefined;
  /** Address or network of the client; limits the rate of callers without a credential. */
  readonly address: string;
}

interface GateParts {
  readonly authenticator: Authenticator;
  readonly rateLimits: RateLimits;
  readonly quotas: Quotas;
  readonly idempotency: Idempotency;
  /** Null: no call is sold, and one without a credential is refused. */
  readonly payments: Payments | null;
  /** Meter by method; the service's own by default. */
  readonly methodMeters?: MethodMeters;
}

type OnRate = (state: RateState) => void;

/** A call that may go on. */
interface Admission {
  /** Null for a public method, which ignores credentials. */
  readonly caller: Caller | null;
  /**
   * Set for a call that its caller pays for. The caller is then only who the payment says, until
   * `sell` has verified it.
   */
  readonly payment: SignedPayment | null;
}

/** The checks that every call passes before its use case, over gRPC or REST. */
export class Gate {
  readonly #meterOf: MethodMeters;

  constructor(private readonly parts: GateParts) {
    this.#meterOf = parts.methodMeters ?? methodMeters;
  }

  /**
   * Authenticates, limits the rate and authorises. Quotas are not touched: `callUnit` counts the unit
   * of a metered call once it is certain that the use case will run. A call without a meter moves
   * no monthly counter, so `/usage` can be read at the limit.
   * @param onRate called with the remaining rate, also before a refusal
   * @throws ApiError AUTH_REQUIRED, PAYMENT_REQUIRED, INSUFFICIENT_PERMISSIONS, PERMISSION_DENIED,
   *   RATE_LIMITED
   */
  async admit(method: MethodName, credentials: Credentials, onRate?: OnRate): Promise<Admission> {
    if (method === 'Auth.CheckAccess') return { caller: null, payment: null }; // its use case counts
    return this.#admit(method, credentials, onRate);
  }

  async #admit(method: MethodName, credentials: Credentials, onRate?: OnRate): Promise<Admission> {
    const { rateLimits } = this.parts;
    if (this.#isFree(method)) {
      await rateLimits.consumeAddress(credentials.address, onRate);
      return { caller: null, payment: null };
    }
    const payments = this.#sellerOf(method, credentials);
    if (payments !== null) {
      await rateLimits.consumeAddress(credentials.address, onRate);
      const payment = payments.read(method, credentials.payment);
      return { caller: payments.payingCaller(payment), payment };
    }
    const caller = await this.#authenticate(credentials, onRate);
    await rateLimits.consume(caller.credentialId, onRate);
    authorise(caller, method);
    return { caller, payment: null };
  }

  /** Sells a call; see `Payments.sell`. */
  sell<Answer>(call: PaidCall<Answer>): Promise<Bought<Answer>> {
    const { payments } = this.parts;
    if (payments === null) throw new Error('a call was paid for while payments are off');
    return payments.sell(call);
  }

  /** Who sells this call; null if it needs a credential. A caller with a credential never pays. */
  #sellerOf(method: MethodName, { authorization }: Credentials): Payments | null {
    const { payments } = this.parts;
    return authorization === undefined && payments?.isSold(method) ? payments : null;
  }

  /** Whether a call needs neither a credential nor a payment. */
  #isFree(method: MethodName): boolean {
    const requires = endpointOf(method).access;
    return requires === 'public' || (requires === 'payable' && this.parts.payments === null);
  }

  /** The unit that a call costs; null if its method has no meter. */
  callUnit(method: MethodName, caller: Caller): CallUnit | null {
    const meter = this.#meterOf[method];
    return meter === undefined ? null : new CallUnit(this.parts.quotas, caller, meter);
  }

  /** Throws what `admit` throws for these credentials, and counts the call as `admit` does. */
  async checkCounted(method: string, credentials: Credentials, onRate: OnRate): Promise<void> {
    await this.#admit(knownMethod(method), credentials, onRate);
  }

  /**
   * Throws what `admit` would throw for these credentials, but counts only invalid ones: the call
   * follows, and counts itself.
   */
  async foresee(name: string, credentials: Credentials): Promise<void> {
    const { rateLimits } = this.parts;
    const method = knownMethod(name);
    const isFree = this.#isFree(method);
    if (isFree || this.#sellerOf(method, credentials) !== null) {
      await rateLimits.peekAddress(credentials.address);
      await this.check(method, credentials);
      return;
    }
    const caller = await this.#authenticate(credentials);
    await rateLimits.peek(caller.credentialId);
    authorise(caller, method);
  }

  /** Throws the refusal of these credentials, whatever is left of the rate, and counts nothing. */
  async check(name: string, credentials: Credentials): Promise<void> {
    const method = knownMethod(name);
    if (this.#isFree(method)) return;
    const payments = this.#sellerOf(method, credentials);
    if (payments !== null) payments.read(method, credentials.payment);
    else authorise(await this.parts.authenticator.authenticate(credentials.authorization), method);
  }

  /**
   * Counts only invalid credentials against the address: other callers there may have valid ones.
   */
  async #authenticate({ authorization, address }: Credentials, onRate?: OnRate): Promise<Caller> {
    const { authenticator, rateLimits } = this.parts;
    try {
      return await authenticator.authenticate(authorization);
    } catch (error) {
      if (asApiError(error)?.code === 'AUTH_REQUIRED') await rateLimits.consumeAddress(address, onRate);
      throw error;
    }
  }

  once<Answer>(call: IdempotentCall<Answer>): Promise<Idempotent<Answer>> {
    return this.parts.idempotency.run(call);
  }
}

function knownMethod(name: string): MethodName {
  if (!isMethod(name)) throw new ApiError('RESOURCE_NOT_FOUND', `no method ${clip(name, 80)}`);
  return name;
}
