import { SplitMix64 } from '../../../engine/index.js';
import { sha256 } from '../../hashes/index.js';
import { generated, type Sourced } from '../sourced.js';

/** Bounds of the share that is drawn, in percent. */
const PCT_MIN = 5;
const PCT_MAX = 50;

/**
 * The share of the supply that the ten largest holders of an asset own, in percent: drawn by the
 * symbol, because there is no record of it.
 */
export function drawnHolderShare(symbol: string): Sourced<number> {
  const draws = new SplitMix64(BigInt(`0x${sha256(`holders of ${symbol}`).slice(0, 16)}`));
  const pct = PCT_MIN + (PCT_MAX - PCT_MIN) * draws.uniform();
  return generated(Math.round(100 * pct) / 100);
}
