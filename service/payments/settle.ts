import type { Facilitator } from '../../data/facilitator/index.js';
import type { WallClock } from '../wall-clock.js';
import type { PaymentKey, PaymentLease, SignedTerms } from './records.js';
import type { SqlPaymentStore } from './store.js';

/** How long an answer can be fetched again with the payment that bought it. */
export const ANSWER_MS = 3_600_000;

/**
 * How long a call holds a payment. It is longer than any call may take; it frees the payment of a
 * process that died.
 */
const LEASE_MS = 120_000;

/** Questions to the facilitator in one call, if it gives no answer. */
const ATTEMPTS = 2;

/** How a wallet's settlement ends with the chain refusing a nonce that it has seen. */
const NONCE_USED = /nonce_(already_)?used/;

export type SettleOutcome =
  | { readonly outcome: 'settled'; readonly transaction: string | null }
  /** Not paid, and certainly so. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Perhaps paid: the facilitator is to be asked again. */
  | { readonly outcome: 'unknown'; readonly reason: string }
  /** Another call works on the payment. */
  | { readonly outcome: 'busy' };

interface SettlerParts {
  readonly store: SqlPaymentStore;
  readonly facilitator: Facilitator;
  readonly clock: WallClock;
}

/**
 * Asks the facilitator for the money of an answered payment until it says what became of it. Asking
 * again is safe, because the chain takes a nonce only once.
 */
export class Settler {
  readonly #parts: SettlerParts;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  makeLease(leaseId: string): PaymentLease {
    const nowMs = this.#parts.clock();
    return { leaseId, nowMs, leaseEndsMs: nowMs + LEASE_MS };
  }

  async settle(payment: PaymentKey & { readonly terms: SignedTerms }, leaseId: string): Promise<SettleOutcome> {
    const { store, facilitator } = this.#parts;
    let reason = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await store.takeForSettling(payment, this.makeLease(leaseId));
      if (before === null) return { outcome: 'busy' };
      const answer = await facilitator.settle(payment.terms);
      if (answer.outcome === 'settled') return this.#paid(payment, leaseId, answer.transaction);
      reason = answer.reason;
      if (answer.outcome === 'unknown') continue;
      // The lost settlement used the nonce; any use of it pays the recipient that was signed.
      if (before === 'settling' && NONCE_USED.test(reason)) return this.#paid(payment, leaseId, null);
      const outcome = before === 'served' ? 'refused' : 'unknown';
      await store.unsettled(payment, leaseId, reason, outcome === 'refused');
      return { outcome, reason };
    }
    await store.unsettled(payment, leaseId, reason, false);
    return { outcome: 'unknown', reason };
  }

  async #paid(payment: PaymentKey, leaseId: string, transaction: string | null): Promise<SettleOutcome> {
    const atMs = this.#parts.clock();
    const isKept = await this.#parts.store.settled(payment, leaseId, {
      transaction,
      atMs,
      answerEndsMs: atMs + ANSWER_MS,
    });
    return isKept ? { outcome: 'settled', transaction } : { outcome: 'busy' };
  }
}
