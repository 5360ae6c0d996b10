import { EngineError, wrongField } from '../engine/errors.js';
import type { AssetList } from '../research/index.js';

/** What a caller may ask for, as on the command line. */
const bounds = {
  threads: [1, 64],
  top: [1, 10_000],
  minTrades: [0, 1_000_000],
  cuts: [1, 10_000],
  seed: [0, Number.MAX_SAFE_INTEGER],
} as const;

/** @throws EngineError INVALID_FIELD for a value that is no whole number within its bounds */
export function checkWhole(values: Partial<Record<keyof typeof bounds, number | undefined>>): void {
  for (const [name, [min, max]] of Object.entries(bounds)) {
    const value = values[name as keyof typeof bounds];
    if (value === undefined || (Number.isSafeInteger(value) && value >= min && value <= max)) continue;
    const message = `${name} must be a whole number ${min}..${max}, was ${value}`;
    throw new EngineError('INVALID_FIELD', message, { field: name });
  }
}

/** @throws EngineError INVALID_FIELD for anything but a list of names or `all` */
export function checkAssets(assets: AssetList): AssetList {
  const isList = Array.isArray(assets) && assets.length > 0;
  if (assets === 'all' || (isList && assets.every((asset) => typeof asset === 'string' && asset !== ''))) return assets;
  throw wrongField('assets', 'a list of names of assets, or all', assets);
}

export interface AuditOptions {
  /** Number of random places at which the data is cut off. Default: 20. */
  readonly cuts?: number;
  /** Seed that chooses those places. Default: 42. */
  readonly seed?: number;
}

export const CUTS = 20;
export const SEED = 42;
