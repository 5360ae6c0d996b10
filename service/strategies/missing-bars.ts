import { normaliseAsset } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { parseInterval } from '../../engine/index.js';
import { asApiError } from '../api-error.js';
import type { StoredRules } from './definition.js';

/**
 * Warns about a strategy without bars to run on. It is stored all the same, as bars may arrive
 * later.
 */
export async function missingBarsWarnings(
  { asset, entry }: StoredRules,
  market: Pick<MarketData, 'resolveSource'>,
): Promise<string[]> {
  // biome-ignore lint/style/noNonNullAssertion: stored rules begin with a TRIGGER
  const { timeframe } = entry[0]!;
  try {
    await market.resolveSource(normaliseAsset(asset), parseInterval(timeframe));
    return [];
  } catch (error) {
    const known = asApiError(error);
    if (known === null) throw error;
    return [`${known.message}; the strategy cannot run until there are`];
  }
}
