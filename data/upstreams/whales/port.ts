import { HOUR_MS } from '../../../engine/series/index.js';
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

/**
 * Large transfers into exchanges less transfers out, by the start of each hour that the answer
 * covers whole: the hours of the window, or in an incomplete answer the hours between its oldest
 * and its newest transfer. USD; 0 for an hour without a transfer of an exchange.
 */
export function netIntoExchanges(
  { transfers, isComplete }: WhaleTransfers,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Map<number, number> {
  const oldestMs = transfers.at(-1)?.timeMs ?? toMs;
  const newestMs = transfers[0]?.timeMs ?? toMs;
  const first = Math.ceil((isComplete ? fromMs : Math.max(fromMs, oldestMs)) / HOUR_MS) * HOUR_MS;
  const end = isComplete ? toMs : Math.min(toMs, newestMs);
  const net = new Map<number, number>();
  for (let hour = first; hour + HOUR_MS <= end; hour += HOUR_MS) net.set(hour, 0);
  for (const { timeMs, from, to, amountUsd } of transfers) {
    const hour = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    const before = net.get(hour);
    const change = (to.isExchange ? amountUsd : 0) - (from.isExchange ? amountUsd : 0);
    if (before !== undefined) net.set(hour, before + change);
  }
  return net;
}
