import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { Json } from '../state/json-columns.js';

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
type PaymentStatus = (typeof paymentStatuses)[number];

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

export interface PaymentTable {
  payer: string;
  nonce: string;
  method: string;
  request_hash: string;
  payment_hash: string;
  terms: Json<SignedTerms>;
  network: string;
  asset: string;
  /** Digits: it may exceed what a number holds. */
  amount: string;
  valid_before_ms: number;
  status: PaymentStatus;
  lease_id: string;
  lease_ends_ms: number;
  last_error: string | null;
  transaction: string | null;
  answer: Uint8Array | null;
  answer_ends_ms: number | null;
  created_at_ms: number;
  settled_at_ms: number | null;
}

export interface PaymentTables {
  payments: PaymentTable;
}

export const paymentMigrations: Migrations = {
  /**
   * Payments of wallets. A wallet signs a nonce once, so a payment is its payer and nonce. While
   * `lease_ends_ms` lies ahead, one call works on it. The answer is kept, sealed, until
   * `answer_ends_ms`. Amounts are whole atomic units of the asset; times are epoch ms.
   */
  '0013-payments': {
    async up(db) {
      await sql`
        create table payments (
          payer text not null,
          nonce text not null,
          method text not null,
          request_hash text not null,
          payment_hash text not null,
          terms json not null,
          network text not null,
          asset text not null,
          amount numeric(78, 0) not null,
          valid_before_ms bigint not null,
          status text not null,
          lease_id uuid not null,
          lease_ends_ms bigint not null,
          last_error text,
          transaction text,
          answer bytea,
          answer_ends_ms bigint,
          created_at_ms bigint not null,
          settled_at_ms bigint,
          primary key (payer, nonce)
        )`.execute(db);
      await sql`create index payments_by_time on payments (created_at_ms desc, payer, nonce)`.execute(db);
      await sql`
        create index payments_unsettled on payments (lease_ends_ms)
        where status in ('serving', 'served', 'settling')`.execute(db);
      await sql`create index payments_with_answer on payments (answer_ends_ms) where answer is not null`.execute(db);
    },
  },
};
