import { distance } from 'fastest-levenshtein';
import { EngineError, quote } from '../../engine/errors.js';

/** The end of the name of a perpetual; what stands before it is the base asset. */
export const PERPETUAL = '-PERP';

export const isPerpetual = (asset: string): boolean => asset.toUpperCase().endsWith(PERPETUAL);

const assetName = /^[A-Z0-9][A-Z0-9._-]{0,31}$/;
/** Names of devices in Windows, where a file of such a name, with any ending, is the device. */
const deviceName = /^(CON|PRN|AUX|NUL|COM\d|LPT\d)(\.|$)/;

/**
 * The name under which bars of an asset are stored: upper case, the text before `-` or `/`.
 * Perpetuals are separate markets, so a name ending in -PERP stays whole. A pair written as one
 * word (BTCUSDT) is taken as a name.
 */
export function normaliseAsset(text: unknown): string {
  // A letter of another alphabet can have one of these as its upper case: a dotless i becomes I.
  const upper = typeof text === 'string' && /^[\x20-\x7e]*$/.test(text.trim()) ? text.trim().toUpperCase() : '';
  // biome-ignore lint/style/noNonNullAssertion: split returns at least one part
  const name = isPerpetual(upper) ? upper : upper.split(/[-/]/, 1)[0]!;
  if (assetName.test(name) && !deviceName.test(name)) return name;
  const rule =
    'asset must start with up to 32 letters, digits, dots or underscores, optionally ending in -PERP, and be no device such as CON';
  throw new EngineError('INVALID_FIELD', `${rule}, was ${quote(text)}`, { field: 'asset' });
}

/** Up to three of `names` that resemble `wanted`, nearest first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const farthest = Math.max(1, Math.floor(wanted.length / 2));
  return [...new Set(names)]
    .map((name) => ({ name, steps: distance(wanted, name) }))
    .filter(({ steps }) => steps <= farthest)
    .sort((a, b) => a.steps - b.steps || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}
