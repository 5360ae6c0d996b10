import { randomUUID } from 'node:crypto';
import { encodePaymentRequiredHeader, encodePaymentResponseHeader } from '@x402/core/http';
import type { SettleResponse } from '@x402/core/types';
import type { MethodName } from '../../contract/index.js';
import { type Facilitator, FacilitatorFault } from '../../data/facilitator/index.js';
import { derivedUuid, sha256 } from '../../data/hashes/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { Seal } from '../seal.js';
import type { WallClock } from '../wall-clock.js';
import type { StoredPayment } from './records.js';
import { ANSWER_MS, type SettleOutcome, Settler } from './settle.js';
import { PaymentRefused, readPayment, type SignedPayment } from './signed-payment.js';
import type { SqlPaymentStore } from './store.js';
import type { Terms } from './terms.js';

interface PaymentParts {
  readonly store: SqlPaymentStore;
  readonly facilitator: Facilitator;
  readonly terms: Terms;
  /** Answers are kept encrypted. */
  readonly seal: Seal;
  /** Limits the rate of a wallet. */
  readonly consume: (who: string) => Promise<void>;
  readonly clock: WallClock;
}

/** A call that a payment is to buy. */
export interface PaidCall<Answer> {
  readonly method: MethodName;
  readonly payment: SignedPayment;
  /** As the use case gets it: the payment buys the answer to this request only. */
  readonly request: unknown;
  readonly signal: AbortSignal;
  /** The answer must survive JSON. */
  run(): Promise<Answer>;
}

export interface Bought<Answer> {
  readonly answer: Answer;
  /** Header that tells the payer what was paid. */
  readonly receipt: string;
  readonly isReplay: boolean;
}

/** A payment must stay valid this long, so that it can still be settled after a short call. */
const MARGIN_MS = 10_000;
/** After this time past its end, no facilitator brings a payment to the chain. */
const ASKED_AFTER_END_MS = 600_000;
const IN_DOUBT_AT_ONCE = 20;
const BUSY_RETRY_S = 1;
const FACILITATOR_RETRY_S = 2;

/**
 * Sells calls to wallets: verifies a payment, serves the call and settles, in this order. A payment
 * buys one answer. It is kept for an hour, and the same payment with the same request fetches it
 * again.
 */
export class Payments {
  readonly #parts: PaymentParts;
  readonly #settler: Settler;

  constructor(parts: PaymentParts) {
    this.#parts = parts;
    this.#settler = new Settler(parts);
  }

  isSold(method: MethodName): boolean {
    return this.#parts.terms.isSold(method);
  }

  /** The refusal of a call that is not paid for, with what a payment must meet. */
  required(method: MethodName, reason = 'payment_required', receipt?: string): ApiError {
    const { v1, v2, resource } = this.#parts.terms.paymentRequirements(method);
    const required = { x402Version: 2, error: reason, resource, accepts: [v2] };
    const message =
      reason === 'payment_required'
        ? 'Payment required: sign one of the listed payments, or send a credential'
        : `The payment was not accepted: ${reason}`;
    return new ApiError('PAYMENT_REQUIRED', message, {
      reason,
      payment_required: encodePaymentRequiredHeader(required),
      ...(v1 === null ? {} : { x402Version: 1, accepts: [v1] }),
      ...(receipt === undefined ? {} : { payment_response: receipt }),
    });
  }

  /**
   * Reads the payment of a call. Nothing is verified yet: only `sell` tells whether the payer is
   * who the payment says.
   * @throws ApiError PAYMENT_REQUIRED
   */
  read(method: MethodName, header: string | undefined): SignedPayment {
    if (header === undefined) throw this.required(method);
    const { terms } = this.#parts;
    try {
      return readPayment(header, terms, terms.paymentRequirements(method));
    } catch (error) {
      if (error instanceof PaymentRefused) throw this.required(method, error.reason);
      throw error;
    }
  }

  payingCaller({ payer }: SignedPayment): Caller {
    return walletCaller(payer);
  }

