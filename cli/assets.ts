import { EngineError, quote } from '../engine/errors.js';
import type { AssetList } from '../research/index.js';

export const assetsHelp = 'asset, such as BTC; several as BTC,ETH,SOL, or all of which bars are held';

const ALL = 'all';

/** What `--asset` names: a list, all, or null for a single asset or none. */
export function readAssets(text: string | undefined): AssetList | null {
  if (text === undefined) return null;
  if (text.trim().toLowerCase() === ALL) return ALL;
  if (!text.includes(',')) return null;
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '' && name.toLowerCase() !== ALL)) return names;
  throw new EngineError('INVALID_FIELD', `asset must be names with a comma between them, or all, was ${quote(text)}`, {
    field: 'asset',
  });
}
