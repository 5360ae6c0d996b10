/**
 * How far a payment has come.
 *
 * - `serving`: verified, and its call is being answered.
 * - `served`: the answer is kept; the money is not yet asked for, or it was refused.
 * - `settling`: the facilitator was asked for the money, and what came of it is not known yet.
 * - `settled`: paid.
 * - `lapsed`: served, but never paid before the authorization ended.
 */
const paymentStatuses = ['serving', 'served', 'settling', 'settled', 'lapsed'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** A wallet signs each of its nonces once. Both in lower case. */
export interface PaymentKey {
  /** Address of the wallet. */
  readonly payer: string;
  readonly nonce: string;
}

/** What the facilitator is asked about: the signed payment, and what it was to pay for. */
export interface SignedTerms {
  readonly payload: object;
  readonly requirements: object;
}

/** A verified payment and the call that it buys. Times are epoch ms. */
export interface NewPayment extends PaymentKey {
  readonly method: string;
  readonly requestHash: string;
  /** Of authorization and signature. */
  readonly paymentHash: string;
  readonly terms: SignedTerms;
  /** CAIP-2, such as `eip155:8453`. */
  readonly network: string;
  /** Address of the token. */
  readonly asset: string;
  /** Atomic units of the asset. */
  readonly amount: string;
  readonly validBeforeMs: number;
  readonly createdAtMs: number;
}

/** The right of one call to work on a payment until it ends. */
export interface PaymentLease {
  readonly leaseId: string;
  readonly nowMs: number;
  readonly leaseEndsMs: number;
}

export interface StoredPayment extends NewPayment {
  readonly status: PaymentStatus;
  readonly leaseEndsMs: number;
  /** Why the facilitator refused or failed last. */
  readonly lastError: string | null;
  readonly transaction: string | null;
  readonly answer: Uint8Array | null;
  readonly settledAtMs: number | null;
}

/** Sums of the payments of one status and asset. */
export interface PaymentTotal {
  readonly status: PaymentStatus;
  readonly network: string;
  readonly asset: string;
  readonly count: number;
  readonly amount: string;
}

/** A line of the ledger. */
export type LedgerRow = Omit<
  StoredPayment,
  'answer' | 'terms' | 'requestHash' | 'paymentHash' | 'leaseEndsMs' | 'validBeforeMs'
>;

export interface Receipt {
  /** Null if the facilitator knows of the payment but does not name its transaction. */
  readonly transaction: string | null;
  readonly atMs: number;
  /** Until when the answer is kept. */
  readonly answerEndsMs: number;
}