  /**
   * @throws ApiError PAYMENT_REQUIRED for a payment that is refused, CONFLICT while another call
   *   has it, ENGINE_BUSY if the facilitator gives no answer, and any error of `run`; none of them
   *   costs anything
   */
  async sell<Answer>(call: PaidCall<Answer>): Promise<Bought<Answer>> {
    const { method, payment, request } = call;
    const requestHash = sha256(canonicalJson([method, request]));
    const stored = await this.#parts.store.find(payment);
    if (stored === null) return this.#serve(call, requestHash);
    if (stored.paymentHash !== payment.hash) throw this.required(method, 'nonce_already_used');
    if (stored.status === 'serving') {
      if (stored.leaseEndsMs > this.#parts.clock()) throw busy();
      return this.#serve(call, requestHash);
    }
    if (stored.requestHash !== requestHash) throw this.required(method, 'payment_used_for_another_request');
    if (stored.answer === null) throw this.required(method, 'payment_already_used');
    return this.#fetch(call, stored, stored.answer);
  }

  /** Settles the payments with unknown settlement. Call it regularly. */
  async reconcile(): Promise<void> {
    const { store, clock } = this.#parts;
    const nowMs = clock();
    for (const payment of await store.inDoubt(nowMs, nowMs - ASKED_AFTER_END_MS, IN_DOUBT_AT_ONCE)) {
      await this.#settler.settle(payment, randomUUID());
    }
  }

  upkeep(): Promise<void> {
    return this.#parts.store.sweep(this.#parts.clock());
  }

  async #serve<Answer>(call: PaidCall<Answer>, requestHash: string): Promise<Bought<Answer>> {
    const { store, clock, terms, seal, consume } = this.#parts;
    const { method, payment } = call;
    await this.#verify(call);
    await consume(this.payingCaller(payment).credentialId);
    const leaseId = randomUUID();
    const { amount } = terms.paymentRequirements(method);
    const { network, asset } = terms;
    const { payer, nonce, hash, validBeforeMs } = payment;
    const bought = { method, requestHash, network, asset: asset.address, amount };
    const claimed = await store.claim(
      { payer, nonce, paymentHash: hash, terms: payment.terms, ...bought, validBeforeMs, createdAtMs: clock() },
      this.#settler.makeLease(leaseId),
    );
    if (!claimed) throw busy();
    let answer: Answer;
    try {
      answer = await call.run();
    } catch (error) {
      // The lease ends anyway; the cause matters more.
      await store.release(payment, leaseId).catch(() => {});
      throw error;
    }
    const answerEndsMs = Math.min(validBeforeMs, clock() + ANSWER_MS) + ANSWER_MS;
    const sealed = seal.seal(JSON.stringify(answer));
    if (!(await store.keepAnswer(payment, sealed, answerEndsMs, this.#settler.makeLease(leaseId)))) throw busy();
    if (call.signal.aborted) {
      await store.unsettled(payment, leaseId, 'the payer disconnected before the answer', true);
      call.signal.throwIfAborted();
    }
    const receipt = this.#receiptOf(call, await this.#settler.settle(payment, leaseId));
    return { answer, receipt, isReplay: false };
  }

  async #verify({ method, payment }: PaidCall<unknown>): Promise<void> {
    const nowMs = this.#parts.clock();
    if (payment.validAfterMs > nowMs)
      throw this.required(method, 'invalid_exact_evm_payload_authorization_valid_after');
    if (payment.validBeforeMs < nowMs + MARGIN_MS) {
      throw this.required(method, 'invalid_exact_evm_payload_authorization_valid_before');
    }
    const verification = await this.#parts.facilitator.verify(payment.terms).catch((error: unknown) => {
      if (!(error instanceof FacilitatorFault)) throw error;
      const message = 'Payments cannot be verified at the moment: the facilitator gives no answer';
      throw new ApiError('ENGINE_BUSY', message, { retry_after: FACILITATOR_RETRY_S });
    });
    if (!verification.isValid) throw this.required(method, verification.reason);
    if (verification.payer !== null && verification.payer.toLowerCase() !== payment.payer) {
      throw this.required(method, 'invalid_payer');
    }
  }

  /** The answer that this payment has bought, or has been promised. */
  async #fetch<Answer>(call: PaidCall<Answer>, stored: StoredPayment, sealed: Uint8Array): Promise<Bought<Answer>> {
    const outcome: SettleOutcome =
      stored.status === 'settled'
        ? { outcome: 'settled', transaction: stored.transaction }
        : await this.#settler.settle(stored, randomUUID());
    const receipt = this.#receiptOf(call, outcome);
    return { answer: JSON.parse(this.#parts.seal.open(sealed)) as Answer, receipt, isReplay: true };
  }

  #receiptOf({ method, payment }: PaidCall<unknown>, settlement: SettleOutcome): string {
    const { terms } = this.#parts;
    const { payer, version } = payment;
    const network = version === 1 ? terms.v1Network : terms.network;
    const receipt = (result: Partial<SettleResponse>): string =>
      encodePaymentResponseHeader({ transaction: '', payer, network, ...result } as SettleResponse);
    switch (settlement.outcome) {
      case 'settled':
        return receipt({ success: true, transaction: settlement.transaction ?? '' });
      case 'refused': {
        const { reason } = settlement;
        throw this.required(method, reason, receipt({ success: false, errorReason: reason }));
      }
      case 'busy':
        throw busy();
      case 'unknown':
        throw new ApiError(
          'ENGINE_BUSY',
          'It is not known yet whether the payment was made. Send the same request with the same payment again: it is never charged twice',
          { retry_after: FACILITATOR_RETRY_S },
        );
    }
  }
}

const busy = (): ApiError =>
  new ApiError('CONFLICT', 'A call with this payment is still in progress', { retry_after: BUSY_RETRY_S });

/** What the methods that are sold need. */
const scopes: readonly string[] = ['data:query', 'oracle:backtest', 'oracle:read'];

/**
 * The caller that a wallet is: it owns what its payments made and shares it with no other caller.
 * Its ids follow from the address, since a wallet has no user, no organization of people and no
 * tier.
 * @param payer address in lower case
 */
function walletCaller(payer: string): Caller {
  const name = `wallet:${payer}`;
  return {
    userId: derivedUuid(name, 'user'),
    orgId: derivedUuid(name, 'organization'),
    role: 'member',
    tier: 'wallet',
    credential: 'wallet',
    credentialId: name,
    scopes,
  };
}
