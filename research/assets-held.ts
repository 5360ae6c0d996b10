import { type BarStore, normaliseAsset } from '../data/bars/index.js';
import { EngineError, quote } from '../engine/errors.js';
import { parseInterval } from '../engine/series/index.js';

/** Assets of a command: their names, or all assets with stored bars. */
export type AssetList = readonly string[] | 'all';

/** More series at once are better asked for in parts. */
const ASSETS_MAX = 1_000;

/**
 * The assets of a list, in its order; of `all`, those whose bars give an interval, by name.
 * @throws EngineError for a list that names an asset twice or too many, and where no bars are held
 */
export async function listAssets(
  list: AssetList,
  interval: string,
  store: Pick<BarStore, 'list'>,
): Promise<readonly string[]> {
  const intervalMs = parseInterval(interval);
  if (list !== 'all') return named(list);
  const held = (await store.list()).filter((entry) => intervalMs % entry.intervalMs === 0);
  const assets = [...new Set(held.map(({ asset }) => asset))].sort();
  if (assets.length > 0) return checkCount(assets);
  throw new EngineError('NOT_FOUND', `no bars are held that give ${interval}: barline data list shows those held`, {
    field: 'asset',
  });
}

function named(list: readonly string[]): readonly string[] {
  const assets = list.map(normaliseAsset);
  const twice = assets.find((asset, a) => assets.indexOf(asset) !== a);
  if (twice === undefined) return checkCount(assets);
  throw new EngineError('INVALID_FIELD', `asset must name each asset once, names ${quote(twice)} twice`, {
    field: 'asset',
  });
}

function checkCount(assets: readonly string[]): readonly string[] {
  if (assets.length <= ASSETS_MAX) return assets;
  throw new EngineError('INVALID_FIELD', `asset must name at most ${ASSETS_MAX} assets, was ${assets.length}`, {
    field: 'asset',
  });
}

/**
 * Does something for each asset in turn. An asset of a list that cannot be done ends it; one of
 * `all` is left out with the reason, unless none can be done.
 * @throws EngineError of the first asset that cannot be done
 */
export async function onEach<T>(list: AssetList, assets: readonly string[], act: (asset: string) => Promise<T>) {
  const ran: T[] = [];
  const leftOut: { readonly asset: string; readonly reason: string }[] = [];
  let first: EngineError | null = null;
  for (const asset of assets) {
    try {
      ran.push(await act(asset));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (list !== 'all') throw new EngineError(error.code, `asset ${asset}: ${error.message}`, error.details);
      first ??= error;
      leftOut.push({ asset, reason: error.message });
    }
  }
  if (ran.length === 0 && first !== null) throw first;
  return { ran, leftOut };
}
