import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, recoverTypedDataAddress } from 'viem';

/** A payment as the facilitator brought it to its chain. */
export interface ChainTransfer {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly nonce: string;
  readonly transaction: string;
}

/**
 * What the facilitator does with its next settlement instead of answering it: it pays and loses the
 * answer, loses the question, pays and never answers, or refuses.
 */
export type SettleFault = 'lost answer' | 'lost question' | 'silence' | 'no funds' | 'server error';

/** Where a test can look on: before and after each step is taken. */
export type FacilitatorStep = 'verify' | 'verified' | 'settle' | 'settled' | 'answered';

export interface TestFacilitator {
  readonly url: string;
  /** By nonce, in the order of payment. */
  readonly ledger: ReadonlyMap<string, ChainTransfer>;
  readonly asked: { verify: number; settle: number };
  /** Faults of the next settlements, in order. */
  readonly faults: SettleFault[];
  /** False: it gives no answer to anything. */
  isUp: boolean;
  onStep: (step: FacilitatorStep) => void | Promise<void>;
  stop(): Promise<void>;
}

interface Asked {
  readonly x402Version: number;
  readonly paymentPayload: { readonly payload: { readonly signature: Hex; readonly authorization: Authorization } };
  readonly paymentRequirements: Requirements;
}

interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}

interface Requirements {
  readonly network: string;
  readonly amount?: string;
  readonly maxAmountRequired?: string;
  readonly payTo: Hex;
  readonly asset: Hex;
  readonly extra: { readonly name: string; readonly version: string };
}

/** Of Base Sepolia, under the names of both versions of the protocol. */
const CHAIN_ID = 84532;
const networks = ['eip155:84532', 'base-sepolia'];

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/**
 * A facilitator on this machine that checks real signatures and keeps a ledger in place of a chain:
 * like a token, it takes a nonce once and refuses it the second time.
 */
export async function startFacilitator(): Promise<TestFacilitator> {
  const ledger = new Map<string, ChainTransfer>();
  const facilitator = { asked: { verify: 0, settle: 0 }, faults: [] as SettleFault[], isUp: true };
  const steps: { onStep: TestFacilitator['onStep'] } = { onStep: () => {} };
  const state = Object.assign(facilitator, steps);

  async function verify(asked: Asked): Promise<object> {
    const reason = await problem(asked, ledger);
    const { from: payer } = asked.paymentPayload.payload.authorization;
    return reason === null ? { isValid: true, payer } : { isValid: false, invalidReason: reason };
  }

  async function settle(asked: Asked, fault: SettleFault | undefined): Promise<object> {
    const { network } = asked.paymentRequirements;
    const { from, to, value, nonce } = asked.paymentPayload.payload.authorization;
    const reason = fault === 'no funds' ? 'insufficient_funds' : await problem(asked, ledger);
    if (reason !== null) return { success: false, errorReason: reason, transaction: '', network };
    const transaction = `0x${randomBytes(32).toString('hex')}`;
    ledger.set(nonce.toLowerCase(), { from, to, value: BigInt(value), nonce, transaction });
    return { success: true, payer: from, transaction, network };
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const kind = request.url === '/verify' ? 'verify' : 'settle';
    assert.ok(request.url === '/verify' || request.url === '/settle', request.url);
    state.asked[kind]++;
    if (!state.isUp) return void request.socket.destroy();
    const asked = JSON.parse(Buffer.concat(parts).toString()) as Asked;
    await state.onStep(kind);
    if (kind === 'verify') {
      const answer = await verify(asked);
      await state.onStep('verified');
      return send(response, 200, answer);
    }
    const fault = state.faults.shift();
    if (fault === 'lost question') return void request.socket.destroy();
    if (fault === 'server error') return send(response, 500, { error: 'the chain is away' });
    const answer = await settle(asked, fault);
    await state.onStep('settled');
    if (fault === 'lost answer') return void request.socket.destroy();
    if (fault === 'silence') return;
    send(response, 200, answer);
    await state.onStep('answered');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve).unref(); // see receiver.ts
  });
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Why the chain would not take a payment; null if it would. */
async function problem(asked: Asked, ledger: ReadonlyMap<string, ChainTransfer>): Promise<string | null> {
  const { payTo, asset, extra, network, amount, maxAmountRequired } = asked.paymentRequirements;
  const { authorization, signature } = asked.paymentPayload.payload;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  if (!networks.includes(network)) return 'invalid_network';
  if (to.toLowerCase() !== payTo.toLowerCase()) return 'invalid_exact_evm_recipient_mismatch';
  if (BigInt(value) !== BigInt(amount ?? maxAmountRequired ?? -1))
    return 'invalid_exact_evm_payload_authorization_value';
  const nowS = Math.floor(Date.now() / 1_000);
  if (Number(validBefore) <= nowS) return 'invalid_exact_evm_payload_authorization_valid_before';
  if (Number(validAfter) > nowS) return 'invalid_exact_evm_payload_authorization_valid_after';
  if (ledger.has(nonce.toLowerCase())) return 'invalid_exact_evm_nonce_already_used';
  const message = {
    from,
    to,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
  };
  const signer = await recoverTypedDataAddress({
    domain: { name: extra.name, version: extra.version, chainId: CHAIN_ID, verifyingContract: asset },
    types,
    primaryType: 'TransferWithAuthorization',
    message,
    signature,
  }).catch(() => null);
  return signer?.toLowerCase() === from.toLowerCase() ? null : 'invalid_exact_evm_signature';
}
