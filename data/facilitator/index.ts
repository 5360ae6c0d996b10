import { HTTPFacilitatorClient } from '@x402/core/http';
import { type PaymentPayload, type PaymentRequirements, SettleError, VerifyError } from '@x402/core/types';
import { errorMessage } from '../../engine/errors.js';

/** A signed payment, and the requirements that it is to meet. */
interface AskedPayment {
  readonly payload: object;
  readonly requirements: object;
}

/** The address of the payer, if the facilitator names it. */
type Verification =
  | { readonly isValid: true; readonly payer: string | null }
  | { readonly isValid: false; readonly reason: string };

type Settlement =
  | { readonly outcome: 'settled'; readonly transaction: string | null }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** No answer, or one that cannot be read: the payment may have been made. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** The service that checks signed payments and brings them to the chain. */
export interface Facilitator {
  /** @throws FacilitatorFault if it gives no answer */
  verify(payment: AskedPayment): Promise<Verification>;
  settle(payment: AskedPayment): Promise<Settlement>;
}

/** The facilitator did not say whether a payment is valid. */
export class FacilitatorFault extends Error {
  override readonly name = 'FacilitatorFault';
}

interface FacilitatorOptions {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly key?: string | undefined;
  /** For one request and its answer. */
  readonly timeoutMs: number;
}

const REASON_CHARS_MAX = 200;

/** Speaks the x402 protocol with a facilitator, one request per question, without retries. */
export class HttpFacilitator implements Facilitator {
  readonly #client: HTTPFacilitatorClient;

  constructor({ url, key, timeoutMs }: FacilitatorOptions) {
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    const createAuthHeaders = async () => ({ verify: headers, settle: headers, supported: headers });
    this.#client = new HTTPFacilitatorClient({ url, timeoutMs, createAuthHeaders });
  }

  async verify({ payload, requirements }: AskedPayment): Promise<Verification> {
    try {
      const { isValid, payer, invalidReason } = await this.#client.verify(
        payload as PaymentPayload,
        requirements as PaymentRequirements,
      );
      return isValid
        ? { isValid, payer: payer ?? null }
        : { isValid, reason: short(invalidReason ?? 'invalid_payment') };
    } catch (error) {
      if (error instanceof VerifyError && error.invalidReason !== undefined) {
        return { isValid: false, reason: short(error.invalidReason) };
      }
      throw new FacilitatorFault(message(error), { cause: error });
    }
  }

  async settle({ payload, requirements }: AskedPayment): Promise<Settlement> {
    try {
      const { success, transaction, errorReason } = await this.#client.settle(
        payload as PaymentPayload,
        requirements as PaymentRequirements,
      );
      if (success) return { outcome: 'settled', transaction: transaction === '' ? null : short(transaction) };
      return { outcome: 'refused', reason: short(errorReason ?? 'settlement_failed') };
    } catch (error) {
      if (error instanceof SettleError && error.errorReason !== undefined) {
        return { outcome: 'refused', reason: short(error.errorReason) };
      }
      return { outcome: 'unknown', reason: message(error) };
    }
  }
}

const short = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, REASON_CHARS_MAX);

const message = (error: unknown): string => short(errorMessage(error));
