import type { PaymentRequirements } from '@x402/core/types';
import type { MethodName } from '../../contract/index.js';
import { EngineError } from '../../engine/errors.js';

/** A token that wallets pay with. Name and version come from its EIP-712 domain. */
interface Asset {
  readonly address: string;
  readonly name: string;
  readonly version: string;
  readonly decimals: number;
}

interface Network {
  /** Name in version 1 of the protocol. */
  readonly v1Name: string;
  readonly asset: Asset;
}

const usdc = (address: string, name: string): Asset => ({ address, name, version: '2', decimals: 6 });

/** Networks whose asset need not be set, by CAIP-2 id. */
const networks: Readonly<Record<string, Network>> = {
  'eip155:8453': { v1Name: 'base', asset: usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USD Coin') },
  'eip155:84532': { v1Name: 'base-sepolia', asset: usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC') },
};

/** The only scheme that is taken: the payer signs the exact amount. */
export const SCHEME = 'exact';

/** How long a payment should stay valid: a call, its settlement and a repetition fit in. */
const MAX_AGE_S = 300;

/** Decimals of a price in USD as an integer. */
const PRICE_DECIMALS = 6;

interface TermsParts {
  /** CAIP-2, such as `eip155:84532`. */
  readonly network: string;
  /** Default: USDC of a known network. */
  readonly asset?: Asset | undefined;
  /** Address that is paid. */
  readonly payTo: string;
  /** Price of a call; null for a method that is not sold. */
  readonly priceUsd: (method: MethodName) => number | null;
  /** Address and short description of what the method answers. */
  readonly soldResource: (method: MethodName) => { readonly url: string; readonly description: string };
}

/** What a call costs, in the words of both versions of the protocol. */
export interface Requirements {
  /** Atomic units. */
  readonly amount: string;
  readonly v2: PaymentRequirements;
  /** Null for a network without a name in version 1. */
  readonly v1: Readonly<Record<string, unknown>> | null;
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string };
}

/** Prices and payment requirements of the methods that are sold by the call. */
export class Terms {
  readonly network: string;
  readonly v1Network: string | null;
  readonly asset: Asset;
  readonly payTo: string;
  readonly #parts: TermsParts;

  /** @throws EngineError MISSING_FIELD if the asset of the network is not known */
  constructor(parts: TermsParts) {
    const known = networks[parts.network];
    const asset = parts.asset ?? known?.asset;
    if (asset === undefined) {
      const message = `BARLINE_X402_ASSET is required: the asset of the network ${parts.network} is not known`;
      throw new EngineError('MISSING_FIELD', message, { field: 'BARLINE_X402_ASSET' });
    }
    this.#parts = parts;
    this.network = parts.network;
    this.v1Network = known?.v1Name ?? null;
    this.asset = asset;
    this.payTo = parts.payTo;
  }

  isSold(method: MethodName): boolean {
    return this.#parts.priceUsd(method) !== null;
  }

  /** @throws Error for a method that is not sold */
  paymentRequirements(method: MethodName): Requirements {
    const priceUsd = this.#parts.priceUsd(method);
    if (priceUsd === null) throw new Error(`${method} is not sold by the call`);
    const { network, v1Network, payTo } = this;
    const { address: asset, name, version, decimals } = this.asset;
    const amount = atomicUnits(priceUsd, decimals);
    const resource = { ...this.#parts.soldResource(method), mimeType: 'application/json' };
    const { url, description, mimeType } = resource;
    const shared = { scheme: SCHEME, payTo, maxTimeoutSeconds: MAX_AGE_S, asset, extra: { name, version } };
    return {
      amount,
      resource,
      v2: { ...shared, network: network as PaymentRequirements['network'], amount },
      v1:
        v1Network === null
          ? null
          : { ...shared, network: v1Network, maxAmountRequired: amount, resource: url, description, mimeType },
    };
  }
}

/** The price in whole atomic units. The number is rounded once, to a millionth of a dollar. */
function atomicUnits(priceUsd: number, decimals: number): string {
  const millionths = BigInt(Math.round(priceUsd * 10 ** PRICE_DECIMALS));
  return String(millionths * 10n ** BigInt(decimals - PRICE_DECIMALS));
}
