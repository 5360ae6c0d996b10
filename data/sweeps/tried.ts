import { TRIES_KEPT } from '../../engine/sweep/index.js';
import { queryResults } from './query-results.js';
import { hasTraded } from './ranking.js';
import { openSweepFolder } from './sweep-folder.js';

/**
 * By asset, the lowest identities of the runs of a sweep that traded, see `joinTries`. A sweep of
 * portfolios lists its runs under each of its assets.
 */
export async function triedIn(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  if ((await openSweepFolder(folder).parts()).length === 0) return found;
  const { rows } = await queryResults(
    [folder],
    `SELECT asset, config_hash FROM (SELECT DISTINCT asset, config_hash FROM results WHERE ${hasTraded})
     QUALIFY row_number() OVER (PARTITION BY asset ORDER BY config_hash) <= ${TRIES_KEPT}`,
  );
  const record = (await openSweepFolder(folder).readRecord()) as { readonly assets?: readonly string[] } | null;
  for (const [label, hash] of rows as [string, string][]) {
    for (const asset of record?.assets ?? [label]) {
      const hashes = found.get(asset) ?? [];
      found.set(asset, hashes);
      hashes.push(hash);
    }
  }
  return found;
}
