import type { Sourced } from '../sourced.js';
import type { Token } from '../tokens.js';

/** How far back large transfers are known. */
export const WHALE_HISTORY_MS = 30 * 86_400_000;

/** From this value in USD on, a transfer counts as a whale's. */
export const WHALE_USD_MIN = 500_000;

export interface TransferParty {
  readonly address: string;
  /** Name of the owner; null if unknown. */
  readonly owner: string | null;
  readonly isExchange: boolean;
}

/** One large transfer on a chain. */
export interface WhaleTransfer {
  readonly hash: string;
  readonly blockchain: string;
  /** Upper case. */
  readonly symbol: string;
  readonly amount: number;
  readonly amountUsd: number;
  readonly timeMs: number;
  readonly from: TransferParty;
  readonly to: TransferParty;
}

export interface WhaleTransfers {
  /** The newest first. */
  readonly transfers: readonly WhaleTransfer[];
  /** False if the provider has more than it gives in the allowed number of requests. */
  readonly isComplete: boolean;
}

export interface WhaleQuery {
  /** Null means all tokens. */
  readonly token: Token | null;
  readonly usdMin: number;
  /** Length of the window that ends now; at most `WHALE_HISTORY_MS`. */
  readonly backMs: number;
}

/** The port of large transfers. */
export interface WhalesPort {
  /** What counts as now, epoch ms: of the market for held data, otherwise of the clock. */
  nowMs(token: Token | null): Promise<number>;
  transfers(query: WhaleQuery): Promise<Sourced<WhaleTransfers>>;
}
