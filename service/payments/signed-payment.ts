import { decodePaymentSignatureHeader } from '@x402/core/http';
import { parsePaymentPayload } from '@x402/core/schemas';
import { z } from 'zod';
import { sha256 } from '../../data/hashes/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import type { PaymentKey, SignedTerms } from './records.js';
import { type Requirements, SCHEME, type Terms } from './terms.js';

/** A payment as sent with a call. Only the facilitator can tell whether its signature holds. */
export interface SignedPayment extends PaymentKey {
  readonly version: 1 | 2;
  /** Epoch ms, from and before which it is valid. */
  readonly validAfterMs: number;
  readonly validBeforeMs: number;
  /** Of authorization and signature: the same for every copy of the payment. */
  readonly hash: string;
  readonly terms: SignedTerms;
}

/** The payment cannot pay for the call, with a reason in the words of the protocol. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';

  constructor(readonly reason: string) {
    super(reason);
  }
}

/** Longer than any payment of the scheme; servers and proxies take headers of 8 KiB. */
const HEADER_CHARS_MAX = 8_192;

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const uint256 = z.string().regex(/^\d{1,78}$/);

/** An EIP-3009 authorization with its signature; other ways to transfer are not taken. */
const authorized = z.object({
  authorization: z.object({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  }),
  signature: z.string().regex(/^0x([0-9a-fA-F]{2})+$/),
});

/** @throws PaymentRefused for a payment that is malformed or for anything but these requirements */
export function readPayment(header: string, terms: Terms, requirements: Requirements): SignedPayment {
  const payload = decodePayload(header);
  const { authorization, signature } = readAs(authorized, payload.payload);
  const asked = askedBy(payload, terms, requirements);
  if (!isSameAddress(authorization.to, terms.payTo)) throw new PaymentRefused('invalid_exact_evm_recipient_mismatch');
  if (BigInt(authorization.value) !== BigInt(requirements.amount)) {
    throw new PaymentRefused('invalid_exact_evm_payload_authorization_value');
  }
  const [payer, nonce] = [authorization.from.toLowerCase(), authorization.nonce.toLowerCase()];
  const signed = { ...authorization, from: payer, to: authorization.to.toLowerCase(), nonce };
  return {
    payer,
    nonce,
    version: payload.x402Version,
    validAfterMs: Number(authorization.validAfter) * 1_000,
    validBeforeMs: Math.min(Number(authorization.validBefore) * 1_000, Number.MAX_SAFE_INTEGER),
    hash: sha256(canonicalJson({ signed, signature: signature.toLowerCase() })),
    terms: { payload, requirements: asked },
  };
}

type Payload = Extract<ReturnType<typeof parsePaymentPayload>, { success: true }>['data'];

function decodePayload(header: string): Payload {
  if (header.length > HEADER_CHARS_MAX) throw new PaymentRefused('payment_too_large');
  let decoded: unknown;
  try {
    decoded = decodePaymentSignatureHeader(header);
  } catch {
    throw new PaymentRefused('invalid_payload');
  }
  const result = parsePaymentPayload(decoded);
  if (!result.success) throw new PaymentRefused('invalid_payload');
  return result.data;
}

/** The requirements of the version that the payer speaks, if the payment names the same. */
function askedBy(payload: Payload, terms: Terms, { amount, v1, v2 }: Requirements): object {
  if (payload.x402Version === 1) {
    if (payload.scheme !== SCHEME) throw new PaymentRefused('unsupported_scheme');
    if (v1 === null || payload.network !== terms.v1Network) throw new PaymentRefused('invalid_network');
    return v1;
  }
  const { accepted } = payload;
  if (accepted.scheme !== SCHEME) throw new PaymentRefused('unsupported_scheme');
  if (accepted.network !== terms.network) throw new PaymentRefused('invalid_network');
  const isAccepted =
    accepted.amount === amount &&
    isSameAddress(accepted.asset, terms.asset.address) &&
    isSameAddress(accepted.payTo, terms.payTo);
  if (!isAccepted) throw new PaymentRefused('invalid_payment_requirements');
  return v2;
}

function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new PaymentRefused('invalid_payload');
  return result.data;
}

const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
