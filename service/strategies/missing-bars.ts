import { normaliseAsset } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { parseInterval } from '../../engine/series/index.js';
import { asApiError } from '../api-error.js';
import { listStoredRules, type StoredRules } from './definition.js';

/**
 * Warns about a strategy without bars to run on. It is stored all the same, as bars may arrive
 * later.
 */
export async function missingBarsWarnings(
  { asset, entry, exit, short_entry, short_exit }: StoredRules,
  market: Pick<MarketData, 'resolveSource'>,
): Promise<string[]> {
  const rules = [entry, exit, short_entry, short_exit].flatMap(listStoredRules);
  // biome-ignore lint/style/noNonNullAssertion: stored rules begin with a TRIGGER
  const own = { asset, timeframe: rules[0]!.timeframe };
  const others = rules.flatMap((rule) => (rule.asset === undefined ? [] : [{ ...rule, asset: rule.asset }]));
  const found = await Promise.all([own, ...others].map((read) => missingBars(read, market)));
  return [...new Set(found.flat())];
}

async function missingBars(
  { asset, timeframe }: { readonly asset: string; readonly timeframe: string },
  market: Pick<MarketData, 'resolveSource'>,
): Promise<string[]> {
  try {
    await market.resolveSource(normaliseAsset(asset), parseInterval(timeframe));
    return [];
  } catch (error) {
    const known = asApiError(error);
    if (known === null) throw error;
    return [`${known.message}; the strategy cannot run until there are`];
  }
}
