import { HOUR_MS } from '../../../engine/series/index.js';
import type { WhaleTransfers } from './port.js';

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
