import { randomBytes } from 'node:crypto';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentPayload } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/v1';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import type { Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { NETWORK, PAY_TO } from './payment-settings.js';

const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const CHAIN_ID = 84532;

export interface Wallet {
  readonly account: PrivateKeyAccount;
  /** In lower case. */
  readonly address: string;
  /** `fetch` that pays what it is asked for, through the client library of the protocol. */
  readonly pay: typeof fetch;
}

/** A wallet with a fresh key, paying in one version of the protocol. */
export function newWallet(version: 1 | 2 = 2): Wallet {
  const account = privateKeyToAccount(generatePrivateKey());
  const scheme =
    version === 2
      ? { network: NETWORK, client: new ExactEvmScheme(account) }
      : { network: 'base-sepolia', client: new ExactEvmSchemeV1(account), x402Version: 1 };
  const pay = wrapFetchWithPaymentFromConfig(version === 2 ? fetch : fetchOfVersion1, {
    schemes: [scheme as never],
  }) as typeof fetch;
  return { account, address: account.address.toLowerCase(), pay };
}

/** A client of version 1 does not read the header of version 2. */
const fetchOfVersion1: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status !== 402) return response;
  const headers = new Headers(response.headers);
  headers.delete('PAYMENT-REQUIRED');
  return new Response(await response.text(), { status: 402, headers });
};

export interface Authorized {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}

/** What a test may get wrong on purpose. */
export interface PaymentChanges {
  /** Before it is signed. */
  readonly signed?: Partial<Authorized>;
  /** After that. */
  readonly forged?: Partial<Authorized>;
  readonly signature?: Hex;
  readonly accepted?: object;
  readonly chainId?: number;
  readonly asset?: Hex;
}

/** The header of a signed payment in version 2, valid unless changed. */
export async function paymentHeader(wallet: Wallet, amount: string, changes: PaymentChanges = {}): Promise<string> {
  const authorization: Authorized = {
    from: wallet.account.address,
    to: PAY_TO,
    value: amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1_000) + 300),
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...changes.signed,
  };
  const { value, validAfter, validBefore } = authorization;
  const signature = await wallet.account.signTypedData({
    domain: {
      ...{ name: 'USDC', version: '2', chainId: changes.chainId ?? CHAIN_ID },
      verifyingContract: changes.asset ?? USDC,
    },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
  });
  const accepted = {
    scheme: 'exact',
    ...{ network: NETWORK, amount, asset: USDC, payTo: PAY_TO, maxTimeoutSeconds: 300 },
    extra: { name: 'USDC', version: '2' },
    ...changes.accepted,
  };
  const payload = {
    authorization: { ...authorization, ...changes.forged },
    signature: changes.signature ?? signature,
  };
  return encodePaymentSignatureHeader({ x402Version: 2, accepted, payload } as unknown as PaymentPayload);
}
