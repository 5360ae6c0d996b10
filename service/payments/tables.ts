import type { Json } from '../state/json-columns.js';
import type { PaymentStatus, SignedTerms } from './records.js';

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
